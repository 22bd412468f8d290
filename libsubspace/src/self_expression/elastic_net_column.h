// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/progress.h>
#include <subspace/core/types.h>

#include "linalg/growing_factor.h"

namespace subspace {

/// The exact elastic net of one point on a growing set of candidates,
///     min_c  1/2 c'Hc - b'c + l1 |c|_1 + l2/2 |c|^2,    H = Gram of the candidates, b = H's
///     target.
/// An active-set method on sign patterns: candidates that violate |b - Hc - l2 c| <= l1 are
/// admitted in bulk with the sign of their gradient, the equality-constrained minimiser of the
/// pattern is found from a factor that grows and shrinks with it. A violator that no longer
/// violates once the stronger ones are in is left out, newcomers the minimiser still pushes to the
/// wrong side are sent back, and the step stops where the first older coefficient would change
/// sign. The objective falls at every step, so no pattern returns. With l2 = 0 a candidate may
/// depend linearly on the active ones; it then enters by an exchange along the null direction. An
/// object is reused from point to point and allocates only when a problem is larger than all
/// before.
class ElasticNetColumn {
 public:
  /// Forgets the previous point. `cancel` is asked whenever solve() works on the factor, which then
  /// throws Cancelled: a point whose support is large takes seconds.
  void start(double l1, double l2, const CancelToken* cancel = nullptr);

  /// Adds candidates `points`, whose inner products with the target are `targets`. The caller then
  /// fills new_gram() (rows: all candidates, old and new; columns: the new ones) before solve().
  void add_candidates(const int* points, const double* targets, Index count);
  Eigen::Map<Matrix, 0, Eigen::OuterStride<>> new_gram();

  /// Solves on the present candidates; false when rounding stopped it short (the caller's check of
  /// the optimality conditions then shows by how much).
  bool solve();

  /// Other penalties on the same candidates: brings the coefficients to the minimiser of their
  /// pattern; solve() then finds the optimum. steps() counts anew.
  void change_penalties(double l1, double l2);

  /// Adds `amount` to the inner products of the target with the candidates below `num_shifted` and
  /// brings the coefficients to the minimiser of their pattern; solve() then finds the optimum.
  void shift_targets(double amount, Index num_shifted);
  /// At the optimum: the sum s of the coefficients below `num_shifted`, and ds/d(amount), which is
  /// zero when none of them is in the support.
  double coefficient_sum(Index num_shifted) const;
  double sum_slope(Index num_shifted);
  /// The amount by which the targets must be shifted before one of those candidates enters.
  double shift_to_entry(Index num_shifted) const;

  const std::vector<int>& candidates() const { return points_; }
  Index support_size() const { return static_cast<Index>(active_.size()); }
  int support_point(Index i) const { return points_[at(active_[at(i)])]; }
  double support_value(Index i) const { return c_[at(active_[at(i)])]; }
  int steps() const { return steps_; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  double* gram_column(Index i) { return gram_.data() + i * capacity_; }
  void stop_if_cancelled() const {
    if (cancel_ != nullptr) cancel_->throw_if_requested();
  }
  void reserve(Index candidates);
  void mirror_new_gram();
  void update_gradient();
  void refine();
  void find_violators();
  bool admit_violators();
  bool try_in_factor(Index candidate);
  void activate(Index candidate, double sign);
  void solve_pattern(std::vector<double>& x);
  void reduce_rhs();
  void compute_target();
  void rebuild_factor();
  void send_back_newcomers(Index num_old);
  void descend();
  bool exchange(Index candidate);
  void deactivate(Index position);

  const CancelToken* cancel_ = nullptr;
  double l1_ = 0.0;
  double l2_ = 0.0;
  int steps_ = 0;
  Index capacity_ = 0;
  Index first_new_ = 0;
  std::vector<int> points_;       // candidates, by their index in the data
  std::vector<double> b_;         // inner products with the target
  std::vector<double> c_;         // coefficients
  std::vector<double> gradient_;  // b - Hc - l2 c
  std::vector<double> gram_;      // H, columns capacity_ apart
  std::vector<char> is_active_;
  std::vector<char> is_banned_;  // dependent on the active ones beyond what rounding can resolve
  std::vector<int> active_;      // candidates in the order of the factor
  std::vector<double> sign_;     // of the active ones
  std::vector<double> reduced_;  // L^-1 (b_P - l1 sign_P)
  std::vector<double> target_;   // minimiser of the present pattern
  std::vector<double> work_;
  std::vector<int> violators_;
  linalg::GrowingFactor factor_;
};

}  // namespace subspace
