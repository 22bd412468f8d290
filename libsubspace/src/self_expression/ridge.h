// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/context.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

/// Ridge regression of all points on all points, which LSR and EDSC share:
///     min_C  |X - X C|_F^2 + lambda |C|_F^2.
namespace subspace {

/// The problem at unit scale: X 2^-e and lambda 2^-2e have the same solution, and no inner product
/// overflows or underflows.
struct RidgeProblem {
  Matrix points = {};
  double lambda = 0.0;
};
RidgeProblem at_unit_scale(Matrix X, double lambda);

/// A penalty so large that the solution is zero in doubles.
inline bool drowns_points(double lambda) { return lambda > 1e280; }

/// The factor of A + shift I. A is positive semidefinite but for its rounding, so a shift below
/// that is raised until the factor exists. Throws NumericalError where none does, as of an A that
/// is not finite.
Matrix factor_shifted(const Matrix& A, double& shift, const Context& context);

enum class RidgeKind {
  kFree,         ///< the diagonal is free
  kWithoutSelf,  ///< diag(C) = 0
  kAffine,       ///< columns sum to one; `points` are centred
};

/// Adds the same to all entries of a column.
void make_columns_sum_to_one(Matrix& C);

/// Turns H = (X'X + lambda I)^-1 into the solution without self, c_ij = -h_ij / h_jj off the
/// diagonal [Lu12, eq. 12].
/// [Lu12] C.-Y. Lu et al. Robust and efficient subspace segmentation via least squares regression.
///        ECCV 2012.
void without_self_from_inverse(Matrix& H);
/// The same from the solution F with a free diagonal, lambda H = I - F: c_ij = f_ij / (1 - f_jj).
void without_self_from_free(Matrix& F);

Matrix solve_ridge(const RidgeProblem& problem, RidgeKind kind, const Context& context);

/// The largest entry of the gradient X'(X - X C) - lambda C over the largest |x_j|^2, from X and C
/// alone. Without self, the diagonal has a multiplier and does not count, and |c_jj| does; affine
/// columns have one multiplier each, so that only the centred gradient and |1'c_j - 1| count, the
/// former over |x_j|^2 + lambda |c_ij|, whose rounding it has.
double ridge_violation(const RidgeProblem& problem, const Matrix& C, RidgeKind kind,
                       const Context& context);

/// What a violation means for a solve that is exact but for rounding.
SolveInfo certify_exact(double violation);

/// The tiles of the certificate, in all threads.
double ridge_tile_bytes(Index dimension, Index num_points, const Context& context);
/// Data, C, a factor and what it is made of, and the certificate's tiles.
double ridge_bytes(Index dimension, Index num_points, const Context& context);
void check_ridge_memory(const std::string& function, const ConstMatrixRef& X,
                        const Context& context);

}  // namespace subspace
