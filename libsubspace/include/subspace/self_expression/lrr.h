// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

enum class LrrSchedule {
  kBalanced,   ///< penalties that settle; ends when the duality gap proves the answer
  kPublished,  ///< one penalty, 1e-6 growing by 1.1 to 1e10; ends when the constraints hold to 1e-8
};

/// Low-rank representation (LRR): the lowest rank C that explains all points but for some,
///     min_C  |C|_* + lambda |X - X C|_{2,1}
/// (nuclear norm; sum of the lengths of columns). The diagonal of C is free.
struct LrrOptions {
  /// Weight of the error, in the units of 1/|x|. >= 0; 0 stands for 1 / (sqrt(N) |X|_2), the rule
  /// of the released code. C = 0 is optimal there, so only the published schedule, which stops
  /// short of the optimum, makes use of it.
  double lambda = 0.18;
  /// C = V V' of the singular value decomposition of X: the limit of large lambda, without noise.
  bool noise_free = false;
  LrrSchedule schedule = LrrSchedule::kBalanced;
  double tolerance = 1e-6;  ///< relative duality gap that counts as solved; balanced schedule
  int max_iterations = 1000;
};
SUBSPACE_API Parameters describe(LrrOptions& options);

/// Stopping errors that count as solved: of the published schedule, and of the closed form V V'.
inline constexpr double kLrrConstraintTolerance = 1e-8;
inline constexpr double kLrrFitTolerance = 1e-9;

/// Alternating directions on X = X J + E, Z = J in the coordinates of the singular vectors of X,
/// where every step but the thresholding of singular values is diagonal.
/// One SolveInfo. Its residual is the relative duality gap, (P - Q) / P with P the objective at C
/// and Q = <Y, X> at the multiplier Y, scaled to |X'Y|_2 <= 1 and |y_j| <= lambda: the objective is
/// within that of the minimum. P is computed from X and C. The balanced schedule is converged where
/// the gap is within the tolerance, and stalled where the iteration believed so and the gap of its
/// answer is not. Where lambda is so small that C = 0 is optimal the gap is 0.
/// With a stopping error, for the gap decides nothing then: the published schedule, the largest
/// length of a column of X - X Z - E and Z - J (kLrrConstraintTolerance); and where lambda is so
/// large that V V' is optimal, the largest entry of X - X C over that of X (kLrrFitTolerance), of
/// which lambda makes a gap as large as it is. Noise-free that entry is the residual.
/// Throws ResourceError when the N x N coefficients and the iterates do not fit.
SUBSPACE_API DenseSelfExpression lrr(const ConstMatrixRef& X, const LrrOptions& options = {},
                                     const Context& context = {});

}  // namespace subspace
