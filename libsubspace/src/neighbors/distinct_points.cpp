// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "neighbors/distinct_points.h"

#include <algorithm>
#include <numeric>

namespace subspace {

DistinctPoints distinct_points(const ConstMatrixRef& X) {
  const auto n = static_cast<std::size_t>(X.cols());
  const auto begin = [&X](Index j) { return X.col(j).data(); };
  const auto end = [&X](Index j) { return X.col(j).data() + X.rows(); };
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(begin(a), end(a), begin(b), end(b));
  });
  // Equal columns now stand together, the first of them in front.
  std::vector<Index> first_of(n);
  for (std::size_t m = 0; m < n; ++m) {
    const bool repeats = m > 0 && std::equal(begin(order[m]), end(order[m]), begin(order[m - 1]));
    first_of[static_cast<std::size_t>(order[m])] =
        repeats ? first_of[static_cast<std::size_t>(order[m - 1])] : order[m];
  }
  DistinctPoints distinct;
  distinct.of.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto first = static_cast<std::size_t>(first_of[j]);
    if (first == j) {
      distinct.of[j] = distinct.count();
      distinct.firsts.push_back(static_cast<Index>(j));
    } else {
      distinct.of[j] = distinct.of[first];
    }
  }
  return distinct;
}

}  // namespace subspace
