// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/progress.h>
#include <subspace/core/types.h>

#include "self_expression/elastic_net_point.h"

namespace subspace {

/// Unit points, those of them that are exemplars, and the inner products of both.
struct ExemplarSet {
  Matrix directions = {};           ///< D x N, unit columns; zero columns stay zero
  std::vector<int> exemplars = {};  ///< in the order of choice
  Matrix products = {};             ///< row i: exemplar i with all points; rows behind are unused

  Index size() const { return static_cast<Index>(exemplars.size()); }
};

/// The lasso  min_c |c|_1 + lambda/2 |x - E c|^2  of one point after another, by the active-set
/// solver of the elastic net: the exemplars are the dictionary, and the point stands behind them as
/// the one that must not represent itself. An object belongs to a thread.
class ExemplarLasso {
 public:
  /// Returns f(x_j, E). Throws Cancelled.
  double solve(const ExemplarSet& set, Index point, double lambda, const CancelToken* cancel);

  /// Of the last point, by position among the exemplars.
  const std::vector<int>& support() const { return support_; }
  const std::vector<double>& coefficients() const { return coefficients_; }
  int iterations() const { return iterations_; }

  /// An exemplar needs no search: c = 1 - 1/lambda at itself meets the optimality conditions, for
  /// lambda (x - E c) is the point itself.
  void set_exemplar(int position, double lambda);

 private:
  void correlate(const ExemplarSet& set, Index point);
  void enter_chosen(const ExemplarSet& set, Index point);
  double cost(const ExemplarSet& set, Index point, double lambda) const;

  ElasticNetPoint solver_;
  std::vector<double> correlations_;  // e_i'(x - E c), and 0 behind them for the point itself
  std::vector<double> targets_;
  std::vector<int> columns_;  // the support as points
  std::vector<int> support_;
  std::vector<double> coefficients_;
  int iterations_ = 0;
};

}  // namespace subspace
