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

enum class LsrVariant {
  kLsr1,  ///< no point represents itself: diag(C) = 0
  kLsr2,  ///< the diagonal is free
};

/// Least squares regression (LSR): all coefficients at once by ridge regression,
///     min_C  |X - X C|_F^2 + lambda |C|_F^2      (LSR1: diag(C) = 0).
struct LsrOptions {
  /// Weight of the penalty, in the units of |x|^2. lambda > 0.
  double lambda = 0.01;
  LsrVariant variant = LsrVariant::kLsr1;
};
SUBSPACE_API Parameters describe(LsrOptions& options);

/// The residual of the normal equations that counts as solved, here and in edsc(): above the
/// rounding of a few thousand terms, far below what moves an affinity.
inline constexpr double kNormalEquationsTolerance = 1e-9;

/// Exact, by one Cholesky factor of the smaller of the N x N and D x D sides. A lambda below the
/// rounding of X'X is raised to it: C is then the limit lambda -> 0 as far as doubles can tell it.
/// One SolveInfo for all columns: the largest entry of the gradient X'(X - X C) - lambda C (LSR1:
/// off the diagonal), recomputed from X and C, over the largest |x_j|^2; solved means
/// <= kNormalEquationsTolerance. Throws ResourceError when the N x N matrices do not fit.
SUBSPACE_API DenseSelfExpression lsr(const ConstMatrixRef& X, const LsrOptions& options = {},
                                     const Context& context = {});

/// C for every lambda from one eigendecomposition of the smaller side of X.
class SUBSPACE_API LsrPath {
 public:
  /// What lsr() returns for this lambda: one product for C, and two for its certificate. Of LSR1,
  /// a lambda at which the certificate fails is solved by itself, see lsr(). Throws InvalidArgument
  /// unless lambda > 0.
  DenseSelfExpression at(double lambda, const Context& context = {}) const;

 private:
  friend SUBSPACE_API LsrPath lsr_path(const ConstMatrixRef& X, const LsrOptions& options,
                                       const Context& context);
  LsrPath() = default;

  std::shared_ptr<const RidgePath> path_ = {};
};

/// options.lambda is not used.
SUBSPACE_API LsrPath lsr_path(const ConstMatrixRef& X, const LsrOptions& options = {},
                              const Context& context = {});

}  // namespace subspace
