// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/exemplar_lasso.h"

#include <algorithm>
#include <cmath>

#include "linalg/kernels.h"

namespace subspace {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

/// q = E'x - E'E c; E'E has the columns of `products` at the exemplars.
void ExemplarLasso::correlate(const ExemplarSet& set, Index point) {
  columns_.clear();
  for (const int i : support_) columns_.push_back(set.exemplars[at(i)]);
  std::copy_n(set.products.col(point).data(), set.size(), correlations_.data());
  linalg::subtract_columns(set.products.data(), set.products.rows(), columns_.data(),
                           coefficients_.data(), static_cast<Index>(columns_.size()),
                           correlations_.data(), set.size());
}

void ExemplarLasso::enter_chosen(const ExemplarSet& set, Index point) {
  const std::vector<int>& chosen = solver_.chosen();
  targets_.resize(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) targets_[k] = set.products(chosen[k], point);
  auto gram = solver_.enter_chosen(targets_.data());
  const std::vector<int>& candidates = solver_.candidates();
  for (Index k = 0; k < gram.cols(); ++k) {
    const double* column = set.products.col(set.exemplars[at(chosen[at(k)])]).data();
    for (Index i = 0; i < gram.rows(); ++i) gram(i, k) = column[candidates[at(i)]];
  }
}

/// |x - E c|^2 = x'x - c'E'x - c'q for any c.
double ExemplarLasso::cost(const ExemplarSet& set, Index point, double lambda) const {
  double squared_residual = 1.0;
  double sum = 0.0;
  for (std::size_t k = 0; k < support_.size(); ++k) {
    const Index i = support_[k];
    squared_residual -= coefficients_[k] * (set.products(i, point) + correlations_[at(i)]);
    sum += std::fabs(coefficients_[k]);
  }
  return sum + 0.5 * lambda * std::max(squared_residual, 0.0);
}

double ExemplarLasso::solve(const ExemplarSet& set, Index point, double lambda,
                            const CancelToken* cancel) {
  support_.clear();
  coefficients_.clear();
  iterations_ = 0;
  correlations_.assign(at(set.size() + 1), 0.0);
  correlate(set, point);
  const double largest = linalg::max_abs(correlations_.data(), set.size());
  if (lambda * largest <= 1.0) return 0.5 * lambda;  // c = 0 is optimal
  const PointRule rule{.tau = 1.0, .common_weight = lambda};
  solver_.start(static_cast<int>(set.size()), rule, correlations_.data(), set.size() + 1, cancel);
  while (solver_.choose_candidates(correlations_.data())) {
    enter_chosen(set, point);
    solver_.solve();
    ++iterations_;
    support_ = solver_.support();
    coefficients_ = solver_.coefficients();
    correlate(set, point);
  }
  return cost(set, point, lambda);
}

void ExemplarLasso::set_exemplar(int position, double lambda) {
  support_.assign(1, position);
  coefficients_.assign(1, 1.0 - 1.0 / lambda);
  iterations_ = 0;
}

}  // namespace subspace
