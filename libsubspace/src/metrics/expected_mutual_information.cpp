// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>

#include "metrics/sparse_contingency.h"

namespace subspace {
namespace {

// Extended precision: log N! of 70 000 points is 7e5, and its rounding error in double would stand
// in the tenth digit of every probability.
using Real = Nats;

Real log_factorial(std::int64_t n) { return std::lgamma(static_cast<Real>(n) + 1); }

/// Sizes that occur among the clusters, with their number: equal sizes give equal terms.
std::map<std::int64_t, std::int64_t> count_sizes(const std::vector<std::int64_t>& sizes) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t size : sizes) ++counts[size];
  return counts;
}

/// A cluster of a points meets one of b among n: the overlap m is hypergeometric,
///     P(m) = a! b! (n-a)! (n-b)! / (n! m! (a-m)! (b-m)! (n-a-b+m)!).
class Overlap {
 public:
  Overlap(std::int64_t a, std::int64_t b, std::int64_t n) : a_(a), b_(b), n_(n) {}

  /// Sum over m >= 1 of P(m) m/n log(n m / (a b)). Outwards from the mode by ratios of neighbouring
  /// probabilities, until what is left cannot be seen any more.
  Real expected_term() const {
    const std::int64_t lowest = std::max<std::int64_t>(0, a_ + b_ - n_);
    const std::int64_t highest = std::min(a_, b_);
    const auto top = static_cast<std::int64_t>(
        static_cast<Real>(a_ + 1) * static_cast<Real>(b_ + 1) / static_cast<Real>(n_ + 2));
    const std::int64_t mode = std::clamp(top, lowest, highest);
    const Real peak = probability(mode);
    Real sum = peak * gain(mode);
    Real p = peak;
    for (std::int64_t m = mode; m < highest && p > kNegligible * peak; ++m) {
      p *= ratio_to_next(m);
      sum += p * gain(m + 1);
    }
    p = peak;
    for (std::int64_t m = mode; m > lowest && p > kNegligible * peak; --m) {
      p /= ratio_to_next(m - 1);
      sum += p * gain(m - 1);
    }
    return sum;
  }

 private:
  static constexpr Real kNegligible = 1e-30L;

  Real probability(std::int64_t m) const {
    return std::exp(log_factorial(a_) + log_factorial(b_) + log_factorial(n_ - a_) +
                    log_factorial(n_ - b_) - log_factorial(n_) - log_factorial(m) -
                    log_factorial(a_ - m) - log_factorial(b_ - m) -
                    log_factorial(n_ - a_ - b_ + m));
  }

  /// P(m + 1) / P(m).
  Real ratio_to_next(std::int64_t m) const {
    return static_cast<Real>(a_ - m) / static_cast<Real>(m + 1) * static_cast<Real>(b_ - m) /
           static_cast<Real>(n_ - a_ - b_ + m + 1);
  }

  Real gain(std::int64_t m) const {
    if (m == 0) return 0;
    const Real n = static_cast<Real>(n_);
    const Real overlap = static_cast<Real>(m);
    return overlap / n * std::log(n / static_cast<Real>(a_) * overlap / static_cast<Real>(b_));
  }

  std::int64_t a_, b_, n_;
};

}  // namespace

Nats expected_mutual_information(const SparseContingency& table) {
  if (table.num_rows() == 1 || table.num_columns() == 1) return 0;
  const auto row_sizes = count_sizes(table.row_sums);
  const auto column_sizes = count_sizes(table.column_sums);
  Real sum = 0;
  for (const auto& [a, rows] : row_sizes) {
    for (const auto& [b, columns] : column_sizes) {
      sum += static_cast<Real>(rows) * static_cast<Real>(columns) *
             Overlap(a, b, table.total).expected_term();
    }
  }
  return sum;
}

}  // namespace subspace
