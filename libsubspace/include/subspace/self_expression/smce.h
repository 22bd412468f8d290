// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

enum class SmceSolver {
  kActiveSet,  ///< exact, finite: sign patterns and a growing factor
  kOsqp,       ///< a quadratic program for OSQP: slow, independent of the other; not in every build
};

/// Sparse manifold clustering and embedding [Elh11]. The neighbours of x_i, at distances v_j in the
/// unit directions u_j = (x_j - x_i)/v_j, compete to put x_i into their affine hull, near ones at a
/// lower price:
///     min_c  1/2 |U c|^2 + lambda sum_j q_j |c_j|,   1'c = 1,   q_j = v_j / sum_m v_m.
/// On a manifold of dimension d about d + 1 of them win, and most of the weight stays on it even
/// where another manifold passes closer.
/// [Elh11] E. Elhamifar, R. Vidal. Sparse manifold clustering and embedding. NIPS 2011.
struct SmceOptions {
  double lambda = 10.0;  ///< price of distance against fit, > 0; large: the nearest point alone
  /// Neighbourhood, the point itself counted as published (KMax): 50 means 49 others. More than
  /// there are mean all of them.
  int neighbors = 50;
  SmceSolver solver = SmceSolver::kActiveSet;
  double tolerance =
      1e-6;  ///< largest violation of the optimality conditions that counts as solved
};
SUBSPACE_API Parameters describe(SmceOptions& options);

/// The weights that become the affinity, and what they were made from.
struct SmceSolution {
  SelfExpression weights = {};     ///< as smce() returns them
  SparseMatrix coefficients = {};  ///< column i: the minimiser c of point i; columns sum to 1
};

/// Column i holds the weights of [Elh11], w_j = (|c_j|/v_j) / sum_m (|c_m|/v_m): non-negative, with
/// sum 1. The residual of a solve is its largest violation of the optimality conditions,
/// recomputed from the points, over max(1, lambda): with g = U'U c and the multiplier nu that
/// serves best,
///     |nu - g_j - lambda q_j sign(c_j)|       where c_j != 0,
///     max(0, |nu - g_j| - lambda q_j)         where c_j = 0,
/// and |1'c - 1|.
///
/// Equal points are one point, for a direction to a copy does not exist: the problem is solved once
/// on the distinct points, all copies get its column, and the first copy alone is used by others.
/// One distinct point has no neighbours and an empty column. Throws InvalidArgument for
/// solver = osqp in a build without OSQP.
SUBSPACE_API SelfExpression smce(const ConstMatrixRef& X, const SmceOptions& options = {},
                                 const Context& context = {});
SUBSPACE_API SmceSolution solve_smce(const ConstMatrixRef& X, const SmceOptions& options = {},
                                     const Context& context = {});

}  // namespace subspace
