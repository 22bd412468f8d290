// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

#include "self_expression/elastic_net_column.h"

namespace subspace {

/// What is asked of every point j,
///     min_c  tau |c|_1 + (1 - tau)/2 |c|_2^2 + gamma_j/2 |x_j - A c|_2^2,   c_j = 0,
/// over atoms A of which the points are the first, and when it counts as solved.
struct PointRule {
  double tau = 0.9;
  /// gamma_j = gamma tau / max_{i != j} |a_i'x_j|, a multiple of the smallest weight with a
  /// nonzero solution.
  double gamma = 50.0;
  int max_rounds = 100;
  double tolerance = 1e-6;
  /// Where above zero, gamma_j of all points alike, in place of `gamma`.
  double common_weight = 0.0;
  /// Where above zero, the coefficients of the points sum to one. The inner products given then
  /// are those of points with a further coordinate sqrt(sum_weight), see ElasticNetPoint.
  double sum_weight = 0.0;
};

/// One point's way from the empty support to the optimum over all other atoms. Its caller
/// supplies, round by round, the correlations q_i = a_i'(x_j - A c) with all atoms, in whatever
/// way is cheapest:
///     start(q at c = 0);  while (choose_candidates(q)) { enter_chosen(...); solve(); q = ...; }
/// The optimum is reached when no atom outside the candidates violates |q_i| <= tau / gamma_j: the
/// oracle region of [You16] holds no further one.
///
/// With the constraint 1'c = 1 the points have a further coordinate r = sqrt(rho), rho the
/// sum_weight, and the target's is r t. Then q_i = x_i'(x_j - X c) + rho (t - 1'c): for the t at
/// which 1'c = 1, rho (t - 1) is the multiplier of the constraint. 1'c grows with t, piecewise
/// linearly. With rho = max |x_i|^2 its slope is between 1/2 and 1 as soon as a point is in the
/// support, since rho / slope - rho is the squared distance of the origin to the affine hull of
/// the support; so Newton's method finds t in a few steps, to rounding. shift() = rho (t - 1) is
/// what the caller adds to the inner products of the target with all points.
/// [You16] C. You, C.-G. Li, D. Robinson, R. Vidal. Oracle based active set algorithm for scalable
///         elastic net subspace clustering. CVPR 2016.
class ElasticNetPoint {
 public:
  /// `cancel` makes solve() throw Cancelled.
  void start(int point, const PointRule& rule, const double* correlations, Index num_atoms,
             const CancelToken* cancel = nullptr) {
    start(point, rule, correlations, num_atoms, num_atoms, cancel);
  }
  /// The same where only the first `num_points` atoms are points, whose coefficients are summed.
  void start(int point, const PointRule& rule, const double* correlations, Index num_atoms,
             Index num_points, const CancelToken* cancel);
  int point() const { return point_; }
  double shift() const { return shift_; }

  /// Goes on with another weight, that of a rule alike in all else, from the present support: its
  /// candidates are solved, the correlations must be given anew.
  void move_to(const PointRule& rule);

  /// Chooses these atoms as candidates, the point itself left out; false when that leaves none.
  bool seed(const std::vector<int>& atoms);

  /// Picks the strongest violators among the atoms that are no candidates yet; false when none is
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

  /// The largest violation of the optimality conditions (and of 1'c = 1) and what it means for the
  /// rule's tolerance. Overwrites `correlations` on the support and the point itself.
  SolveInfo certify(double* correlations) const;

 private:
  double inverse_weight() const;
  void read_support();
  void keep_strongest(const double* correlations, Index count);
  void meet_sum();
  double violation(double* correlations) const;

  PointRule rule_ = {};
  int point_ = 0;
  int rounds_ = 0;
  Index num_points_ = 0;
  double largest_ = 0.0;  // max_{i != j} |a_i'x_j|
  double alpha_ = 0.0;    // 1 / gamma_j
  double shift_ = 0.0;
  ElasticNetColumn column_;
  std::vector<char> is_candidate_;
  std::vector<int> chosen_;
  std::vector<int> support_;
  std::vector<double> coefficients_;
};

}  // namespace subspace
