// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>

#include <subspace/core/progress.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

#include "linalg/sizes.h"

namespace subspace {

/// One column of a sparse representation as a convex problem,
///     min_c  1/2 c'Hc - b'c + sum_j p_j |c_j|,   lower <= c <= upper,   1'c = sum,
/// the sum running over the first coefficients alone where `summed` says so.
/// SMCE: H = U'U, b = 0, p = lambda q, sum 1. Lasso columns of a kernel K with weight lambda,
/// |c|_1 + lambda/2 (k_jj - 2 k_j'c + c'Kc) with c_j = 0: H = K, b = k_j, p = 1/lambda, and the
/// bounds of c_j zero; sum 1 when affine. Empty vectors: no linear term, no bounds.
struct LassoColumn {
  ConstMatrixRef H;  ///< n x n, symmetric, positive semidefinite
  Vector linear = {};
  Vector penalty = {};  ///< n, not negative
  Vector lower = {};    ///< infinite entries do not bind
  Vector upper = {};
  std::optional<double> sum = {};
  Index summed = -1;  ///< coefficients in the sum; -1: all
};

struct OsqpOptions {
  double tolerance = 1e-8;  ///< of the iteration, absolute and relative; polishing then refines
  int max_iterations = 200000;
  const CancelToken* cancel = nullptr;
};

struct OsqpColumn {
  Vector coefficients = {};  ///< those below 1e-7 of the largest, or the tolerance, are zero
  int iterations = 0;
  bool solved = false;  ///< as OSQP sees it; callers certify by the optimality conditions
};

/// Bytes of osqp_column() for n unknowns beside the problem, as measured: what is given to OSQP,
/// OSQP's copy, its linear system and factor, and those of polishing; constraints are the linear
/// part.
inline double osqp_column_bytes(Index n) { return matrix_bytes(8.0, n + 75, n); }

/// Whether this build has OSQP.
bool has_osqp();

/// Without OSQP throws InvalidArgument "function: solver = osqp, but this build has no OSQP; use
/// alternative".
void require_osqp(const std::string& function, const std::string& alternative);

/// Solves by OSQP [Ste20] in the variables (c, t), -t <= c <= t: an operator splitting that shares
/// nothing with our own solvers, polished on the constraints found active. Its steps depend on the
/// problem alone, never on the clock. About n^3/3 operations to begin with and n^2 a step: for
/// columns of a few hundred unknowns. Throws InvalidArgument without OSQP, NumericalError when OSQP
/// refuses the problem.
/// [Ste20] B. Stellato, G. Banjac, P. Goulart, A. Bemporad, S. Boyd. OSQP: an operator splitting
///         solver for quadratic programs. Mathematical Programming Computation 2020.
OsqpColumn osqp_column(const LassoColumn& problem, const OsqpOptions& options = {});

}  // namespace subspace
