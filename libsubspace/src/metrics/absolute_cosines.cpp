// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/metrics/feature_geometry.h>
#include <subspace/preprocess/normalize.h>

#include "labels/groups.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

constexpr Index kTile = 256;

/// A random choice of `count` of the items (the first steps of a Fisher-Yates shuffle), in order.
std::vector<Index> choose(std::vector<Index> items, std::size_t count, RandomStream& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(items[i], items[i + random.below(items.size() - i)]);
  }
  items.resize(count);
  std::sort(items.begin(), items.end());
  return items;
}

/// Leaves each cluster its share of `wanted` points, but two at least.
void thin_out(Groups& groups, Index num_points, int wanted, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kCosines);
  const double share = static_cast<double>(wanted) / static_cast<double>(num_points);
  for (auto& members : groups.members) {
    const auto proportional =
        static_cast<std::size_t>(std::lround(share * static_cast<double>(members.size())));
    members =
        choose(members, std::min(members.size(), std::max<std::size_t>(2, proportional)), random);
  }
}

/// Sums of |cos| over pairs of points, by the clusters of the two. The points are sorted by
/// cluster, so that a tile holds few clusters and a block of a product is summed by rectangles.
class PairSums {
 public:
  PairSums(const ConstMatrixRef& X, const Groups& groups, const Context& context)
      : context_(context), starts_(1, 0) {
    std::vector<Index> order;
    for (const auto& members : groups.members) {
      order.insert(order.end(), members.begin(), members.end());
      starts_.push_back(static_cast<Index>(order.size()));
    }
    points_ = gather(X, order);
    normalize_columns(points_);
  }

  /// K x K, upper triangle: pairs are counted once.
  Matrix run() const {
    const Index num_tiles = (points_.cols() + kTile - 1) / kTile;
    std::vector<Matrix> partial(static_cast<std::size_t>(num_tiles));
    for_tiles(
        context_, num_tiles, 1,
        [&](const Tile& tile) { partial[tile.begin] = row_of_tiles(tile.begin * kTile); },
        "cosines");
    Matrix sums = Matrix::Zero(num_clusters(), num_clusters());
    for (Index t = 0; t < num_tiles; ++t) {
      sums.middleRows(cluster_of(t * kTile), partial[t].rows()) += partial[t];
    }
    return sums;
  }

 private:
  Index num_clusters() const { return static_cast<Index>(starts_.size()) - 1; }
  Index cluster_of(Index point) const {
    return std::upper_bound(starts_.begin(), starts_.end(), point) - starts_.begin() - 1;
  }

  /// The pairs of the points from `row` on with themselves and all later ones: a row of the table
  /// for each cluster in the tile.
  Matrix row_of_tiles(Index row) const {
    const Index row_end = std::min(points_.cols(), row + kTile);
    const Index first = cluster_of(row);
    Matrix sums = Matrix::Zero(cluster_of(row_end - 1) - first + 1, num_clusters());
    for (Index column = row; column < points_.cols(); column += kTile) {
      context_.throw_if_cancelled();
      Matrix block = products(row, row_end, column, std::min(points_.cols(), column + kTile));
      if (column == row) block.triangularView<Eigen::Lower>().setZero();
      add_rectangles(block, row, column, first, sums);
    }
    return sums;
  }

  Matrix products(Index row, Index row_end, Index column, Index column_end) const {
    Matrix block(row_end - row, column_end - column);
    linalg::gemm({.transpose_a = true,
                  .m = block.rows(),
                  .n = block.cols(),
                  .k = points_.rows(),
                  .a = points_.col(row).data(),
                  .lda = points_.rows(),
                  .b = points_.col(column).data(),
                  .ldb = points_.rows(),
                  .c = block.data(),
                  .ldc = block.rows()});
    return block.cwiseAbs();
  }

  void add_rectangles(const Matrix& block, Index row, Index column, Index first,
                      Matrix& sums) const {
    for (Index r = row; r < row + block.rows();) {
      const Index a = cluster_of(r);
      const Index r_end = std::min(row + block.rows(), starts_[a + 1]);
      for (Index c = column; c < column + block.cols();) {
        const Index b = cluster_of(c);
        const Index c_end = std::min(column + block.cols(), starts_[b + 1]);
        sums(a - first, b) += block.block(r - row, c - column, r_end - r, c_end - c).sum();
        c = c_end;
      }
      r = r_end;
    }
  }

  const Context& context_;
  std::vector<Index> starts_;  ///< first point of each cluster, then the number of points
  Matrix points_;
};

double num_pairs(double a, double b, bool same) { return same ? a * (a - 1.0) / 2.0 : a * b; }

/// Sums to means, by the sizes of the clusters they were taken over.
Matrix to_means(const Matrix& sums, const Groups& groups) {
  Matrix means(sums.rows(), sums.cols());
  for (Index b = 0; b < sums.cols(); ++b) {
    for (Index a = 0; a <= b; ++a) {
      const double pairs = num_pairs(static_cast<double>(groups.members[a].size()),
                                     static_cast<double>(groups.members[b].size()), a == b);
      // 0/0 of a single point is the NaN that the table promises.
      means(a, b) = means(b, a) = sums(a, b) / pairs;
    }
  }
  return means;
}

/// `sizes` are those of the whole clusters: a choice of points estimates their means, not weights.
void summarise(const Vector& sizes, CosineTable& table) {
  double within = 0.0;
  double between = 0.0;
  double pairs = 0.0;
  Index counted = 0;
  for (Index b = 0; b < sizes.size(); ++b) {
    if (sizes[b] > 1.0) {
      within += table.means(b, b);
      ++counted;
    }
    for (Index a = 0; a < b; ++a) {
      between += sizes[a] * sizes[b] * table.means(a, b);
      pairs += sizes[a] * sizes[b];
    }
  }
  if (counted > 0) table.within = within / static_cast<double>(counted);
  if (pairs > 0.0) table.between = between / pairs;
}

}  // namespace

Parameters describe(CosineOptions& options) {
  return {
      parameter("max_points", options.max_points,
                "all pairs of up to so many points; of more, a random choice")
          .at_least(2),
  };
}

CosineTable absolute_cosines(const ConstMatrixRef& X, const Labels& labels,
                             const CosineOptions& options, std::uint64_t seed,
                             const Context& context) {
  CosineOptions checked = options;
  check(describe(checked), "absolute_cosines");
  require_labelled(X, labels, "absolute_cosines");
  Groups groups = group_by_label(labels);
  const Index k = groups.size();
  // Points, the table and its sums; the rows of it that tiles hold are its own and one more each.
  check_memory(
      "absolute_cosines",
      matrix_bytes(1.0, X.rows(), X.cols()) + matrix_bytes(1.0, 3 * k + X.cols() / kTile + 1, k),
      allowed_memory(context), "give fewer points or clusters");
  Vector sizes(k);
  for (Index c = 0; c < k; ++c) sizes[c] = static_cast<double>(groups.members[c].size());
  CosineTable table;
  table.clusters = groups.names;
  table.exact = X.cols() <= options.max_points;
  if (!table.exact) thin_out(groups, X.cols(), options.max_points, seed);
  table.means = to_means(PairSums(X, groups, context).run(), groups);
  summarise(sizes, table);
  return table;
}

}  // namespace subspace
