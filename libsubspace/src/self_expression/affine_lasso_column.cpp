// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/affine_lasso_column.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace subspace {
namespace {

// A gradient this close to its bound is on it: relative to the penalty, and to what it is made of.
constexpr double kBoundTolerance = 1e-9;
constexpr double kRounding = 1e-13;
// A pivot below this share of its diagonal is rounding: the column depends on the active ones.
constexpr double kDependenceThreshold = 1e-11;

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

}  // namespace

bool AffineLassoColumn::solve(const ConstMatrixRef& H, const Vector& penalties,
                              const CancelToken* cancel) {
  gram_ = H.data();
  stride_ = H.outerStride();
  penalty_ = penalties.data();
  cancel_ = cancel;
  start(H.cols());
  // Each admission lowers the objective; the limit only guards against rounding.
  const Index limit = 50 + 10 * H.cols();
  for (Index step = 0; step < limit; ++step) {
    update_residual();
    refine();
    const Index candidate = strongest_violator();
    if (candidate < 0) return true;
    ++steps_;
    if (cancel_ != nullptr) cancel_->throw_if_requested();
    const bool entered = try_in_factor(candidate) ? admit(candidate) : exchange(candidate);
    if (!entered) is_banned_[at(candidate)] = 1;  // rounding: it cannot lower the objective
  }
  return false;
}

/// The cheapest coefficient alone, which 1'c = 1 makes 1.
void AffineLassoColumn::start(Index size) {
  steps_ = 0;
  is_active_.assign(at(size), 0);
  is_banned_.assign(at(size), 0);
  residual_.assign(at(size), 0.0);
  active_.clear();
  sign_.clear();
  value_.clear();
  factor_.clear();
  const Index cheapest = std::min_element(penalty_, penalty_ + size) - penalty_;
  try_in_factor(cheapest);
  activate(cheapest, 1.0, 1.0);
  compute_target();
}

void AffineLassoColumn::update_residual() {
  const double constant = multiplier_ - sum(value_);
  std::fill(residual_.begin(), residual_.end(), constant);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const double* column = gram_ + active_[k] * stride_;
    for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] -= column[i] * value_[k];
  }
}

/// One step of iterative refinement when the factor has drifted: with r the error of the conditions
/// on the support and e that of the sum, K d = r + m 1 and 1'd = e.
void AffineLassoColumn::refine() {
  double largest = 0.0;
  work_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const double penalty = penalty_[active_[k]];
    work_[k] = residual_[at(active_[k])] - penalty * sign_[k];
    largest = std::max(largest, std::fabs(work_[k]) - kBoundTolerance * penalty);
  }
  const double missing = 1.0 - sum(value_);
  if (largest <= kRounding && std::fabs(missing) <= kRounding) return;
  solve_pattern(work_);
  const double shift = (missing - sum(work_)) / sum(ones_);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    work_[k] += shift * ones_[k];
    if ((value_[k] + work_[k]) * sign_[k] <= 0.0) return;
  }
  for (std::size_t k = 0; k < active_.size(); ++k) value_[k] += work_[k];
  multiplier_ += shift;
  update_residual();
}

/// The lower index among equals, so that of two equal columns the first enters; -1: none violates.
Index AffineLassoColumn::strongest_violator() const {
  const double rounding = kRounding * (1.0 + std::fabs(multiplier_));
  Index strongest = -1;
  double largest = 0.0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    if (is_active_[i] || is_banned_[i]) continue;
    const double excess =
        std::fabs(residual_[i]) - penalty_[i] * (1.0 + kBoundTolerance) - rounding;
    if (excess <= largest) continue;
    largest = excess;
    strongest = static_cast<Index>(i);
  }
  return strongest;
}

bool AffineLassoColumn::try_in_factor(Index candidate) {
  const double* column = gram_ + candidate * stride_;
  work_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = column[active_[k]] + 1.0;
  return factor_.try_row(work_.data(), column[candidate] + 1.0, kDependenceThreshold);
}

void AffineLassoColumn::activate(Index candidate, double sign, double value) {
  factor_.append_tried();
  active_.push_back(static_cast<int>(candidate));
  sign_.push_back(sign);
  value_.push_back(value);
  is_active_[at(candidate)] = 1;
}

void AffineLassoColumn::deactivate(Index position) {
  is_active_[at(active_[at(position)])] = 0;
  active_.erase(active_.begin() + position);
  sign_.erase(sign_.begin() + position);
  value_.erase(value_.begin() + position);
  factor_.remove(position);
}

/// Takes in the row tried last; false when the minimiser pushes it to the wrong side, which only
/// rounding can do: the step to the minimiser is a direction of descent, and it alone descends.
bool AffineLassoColumn::admit(Index candidate) {
  const double sign = residual_[at(candidate)] > 0.0 ? 1.0 : -1.0;
  activate(candidate, sign, 0.0);
  compute_target();
  const bool moves = target_.back() * sign > 0.0;
  if (!moves) {
    deactivate(support_size() - 1);
    compute_target();
  }
  descend();
  return moves;
}

/// x = K_PP^-1 x
void AffineLassoColumn::solve_pattern(std::vector<double>& x) {
  forward_.resize(x.size());
  factor_.solve_forward(x.data(), forward_.data());
  factor_.solve_backward(forward_.data(), x.data());
}

/// target = nu K^-1 1 - K^-1 (p sign) with the nu that makes its sum 1.
void AffineLassoColumn::compute_target() {
  ones_.assign(active_.size(), 1.0);
  solve_pattern(ones_);
  target_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) target_[k] = penalty_[active_[k]] * sign_[k];
  solve_pattern(target_);
  multiplier_ = (1.0 + sum(target_)) / sum(ones_);
  for (std::size_t k = 0; k < active_.size(); ++k) target_[k] = multiplier_ * ones_[k] - target_[k];
}

/// Moves to the minimiser of the pattern, or to where the first coefficient vanishes, which then
/// leaves the pattern; until the minimiser is reached. One coefficient alone has minimiser 1.
void AffineLassoColumn::descend() {
  while (true) {
    double step = 1.0;
    Index leaving = -1;
    for (Index k = 0; k < support_size() && support_size() > 1; ++k) {
      const double from = value_[at(k)] * sign_[at(k)];
      const double to = target_[at(k)] * sign_[at(k)];
      if (to > 0.0) continue;
      // At zero already (two coefficients that vanish together): leaves at once.
      const double crossing = from > 0.0 ? from / (from - to) : 0.0;
      if (leaving < 0 || crossing < step) {
        step = crossing;
        leaving = k;
      }
    }
    if (leaving < 0) {
      value_ = target_;
      return;
    }
    for (std::size_t k = 0; k < active_.size(); ++k) value_[k] += step * (target_[k] - value_[k]);
    deactivate(leaving);
    compute_target();
  }
}

/// The candidate equals sum_k a_k (active k), so neither fit nor sum change along (+s, -s a); the
/// penalty falls until an active coefficient vanishes, and the candidate takes its place.
bool AffineLassoColumn::exchange(Index candidate) {
  const double sign = residual_[at(candidate)] > 0.0 ? 1.0 : -1.0;
  solve_pattern(work_);  // the row of K that try_in_factor() left there
  double step = 0.0;
  Index leaving = -1;
  for (Index k = 0; k < support_size(); ++k) {
    const double direction = -sign * work_[at(k)];
    if (direction * sign_[at(k)] >= 0.0) continue;
    const double crossing = -value_[at(k)] / direction;
    if (leaving < 0 || crossing < step) {
      step = crossing;
      leaving = k;
    }
  }
  if (leaving < 0) return false;
  for (std::size_t k = 0; k < active_.size(); ++k) value_[k] -= step * sign * work_[k];
  deactivate(leaving);
  const bool enters = try_in_factor(candidate);
  if (enters) activate(candidate, sign, step * sign);
  compute_target();
  descend();
  return enters;
}

}  // namespace subspace
