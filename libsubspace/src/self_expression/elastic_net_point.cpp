// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/kernels.h"
#include "linalg/largest.h"

namespace subspace {
namespace {

// New candidates of a round: as many as the support has, within these bounds.
constexpr Index kFewestCandidates = 16;
constexpr Index kMostCandidates = 256;
// A correlation this far above its bound, relative to it, is a violation worth another round.
constexpr double kViolation = 1e-9;
// Coefficients that sum to one up to this do.
constexpr double kSumTolerance = 1e-11;
constexpr int kMostSumSteps = 100;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Zero times a finite number is zero, times NaN or infinity it is NaN.
bool all_finite(const double* x, Index n) {
  return (Eigen::Map<const Vector>(x, n).array() * 0.0).sum() == 0.0;
}

}  // namespace

void ElasticNetPoint::start(int point, const PointRule& rule, const double* correlations,
                            Index num_atoms, Index num_points, const CancelToken* cancel) {
  rule_ = rule;
  point_ = point;
  num_points_ = num_points;
  rounds_ = 0;
  shift_ = 0.0;
  is_candidate_.assign(at(num_atoms), 0);
  is_candidate_[at(point)] = 1;
  support_.clear();
  coefficients_.clear();
  largest_ = rule.common_weight > 0.0
                 ? 0.0
                 : std::max(linalg::max_abs(correlations, point),
                            linalg::max_abs(correlations + point + 1, num_atoms - point - 1));
  alpha_ = inverse_weight();
  column_.start(rule.tau * alpha_, (1.0 - rule.tau) * alpha_, cancel);
}

double ElasticNetPoint::inverse_weight() const {
  if (rule_.common_weight > 0.0) return 1.0 / rule_.common_weight;
  return largest_ / (rule_.tau * rule_.gamma);
}

void ElasticNetPoint::move_to(const PointRule& rule) {
  rule_ = rule;
  rounds_ = 0;
  alpha_ = inverse_weight();
  column_.change_penalties(rule_.tau * alpha_, (1.0 - rule_.tau) * alpha_);
  column_.solve();
  read_support();
}

bool ElasticNetPoint::seed(const std::vector<int>& atoms) {
  chosen_.clear();
  for (const int atom : atoms) {
    if (is_candidate_[at(atom)]) continue;
    is_candidate_[at(atom)] = 1;
    chosen_.push_back(atom);
  }
  return !chosen_.empty();
}

bool ElasticNetPoint::choose_candidates(const double* correlations) {
  if (rounds_ == rule_.max_rounds) return false;
  // Coefficients that sum to one need a point among the candidates, violator or not.
  const bool needs_point = rule_.sum_weight > 0.0 && rounds_ == 0;
  const double bound = needs_point ? -1.0 : rule_.tau * alpha_ * (1.0 + kViolation);
  const std::size_t end = needs_point ? at(num_points_) : is_candidate_.size();
  chosen_.clear();
  for (std::size_t i = 0; i < end; ++i) {
    if (std::fabs(correlations[i]) > bound && !is_candidate_[i])
      chosen_.push_back(static_cast<int>(i));
  }
  keep_strongest(correlations, std::clamp(static_cast<Index>(support_.size()), kFewestCandidates,
                                          kMostCandidates));
  for (const int i : chosen_) is_candidate_[at(i)] = 1;
  return !chosen_.empty();
}

void ElasticNetPoint::keep_strongest(const double* correlations, Index count) {
  if (static_cast<Index>(chosen_.size()) <= count) return;
  std::nth_element(chosen_.begin(), chosen_.begin() + count, chosen_.end(),
                   [&](int left, int right) {
                     const double a = std::fabs(correlations[left]);
                     const double b = std::fabs(correlations[right]);
                     return a != b ? a > b : left < right;
                   });
  chosen_.resize(at(count));
  std::sort(chosen_.begin(), chosen_.end());
}

Eigen::Map<Matrix, 0, Eigen::OuterStride<>> ElasticNetPoint::enter_chosen(const double* targets) {
  column_.add_candidates(chosen_.data(), targets, static_cast<Index>(chosen_.size()));
  return column_.new_gram();
}

void ElasticNetPoint::solve() {
  ++rounds_;
  column_.solve();
  if (rule_.sum_weight > 0.0) meet_sum();
  read_support();
}

void ElasticNetPoint::read_support() {
  support_.clear();
  coefficients_.clear();
  for (Index k = 0; k < column_.support_size(); ++k) {
    support_.push_back(column_.support_point(k));
    coefficients_.push_back(column_.support_value(k));
  }
}

/// Newton's method for the shift at which the coefficients sum to one on the present candidates,
/// held between shifts known to give less and more.
void ElasticNetPoint::meet_sum() {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostSumSteps; ++step) {
    const double gap = 1.0 - column_.coefficient_sum(num_points_);
    if (std::fabs(gap) <= kSumTolerance) return;
    (gap > 0.0 ? low : high) = shift_;
    const double slope = column_.sum_slope(num_points_);
    double next = slope > 0.0 ? shift_ + gap / slope
                              : shift_ + std::max(column_.shift_to_entry(num_points_), 0.0) +
                                    gap * rule_.sum_weight;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (!std::isfinite(next) || next == shift_) return;  // rounding: the certificate shows the rest
    column_.shift_targets(next - shift_, num_points_);
    shift_ = next;
    column_.solve();
  }
}

double ElasticNetPoint::violation(double* correlations) const {
  const Index num_atoms = static_cast<Index>(is_candidate_.size());
  if (!all_finite(correlations, num_atoms)) {
    return std::numeric_limits<double>::quiet_NaN();  // a maximum would pass over it
  }
  double largest = 0.0;
  const auto include = [&](double value) { keep_largest(value, largest); };
  if (rule_.sum_weight > 0.0) {
    double sum = 0.0;
    for (std::size_t k = 0; k < support_.size(); ++k) {
      if (support_[k] < num_points_) sum += coefficients_[k];
    }
    include(std::fabs(sum - 1.0));
  }
  if (!(alpha_ > 0.0)) return largest;
  const double tau = rule_.tau;
  for (std::size_t k = 0; k < support_.size(); ++k) {
    double& q = correlations[support_[k]];
    const double c = coefficients_[k];
    include(std::fabs(q / alpha_ - std::copysign(tau, c) - (1.0 - tau) * c));
    q = 0.0;
  }
  correlations[point_] = 0.0;
  return std::max(largest, linalg::max_abs(correlations, num_atoms) / alpha_ - tau);
}

SolveInfo ElasticNetPoint::certify(double* correlations) const {
  SolveInfo info;
  info.iterations = column_.steps();
  info.residual = violation(correlations);
  if (info.residual <= rule_.tolerance) {
    info.termination = Termination::kConverged;
  } else {
    info.termination =
        rounds_ == rule_.max_rounds ? Termination::kIterationLimit : Termination::kStalled;
  }
  return info;
}

}  // namespace subspace
