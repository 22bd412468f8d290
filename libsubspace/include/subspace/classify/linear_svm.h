// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

/// Linear support vector classifier, one class against the rest. With y_j = 1 for the points of the
/// class and -1 for all others, and z_j = (x_j, bias),
///     min_w  P(w) = 1/2 |w|^2 + C sum_j max(0, 1 - y_j w'z_j)^2,
/// which is liblinear's L2-regularised L2-loss SVC [Fan08]. Solved by Newton's method with exact
/// line search [Kee05], which ends at the minimiser after finitely many steps: nothing is drawn at
/// random. Certificate: alpha_j = 2 C max(0, 1 - y_j w'z_j) is feasible for the dual problem, and
/// P(w) - D(alpha) = 1/2 |grad P(w)|^2. Cost of a step: O(D^2) a support vector and O(D^3), where D
/// is the smaller of the numbers of features and samples.
/// [Fan08] R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang, C.-J. Lin. LIBLINEAR: a library for
///         large linear classification. JMLR 9, 2008.
/// [Kee05] S. Keerthi, D. DeCoste. A modified finite Newton method for fast solution of large scale
///         linear SVMs. JMLR 6, 2005.
struct LinearSvmOptions {
  double penalty = 1.0;      ///< C, weight of the loss; > 0
  double bias = 1.0;         ///< appended feature, penalised as the others are; 0: no intercept
  double tolerance = 1e-12;  ///< largest duality gap over P(w)
  int max_iterations = 200;  ///< Newton steps of one class
  /// Chooses C among penalty * 10^g, |g| <= grid, by cross-validation: the highest share of
  /// held-out points that are right, the smallest C among equals. 0: C = penalty.
  int folds = 0;
  int grid = 3;
};
SUBSPACE_API Parameters describe(LinearSvmOptions& options);

struct LinearSvm {
  Labels classes = {};  ///< distinct labels, increasing; K
  /// K x (D + 1): row k is w of class k, its last entry times bias, so that the score of x is
  /// weights * (x, 1).
  Matrix weights = {};
  double penalty = std::numeric_limits<double>::quiet_NaN();  ///< the C of these weights
  std::vector<SolveInfo> solves = {};  ///< one a class; residual: duality gap over P(w)
  Vector candidates = {};              ///< the C that cross-validation tried, increasing
  Vector validation = {};              ///< share of held-out points that were right, for each

  SUBSPACE_API bool converged() const;  ///< every class met the tolerance
};

/// Labels are any integers. The two problems of two classes mirror each other and one is solved; a
/// single class is legal, all points then are of it. `seed` deals the points to the folds, each
/// class evenly. Throws NumericalError for points so large that their squares overflow.
SUBSPACE_API LinearSvm fit_linear_svm(const ConstMatrixRef& X, const Labels& labels,
                                      const LinearSvmOptions& options = {}, std::uint64_t seed = 0,
                                      const Context& context = {});

/// K x N, the higher the more of the class.
SUBSPACE_API Matrix scores(const LinearSvm& model, const ConstMatrixRef& X,
                           const Context& context = {});
/// The class with the highest score, the lower label among equals.
SUBSPACE_API Labels predict(const LinearSvm& model, const ConstMatrixRef& X,
                            const Context& context = {});

}  // namespace subspace
