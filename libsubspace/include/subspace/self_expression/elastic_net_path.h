// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

/// The elastic nets of elastic_net() along gamma. Gamma is a multiple of each point's own smallest
/// weight with a nonzero solution, so that the paths of all points begin at 1; or, with
/// `common_weight`, of the smallest for which no point has a zero solution.
struct ElasticNetPathOptions {
  double tau = 0.9;  ///< as in ElasticNetOptions
  /// All points have the weight gamma tau / m with the m of ssc(). With tau = 1 that is its path,
  /// and gamma its alpha.
  bool common_weight = false;
  std::vector<Index> points = {};  ///< whose paths are asked for; empty: all
  /// Strictly ascending or descending, all above 0. Empty: `num_gammas` in geometric progression
  /// from 1 + 1e-6, where the first coefficient has just left zero, to `last_gamma`.
  std::vector<double> gammas = {};
  int num_gammas = 50;        ///< at least 2
  double last_gamma = 500.0;  ///< above 1.001
  int max_rounds = 100;       ///< outer rounds per point and gamma
  double tolerance = 1e-6;    ///< largest violation of the optimality conditions that is solved
};
SUBSPACE_API Parameters describe(ElasticNetPathOptions& options);

class SUBSPACE_API ElasticNetPath {
 public:
  const std::vector<double>& gammas() const { return gammas_; }
  /// The points whose paths these are, in the order of the columns below.
  const std::vector<Index>& points() const { return points_; }

  /// At gammas()[step]: coefficients N x points, and a certificate for each as in elastic_net().
  const SelfExpression& step(Index step) const;
  /// Nonzero coefficients of points()[column] at gammas()[step].
  Index support_size(Index step, Index column) const;
  /// |x_j - X c| / |x_j| of it; 0 of a zero point.
  double fit_error(Index step, Index column) const;

  /// The same at any gamma > 0: solved from the support of the step nearest to it, with its own
  /// certificates.
  SelfExpression at(double gamma, const Context& context = {}) const;

 private:
  friend SUBSPACE_API ElasticNetPath elastic_net_path(const ConstMatrixRef& X,
                                                      const ElasticNetPathOptions& options,
                                                      const Context& context);
  ElasticNetPath() = default;
  Index nearest_step(double gamma) const;

  ElasticNetPathOptions options_ = {};
  Matrix X_ = {};              // at unit scale
  double common_scale_ = 0.0;  // m where the weight is common
  std::vector<double> gammas_ = {};
  std::vector<Index> points_ = {};
  std::vector<SelfExpression> steps_ = {};
  Matrix fit_errors_ = {};  // steps x points
};

/// Each solution starts from the one before it. The Gram matrix is stored where it pays and takes
/// at most a quarter of the memory allowed. A common weight looks at the products of all points,
/// whichever are asked for. Throws InvalidArgument for an index that is no point,
/// ResourceError where points, workspaces and coefficients, counted with 50 a point and gamma, do
/// not fit.
SUBSPACE_API ElasticNetPath elastic_net_path(const ConstMatrixRef& X,
                                             const ElasticNetPathOptions& options = {},
                                             const Context& context = {});

}  // namespace subspace
