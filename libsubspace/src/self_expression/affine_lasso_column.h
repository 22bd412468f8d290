// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/progress.h>
#include <subspace/core/types.h>

#include "linalg/growing_factor.h"

namespace subspace {

/// The exact solution of one small problem
///     min_c  1/2 c'Hc + sum_j p_j |c_j|,   1'c = 1,    H positive semidefinite, p >= 0.
/// An active-set method on sign patterns: it starts at the cheapest single coefficient, admits the
/// strongest violator of |nu - (Hc)_j| <= p_j with the sign of its gradient, and moves to the
/// minimiser of the pattern, dropping each coefficient that vanishes on the way. The objective
/// falls at every step, so no pattern returns. Since 1'c = 1, H may be replaced by K = H + 11',
/// which is singular on a pattern only where a direction changes neither fit nor sum; a candidate
/// that depends on the active ones enters by an exchange along that direction. An object is reused
/// from problem to problem.
class AffineLassoColumn {
 public:
  /// False when rounding stopped it short; the caller's check of the optimality conditions then
  /// shows by how much. Throws Cancelled when `cancel` asks for it.
  bool solve(const ConstMatrixRef& H, const Vector& penalties, const CancelToken* cancel = nullptr);

  Index support_size() const { return static_cast<Index>(active_.size()); }
  int support_index(Index k) const { return active_[at(k)]; }
  double support_value(Index k) const { return value_[at(k)]; }
  int steps() const { return steps_; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  void start(Index size);
  void update_residual();
  void refine();
  Index strongest_violator() const;
  bool admit(Index candidate);
  bool exchange(Index candidate);
  bool try_in_factor(Index candidate);
  void activate(Index candidate, double sign, double value);
  void deactivate(Index position);
  void solve_pattern(std::vector<double>& x);
  void compute_target();
  void descend();

  const double* gram_ = nullptr;
  Index stride_ = 0;
  const double* penalty_ = nullptr;
  const CancelToken* cancel_ = nullptr;
  int steps_ = 0;
  double multiplier_ = 0.0;  // nu of K: one more than that of H
  std::vector<char> is_active_;
  std::vector<char> is_banned_;   // depends on the active ones beyond what rounding can resolve
  std::vector<int> active_;       // in the order of the factor
  std::vector<double> sign_;      // of the active ones
  std::vector<double> value_;     // coefficients of the active ones
  std::vector<double> target_;    // minimiser of the present pattern
  std::vector<double> ones_;      // K^-1 1 on the pattern
  std::vector<double> residual_;  // nu - K c, of all
  std::vector<double> work_;
  std::vector<double> forward_;
  linalg::GrowingFactor factor_;
};

}  // namespace subspace
