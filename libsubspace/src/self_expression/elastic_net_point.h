// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/solve_info.h>
#include <subspace/self_expression/elastic_net.h>

#include "self_expression/elastic_net_column.h"

namespace subspace {

/// One point's way from the empty support to the optimum over all other points. Its caller
/// supplies, round by round, the correlations q_i = x_i'(x_j - X c) with all N points, in whatever
/// way is cheapest:
///     start(q at c = 0);  while (choose_candidates(q)) { enter_chosen(...); solve(); q = ...; }
/// The optimum is reached when no point outside the candidates violates |q_i| <= tau / gamma_j: the
/// oracle region of [You16] holds no further point.
/// [You16] C. You, C.-G. Li, D. Robinson, R. Vidal. Oracle based active set algorithm for scalable
///         elastic net subspace clustering. CVPR 2016.
class ElasticNetPoint {
 public:
  /// `cancel` makes solve() throw Cancelled.
  void start(int point, const ElasticNetOptions& options, const double* correlations,
             Index num_points, const CancelToken* cancel = nullptr);
  int point() const { return point_; }

  /// Picks the strongest violators among the points that are no candidates yet; false when none is
  /// left or the rounds are used up.
  bool choose_candidates(const double* correlations);
  const std::vector<int>& chosen() const { return chosen_; }

  /// Enters the chosen candidates with their inner products `targets` with the point (one each).
  /// Returns the block of the Gram matrix the caller must fill: all candidates() x chosen().
  Eigen::Map<Matrix, 0, Eigen::OuterStride<>> enter_chosen(const double* targets);
  const std::vector<int>& candidates() const { return column_.candidates(); }

  void solve();

  const std::vector<int>& support() const { return support_; }
  const std::vector<double>& coefficients() const { return coefficients_; }

  /// The largest violation of the optimality conditions and what it means for the options'
  /// tolerance. Overwrites `correlations` on the support and the point itself.
  SolveInfo certify(double* correlations) const;

 private:
  void keep_strongest(const double* correlations, Index count);

  ElasticNetOptions options_ = {};
  int point_ = 0;
  int rounds_ = 0;
  double alpha_ = 0.0;  // 1 / gamma_j
  ElasticNetColumn column_;
  std::vector<char> is_candidate_;
  std::vector<int> chosen_;
  std::vector<int> support_;
  std::vector<double> coefficients_;
};

}  // namespace subspace
