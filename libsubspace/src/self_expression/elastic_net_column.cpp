// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/kernels.h"

namespace subspace {
namespace {

// A gradient this close to its bound, relative to l1, is on it.
constexpr double kBoundTolerance = 1e-9;
// A pivot below this share of its diagonal is rounding: the column depends on the active ones.
constexpr double kDependenceThreshold = 1e-11;

}  // namespace

void ElasticNetColumn::start(double l1, double l2, const CancelToken* cancel) {
  cancel_ = cancel;
  l1_ = l1;
  l2_ = l2;
  steps_ = 0;
  first_new_ = 0;
  points_.clear();
  b_.clear();
  c_.clear();
  gradient_.clear();
  is_active_.clear();
  is_banned_.clear();
  active_.clear();
  sign_.clear();
  factor_.clear();
}

void ElasticNetColumn::reserve(Index candidates) {
  if (candidates <= capacity_) return;
  const Index capacity = std::max<Index>(64, candidates + candidates / 4);
  std::vector<double> larger(at(capacity * capacity));
  const Index present = static_cast<Index>(points_.size());
  for (Index i = 0; i < present; ++i)
    std::copy_n(gram_column(i), present, larger.data() + i * capacity);
  gram_ = std::move(larger);
  capacity_ = capacity;
}

void ElasticNetColumn::add_candidates(const int* points, const double* targets, Index count) {
  first_new_ = static_cast<Index>(points_.size());
  reserve(first_new_ + count);
  points_.insert(points_.end(), points, points + count);
  b_.insert(b_.end(), targets, targets + count);
  const std::size_t size = points_.size();
  c_.resize(size, 0.0);
  gradient_.resize(size, 0.0);
  is_active_.resize(size, 0);
  is_banned_.resize(size, 0);
  work_.resize(size);
  reduced_.resize(size);
  target_.resize(size);
}

Eigen::Map<Matrix, 0, Eigen::OuterStride<>> ElasticNetColumn::new_gram() {
  const Index size = static_cast<Index>(points_.size());
  return {gram_column(first_new_), size, size - first_new_, Eigen::OuterStride<>(capacity_)};
}

void ElasticNetColumn::mirror_new_gram() {
  const Index size = static_cast<Index>(points_.size());
  for (Index j = first_new_; j < size; ++j) {
    for (Index i = 0; i < first_new_; ++i) gram_column(i)[j] = gram_column(j)[i];
  }
  first_new_ = size;
}

bool ElasticNetColumn::solve() {
  mirror_new_gram();
  std::fill(is_banned_.begin(), is_banned_.end(), 0);
  // Each admission lowers the objective; the limit only guards against rounding.
  const Index limit = 50 + 10 * static_cast<Index>(points_.size());
  for (Index step = 0; step < limit; ++step) {
    update_gradient();
    refine();
    find_violators();
    if (violators_.empty()) return true;
    ++steps_;
    if (admit_violators()) continue;
    const int strongest = violators_.front();
    const bool entered = !try_in_factor(strongest) && exchange(strongest);
    if (!entered) is_banned_[at(strongest)] = 1;  // rounding: it cannot lower the objective
  }
  return false;
}

void ElasticNetColumn::change_penalties(double l1, double l2) {
  mirror_new_gram();
  steps_ = 0;
  l1_ = l1;
  if (l2 != l2_) {
    l2_ = l2;
    rebuild_factor();
  }
  if (active_.empty()) return;
  compute_target();
  descend();
}

/// Of H_PP + l2 I with the present l2. A candidate that was independent by the grace of a larger l2
/// leaves the pattern.
void ElasticNetColumn::rebuild_factor() {
  const std::vector<int> before = std::move(active_);
  const std::vector<double> signs = std::move(sign_);
  active_.clear();
  sign_.clear();
  factor_.clear();
  for (std::size_t k = 0; k < before.size(); ++k) {
    const int candidate = before[k];
    is_active_[at(candidate)] = 0;
    if (try_in_factor(candidate)) {
      activate(candidate, signs[k]);
    } else {
      c_[at(candidate)] = 0.0;
    }
  }
}

void ElasticNetColumn::shift_targets(double amount, Index num_shifted) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i] < num_shifted) b_[i] += amount;
  }
  if (active_.empty()) return;
  compute_target();
  descend();
}

double ElasticNetColumn::coefficient_sum(Index num_shifted) const {
  double sum = 0.0;
  for (const int candidate : active_) {
    if (points_[at(candidate)] < num_shifted) sum += c_[at(candidate)];
  }
  return sum;
}

/// u' (H_PP + l2 I)^-1 u, u marking those below num_shifted.
double ElasticNetColumn::sum_slope(Index num_shifted) {
  const auto marked = [&](std::size_t k) { return points_[at(active_[k])] < num_shifted; };
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = marked(k) ? 1.0 : 0.0;
  if (!active_.empty()) solve_pattern(work_);
  double slope = 0.0;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (marked(k)) slope += work_[k];
  }
  return slope;
}

double ElasticNetColumn::shift_to_entry(Index num_shifted) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i] < num_shifted) largest = std::max(largest, gradient_[i]);
  }
  return l1_ - largest;
}

void ElasticNetColumn::update_gradient() {
  const Index size = static_cast<Index>(points_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = c_[at(active_[k])];
  std::copy(b_.begin(), b_.end(), gradient_.begin());
  linalg::subtract_columns(gram_.data(), capacity_, active_.data(), work_.data(), support_size(),
                           gradient_.data(), size);
  for (const int candidate : active_) gradient_[at(candidate)] -= l2_ * c_[at(candidate)];
}

/// One step of iterative refinement when the factor has drifted: on the support the gradient is l1
/// sign.
void ElasticNetColumn::refine() {
  double largest = 0.0;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    work_[k] = gradient_[at(active_[k])] - l1_ * sign_[k];
    largest = std::max(largest, std::fabs(work_[k]));
  }
  if (largest <= kBoundTolerance * l1_) return;
  solve_pattern(work_);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if ((c_[at(active_[k])] + work_[k]) * sign_[k] <= 0.0) return;
  }
  for (std::size_t k = 0; k < active_.size(); ++k) c_[at(active_[k])] += work_[k];
  update_gradient();
}

void ElasticNetColumn::find_violators() {
  violators_.clear();
  const double bound = l1_ * (1.0 + kBoundTolerance);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!is_active_[i] && !is_banned_[i] && std::fabs(gradient_[i]) > bound) {
      violators_.push_back(static_cast<int>(i));
    }
  }
  // Strongest first; the lower index among equals, so that of two duplicates the first enters.
  std::sort(violators_.begin(), violators_.end(), [this](int left, int right) {
    const double a = std::fabs(gradient_[at(left)]);
    const double b = std::fabs(gradient_[at(right)]);
    return a != b ? a > b : points_[at(left)] < points_[at(right)];
  });
}

bool ElasticNetColumn::try_in_factor(Index candidate) {
  stop_if_cancelled();
  const double* column = gram_column(candidate);
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = column[active_[k]];
  return factor_.try_row(work_.data(), column[candidate] + l2_, kDependenceThreshold);
}

void ElasticNetColumn::activate(Index candidate, double sign) {
  factor_.append_tried();
  active_.push_back(static_cast<int>(candidate));
  sign_.push_back(sign);
  is_active_[at(candidate)] = 1;
}

/// Admits violators, strongest first, that do not depend on the active ones and would move in the
/// direction of their sign given those admitted before; false when there is none.
bool ElasticNetColumn::admit_violators() {
  const Index num_old = support_size();
  reduce_rhs();
  for (const int candidate : violators_) {
    if (!try_in_factor(candidate)) continue;
    const double sign = gradient_[at(candidate)] > 0.0 ? 1.0 : -1.0;
    const double reduced = factor_.reduce(reduced_.data(), b_[at(candidate)] - l1_ * sign);
    if (reduced * sign <= 0.0) continue;
    reduced_[at(support_size())] = reduced;
    activate(candidate, sign);
  }
  if (support_size() == num_old) return false;
  factor_.solve_backward(reduced_.data(), target_.data());
  send_back_newcomers(num_old);
  descend();
  return true;
}

/// x = (H_PP + l2 I)^-1 x
void ElasticNetColumn::solve_pattern(std::vector<double>& x) {
  factor_.solve_forward(x.data(), target_.data());
  factor_.solve_backward(target_.data(), x.data());
}

void ElasticNetColumn::reduce_rhs() {
  stop_if_cancelled();
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = b_[at(active_[k])] - l1_ * sign_[k];
  factor_.solve_forward(work_.data(), reduced_.data());
}

/// target = (H_PP + l2 I)^-1 (b_P - l1 sign_P), the minimiser if no sign changed.
void ElasticNetColumn::compute_target() {
  reduce_rhs();
  factor_.solve_backward(reduced_.data(), target_.data());
}

/// Newcomers start at zero: those the minimiser pushes against their sign cannot take part in the
/// step. At least one can, because the step to the minimiser is a direction of descent.
void ElasticNetColumn::send_back_newcomers(Index num_old) {
  while (true) {
    const Index before = support_size();
    for (Index k = before - 1; k >= num_old; --k) {
      if (target_[at(k)] * sign_[at(k)] <= 0.0) deactivate(k);
    }
    if (support_size() == before) return;
    compute_target();
  }
}

void ElasticNetColumn::deactivate(Index position) {
  stop_if_cancelled();
  const std::size_t candidate = at(active_[at(position)]);
  c_[candidate] = 0.0;
  is_active_[candidate] = 0;
  active_.erase(active_.begin() + position);
  sign_.erase(sign_.begin() + position);
  factor_.remove(position);
}

/// Moves to the minimiser of the pattern, or to where the first coefficient vanishes, which then
/// leaves the pattern; until the minimiser is reached.
void ElasticNetColumn::descend() {
  while (true) {
    double step = 1.0;
    Index leaving = -1;
    for (Index k = 0; k < support_size(); ++k) {
      const double from = c_[at(active_[at(k)])];
      const double to = target_[at(k)];
      if (to * sign_[at(k)] > 0.0) continue;
      // At or beyond zero already (two coefficients that vanish together): leaves at once.
      const double crossing = from * sign_[at(k)] > 0.0 ? from / (from - to) : 0.0;
      if (leaving < 0 || crossing < step) {
        step = crossing;
        leaving = k;
      }
    }
    for (std::size_t k = 0; k < active_.size(); ++k) {
      double& coefficient = c_[at(active_[k])];
      coefficient = leaving < 0 ? target_[k] : coefficient + step * (target_[k] - coefficient);
    }
    if (leaving < 0) return;
    deactivate(leaving);
    if (active_.empty()) return;
    compute_target();
  }
}

/// The candidate equals sum_k a_k (active k), so the fit does not change along (+s, -s a); the l1
/// norm falls until an active coefficient vanishes, and the candidate takes its place.
bool ElasticNetColumn::exchange(Index candidate) {
  if (active_.empty()) return false;
  const double sign = gradient_[at(candidate)] > 0.0 ? 1.0 : -1.0;
  const double* column = gram_column(candidate);
  for (std::size_t k = 0; k < active_.size(); ++k) work_[k] = column[active_[k]];
  solve_pattern(work_);
  double step = 0.0;
  Index leaving = -1;
  for (Index k = 0; k < support_size(); ++k) {
    const double direction = -sign * work_[at(k)];
    if (direction * sign_[at(k)] >= 0.0) continue;
    const double crossing = -c_[at(active_[at(k)])] / direction;
    if (leaving < 0 || crossing < step) {
      step = crossing;
      leaving = k;
    }
  }
  if (leaving < 0) return false;
  for (std::size_t k = 0; k < active_.size(); ++k) c_[at(active_[k])] -= step * sign * work_[k];
  deactivate(leaving);
  const bool enters = try_in_factor(candidate);
  if (enters) {
    activate(candidate, sign);
    c_[at(candidate)] = step * sign;
  }
  compute_target();
  descend();
  return enters;
}

}  // namespace subspace
