// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/kernels.h"

namespace subspace {
namespace {

// New candidates of a round: as many as the support has, within these bounds.
constexpr Index kFewestCandidates = 16;
constexpr Index kMostCandidates = 256;
// A correlation this far above its bound, relative to it, is a violation worth another round.
constexpr double kViolation = 1e-9;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Zero times a finite number is zero, times NaN or infinity it is NaN.
bool all_finite(const double* x, Index n) {
  return (Eigen::Map<const Vector>(x, n).array() * 0.0).sum() == 0.0;
}

}  // namespace

void ElasticNetPoint::start(int point, const ElasticNetOptions& options, const double* correlations,
                            Index num_points, const CancelToken* cancel) {
  options_ = options;
  point_ = point;
  rounds_ = 0;
  is_candidate_.assign(at(num_points), 0);
  is_candidate_[at(point)] = 1;
  support_.clear();
  coefficients_.clear();
  const double largest =
      std::max(linalg::max_abs(correlations, point),
               linalg::max_abs(correlations + point + 1, num_points - point - 1));
  alpha_ = largest / (options.tau * options.gamma);
  column_.start(options.tau * alpha_, (1.0 - options.tau) * alpha_, cancel);
}

bool ElasticNetPoint::choose_candidates(const double* correlations) {
  if (rounds_ == options_.max_rounds) return false;
  const double bound = options_.tau * alpha_ * (1.0 + kViolation);
  chosen_.clear();
  for (std::size_t i = 0; i < is_candidate_.size(); ++i) {
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
  support_.clear();
  coefficients_.clear();
  for (Index k = 0; k < column_.support_size(); ++k) {
    support_.push_back(column_.support_point(k));
    coefficients_.push_back(column_.support_value(k));
  }
}

SolveInfo ElasticNetPoint::certify(double* correlations) const {
  SolveInfo info;
  info.iterations = column_.steps();
  info.residual = 0.0;
  if (!all_finite(correlations, static_cast<Index>(is_candidate_.size()))) {
    info.residual = std::numeric_limits<double>::quiet_NaN();  // a maximum would pass over it
  } else if (alpha_ > 0.0) {
    const double tau = options_.tau;
    for (std::size_t k = 0; k < support_.size(); ++k) {
      double& q = correlations[support_[k]];
      const double c = coefficients_[k];
      const double violation = std::fabs(q / alpha_ - std::copysign(tau, c) - (1.0 - tau) * c);
      if (!(violation <= info.residual)) info.residual = violation;  // NaN is no small violation
      q = 0.0;
    }
    correlations[point_] = 0.0;
    const double outside = linalg::max_abs(correlations, static_cast<Index>(is_candidate_.size()));
    info.residual = std::max(info.residual, outside / alpha_ - tau);
  }
  if (info.residual <= options_.tolerance) {
    info.termination = Termination::kConverged;
  } else {
    info.termination =
        rounds_ == options_.max_rounds ? Termination::kIterationLimit : Termination::kStalled;
  }
  return info;
}

}  // namespace subspace
