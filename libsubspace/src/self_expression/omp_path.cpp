// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/omp_path.h"

#include <algorithm>
#include <cmath>

#include "linalg/kernels.h"

namespace subspace {
namespace {

// A squared residual this small beside |x_j|^2 is rounding of the subtractions that led to it.
constexpr double kSmallestResidual = 1e-14;
// A correlation this small beside |x_i| |x_j| is rounding of the inner product.
constexpr double kSmallestCorrelation = 1e-13;
// Correlations this near to one another, relative to them, are equal: of duplicates, whose inner
// products may be summed in different orders, the first is taken.
constexpr double kTie = 1e-12;
// A squared pivot below this share of its diagonal is rounding: the point depends on the support.
constexpr double kDependenceThreshold = 1e-11;
// So many points are passed over. The first of them bounds what any other could contribute, since
// correlations only fall from there: |x_i'r| <= sqrt(kDependenceThreshold) |x_i| |r|.
constexpr std::size_t kMostDependent = 100;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

void OmpPath::start(int point, const Vector& squared_lengths, const OmpOptions& options,
                    Index most) {
  squared_lengths_ = &squared_lengths;
  point_ = point;
  most_ = most;
  squared_residual_ = squared_lengths[point];
  squared_tolerance_ = std::max(options.tolerance, kSmallestResidual) * squared_residual_;
  support_.clear();
  dependent_.clear();
  factor_.clear();
  reduced_.clear();
  coefficients_.clear();
}

bool OmpPath::is_finished() const {
  return size() == most_ || !(squared_residual_ > squared_tolerance_) ||
         dependent_.size() == kMostDependent;
}

bool OmpPath::choose(double* correlations) {
  if (is_finished()) return false;
  correlations[point_] = 0.0;
  for (const int i : support_) correlations[i] = 0.0;
  for (const int i : dependent_) correlations[i] = 0.0;
  const double largest = linalg::max_abs(correlations, squared_lengths_->size());
  if (!(largest > 0.0)) return false;
  chosen_ = 0;
  while (std::fabs(correlations[chosen_]) < (1.0 - kTie) * largest) ++chosen_;
  const double lengths =
      std::sqrt((*squared_lengths_)[chosen_]) * std::sqrt((*squared_lengths_)[point_]);
  row_.resize(support_.size());
  return std::fabs(correlations[chosen_]) > kSmallestCorrelation * lengths;
}

bool OmpPath::enter(double squared_pivot, double correlation) {
  const double squared_length = (*squared_lengths_)[chosen_];
  if (!(squared_length > 0.0 && squared_pivot > kDependenceThreshold * squared_length)) {
    dependent_.push_back(chosen_);
    return false;
  }
  const double pivot = std::sqrt(squared_pivot);
  support_.push_back(chosen_);
  factor_.insert(factor_.end(), row_.begin(), row_.end());
  factor_.push_back(pivot);
  reduced_.push_back(correlation / pivot);
  squared_residual_ -= reduced_.back() * reduced_.back();
  return true;
}

/// x = L^-T x
void OmpPath::solve_backward(std::vector<double>& x) const {
  for (Index k = size() - 1; k >= 0; --k) {
    x[at(k)] /= entry(k, k);
    for (Index l = 0; l < k; ++l) x[at(l)] -= entry(k, l) * x[at(k)];
  }
}

void OmpPath::solve() {
  coefficients_ = reduced_;
  solve_backward(coefficients_);
}

void OmpPath::refine(std::vector<double>& t) {
  for (Index k = 0; k < size(); ++k) {
    for (Index l = 0; l < k; ++l) t[at(k)] -= entry(k, l) * t[at(l)];
    t[at(k)] /= entry(k, k);
  }
  solve_backward(t);
  for (std::size_t k = 0; k < t.size(); ++k) coefficients_[k] += t[k];
}

}  // namespace subspace
