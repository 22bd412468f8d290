// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "heat_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace subspace::pipelines {
namespace {

/// Number of points of each label.
std::vector<Index> cluster_sizes(const Labels& labels, int num_clusters) {
  std::vector<Index> sizes(static_cast<std::size_t>(num_clusters), 0);
  for (const int label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

/// Where each point stands when all are sorted by label, their order kept within one.
std::vector<Index> positions_by_label(const Labels& labels, const std::vector<Index>& sizes) {
  std::vector<Index> next(sizes.size(), 0);
  std::partial_sum(sizes.begin(), sizes.end() - 1, next.begin() + 1);
  std::vector<Index> positions;
  positions.reserve(labels.size());
  for (const int label : labels) positions.push_back(next[static_cast<std::size_t>(label)]++);
  return positions;
}

/// Between clusters that have points, as shares of all points.
std::vector<double> cluster_bounds(const std::vector<Index>& sizes, Index num_points) {
  std::vector<double> bounds;
  Index begin = 0;
  for (const Index size : sizes) {
    if (size > 0 && begin > 0) {
      bounds.push_back(static_cast<double>(begin) / static_cast<double>(num_points));
    }
    begin += size;
  }
  return bounds;
}

/// The means of W over side x side blocks of positions, without its diagonal.
Matrix block_means(const SparseMatrix& affinity, const std::vector<Index>& positions, Index side) {
  const Index n = affinity.cols();
  const auto block_of = [&](Index point) {
    return positions[static_cast<std::size_t>(point)] * side / n;
  };
  Vector points_in = Vector::Zero(side);
  for (Index point = 0; point < n; ++point) points_in[block_of(point)] += 1.0;
  Matrix sums = Matrix::Zero(side, side);
  for (Index column = 0; column < n; ++column) {
    for (SparseMatrix::InnerIterator entry(affinity, column); entry; ++entry) {
      if (entry.row() != column) sums(block_of(entry.row()), block_of(column)) += entry.value();
    }
  }
  return sums.cwiseQuotient(points_in * points_in.transpose());
}

/// The 98th percentile of the means that are not zero; 0 when all are.
double robust_maximum(const Matrix& means) {
  std::vector<double> strengths;
  std::ranges::copy_if(means.reshaped(), std::back_inserter(strengths),
                       [](double mean) { return mean > 0.0; });
  if (strengths.empty()) return 0.0;
  const auto at =
      strengths.begin() + static_cast<Index>(0.98 * static_cast<double>(strengths.size() - 1));
  std::nth_element(strengths.begin(), at, strengths.end());
  return *at;
}

}  // namespace

HeatMap make_heat_map(const SparseMatrix& affinity, const Labels& labels, int num_clusters,
                      int most) {
  const Index n = affinity.cols();
  if (n == 0) return {};
  const std::vector<Index> sizes = cluster_sizes(labels, num_clusters);
  HeatMap map;
  map.side = static_cast<int>(std::min<Index>(n, most));
  map.bounds = cluster_bounds(sizes, n);
  const Matrix means = block_means(affinity, positions_by_label(labels, sizes), map.side);
  const double strongest = robust_maximum(means);
  map.levels.reserve(static_cast<std::size_t>(means.size()));
  for (Index row = 0; row < map.side; ++row) {
    for (Index column = 0; column < map.side; ++column) {
      const double share = strongest > 0.0 ? std::min(1.0, means(row, column) / strongest) : 0.0;
      map.levels.push_back(static_cast<std::uint8_t>(std::lround(255.0 * std::sqrt(share))));
    }
  }
  return map;
}

}  // namespace subspace::pipelines
