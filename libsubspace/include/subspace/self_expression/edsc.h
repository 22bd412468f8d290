// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <memory>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

class RidgePath;

/// Efficient dense subspace clustering (EDSC), in closed form:
///     min_C  1/2 |C|_F^2 + lambda/2 |X - X C|_F^2      (affine: 1'C = 1').
/// With `outliers` the clean points D and sparse gross errors E are found along with C:
///     min_{C,D,E}  1/2 |C|_F^2 + fit_weight/2 |X - D - E|_F^2 + outlier_weight |E|_1,   D = D C.
/// The diagonal of C is free.
struct EdscOptions {
  double lambda = 100.0;         ///< fit weight, in the units of 1/|x|^2; unused with outliers. > 0
  bool affine = false;           ///< subspaces need not pass through the origin
  bool outliers = false;         ///< not together with `affine`
  double fit_weight = 0.06;      ///< lambda_1. > 0
  double outlier_weight = 0.01;  ///< lambda_2. > 0
  /// Of the penalty, a round of the outlier model. 3 is published and fast; 1.02 is what it takes
  /// to end at a stationary point. 1 < growth <= 10
  double growth = 3.0;
  int max_iterations = 1000;  ///< of the outlier model
};
SUBSPACE_API Parameters describe(EdscOptions& options);

/// The stopping error of the outlier model that counts as solved.
inline constexpr double kEdscConstraintTolerance = 1e-8;
/// The residual of the outlier model up to which its answer is a stationary point for all purposes.
inline constexpr double kEdscStationary = 1e-6;

/// Closed form: one SolveInfo, the largest entry of the gradient X'(X - X C) - C / lambda over the
/// largest |x_j|^2, recomputed from X and C (affine: less the multiplier of its column, over
/// |x_j|^2 + |c_ij| / lambda, and |1'c_j - 1|); solved means <= kNormalEquationsTolerance, see
/// lsr(). A lambda too large for doubles is treated as there. Outliers: an augmented Lagrangian
/// method whose penalty grows from 1e-6 to 1e10, on X scaled by a power of two to largest entry in
/// [1/2, 1). It is solved when its stopping error, the largest entry of |D - D C|, is <=
/// kEdscConstraintTolerance. The problem is not convex, and fast growth ends near a stationary
/// point, not at one: the residual is the largest violation of D = D C, C = D'Y and fit_weight (X -
/// D - E) = Y (I - C)' at the multiplier Y, recomputed from the answer; it tells how near. Throws
/// InvalidArgument for affine with outliers and ResourceError when the N x N matrices do not fit.
SUBSPACE_API DenseSelfExpression edsc(const ConstMatrixRef& X, const EdscOptions& options = {},
                                      const Context& context = {});

/// C for every lambda from one eigendecomposition of the smaller side of X.
class SUBSPACE_API EdscPath {
 public:
  /// What edsc() returns for this lambda: one product for C, and two for its certificate. Throws
  /// InvalidArgument unless lambda > 0.
  DenseSelfExpression at(double lambda, const Context& context = {}) const;

 private:
  friend SUBSPACE_API EdscPath edsc_path(const ConstMatrixRef& X, const EdscOptions& options,
                                         const Context& context);
  EdscPath() = default;

  std::shared_ptr<const RidgePath> path_ = {};
};

/// options.lambda is not used. Throws InvalidArgument with outliers, whose model has no path.
SUBSPACE_API EdscPath edsc_path(const ConstMatrixRef& X, const EdscOptions& options = {},
                                const Context& context = {});

}  // namespace subspace
