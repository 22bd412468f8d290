// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/lloyd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <subspace/core/parallel.h>

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Lloyd {
 public:
  Lloyd(const CenteredPoints& points, Seeds seeds, const Context& context)
      : points_(points),
        context_(context),
        centers_(std::move(seeds.centers)),
        labels_(std::move(seeds.labels)),
        upper_(seeds.squared_distances.cwiseSqrt()),
        lower_(Vector::Zero(points.size())),
        changes_(static_cast<std::size_t>((points.size() + kPointsPerTile - 1) / kPointsPerTile)) {
    sum_clusters();
  }

  LloydResult run(const KMeansOptions& options) {
    SolveInfo info;
    info.termination = Termination::kIterationLimit;
    bool assigned = false;
    while (info.iterations < options.max_iterations) {
      refill_empty_clusters();
      info.residual = move_centers();
      ++info.iterations;
      assigned = false;
      if (info.residual <= options.tolerance * points_.mean_variance) {
        info.termination = Termination::kConverged;
        break;
      }
      assigned = true;
      if (!assign()) {
        info.residual = 0.0;  // the centres of unchanged clusters stay
        info.termination = Termination::kConverged;
        break;
      }
    }
    if (!assigned) assign();
    settle_empty_clusters();
    const double final_inertia = inertia();
    return {std::move(labels_), std::move(centers_.points), final_inertia, info};
  }

 private:
  struct Change {
    int point = 0;
    int old_label = 0;
  };

  int num_clusters() const { return static_cast<int>(centers_.points.cols()); }

  double squared_distance_to_own(Index point) const {
    return (points_.points.col(point) - centers_.points.col(labels_[point])).squaredNorm();
  }

  void sum_clusters() {
    sums_ = Matrix::Zero(points_.dimension(), num_clusters());
    counts_.assign(static_cast<std::size_t>(num_clusters()), 0);
    for (Index j = 0; j < points_.size(); ++j) {
      sums_.col(labels_[j]) += points_.points.col(j);
      ++counts_[labels_[j]];
    }
  }

  void relabel(Index point, int old_label, int label) {
    labels_[point] = label;
    sums_.col(old_label) -= points_.points.col(point);
    sums_.col(label) += points_.points.col(point);
    --counts_[old_label];
    ++counts_[label];
  }

  /// Moves each centre to the mean of its points and loosens the bounds by the moves. Returns the
  /// sum of the squared moves.
  double move_centers() {
    Vector moves = Vector::Zero(num_clusters());
    for (int c = 0; c < num_clusters(); ++c) {
      if (counts_[c] == 0) continue;
      const Vector mean = sums_.col(c) / static_cast<double>(counts_[c]);
      moves[c] = (mean - centers_.points.col(c)).norm();
      centers_.points.col(c) = mean;
    }
    centers_.update_norms();
    largest_center_norm_ = centers_.squared_norms.maxCoeff();
    loosen_bounds(moves);
    return moves.squaredNorm();
  }

  void loosen_bounds(const Vector& moves) {
    Index fastest = 0;
    const double largest = moves.maxCoeff(&fastest);
    double second = 0.0;
    for (Index c = 0; c < moves.size(); ++c) {
      if (c != fastest) second = std::max(second, moves[c]);
    }
    for (Index j = 0; j < points_.size(); ++j) {
      upper_[j] += moves[labels_[j]];
      lower_[j] -= labels_[j] == fastest ? second : largest;
    }
  }

  /// Half the distance of each centre to the nearest other one: points nearer than that stay.
  Vector half_gaps() const {
    Vector gaps = Vector::Constant(num_clusters(), kInfinity);
    for (int a = 0; a < num_clusters(); ++a) {
      for (int b = a + 1; b < num_clusters(); ++b) {
        const double gap = (centers_.points.col(a) - centers_.points.col(b)).squaredNorm();
        gaps[a] = std::min(gaps[a], gap);
        gaps[b] = std::min(gaps[b], gap);
      }
    }
    return 0.5 * gaps.cwiseSqrt();
  }

  /// Gives every point its nearest centre; true when a label changed.
  bool assign() {
    const Vector gaps = half_gaps();
    for_tiles(context_, points_.size(), kPointsPerTile,
              [this, &gaps](const Tile& tile) { assign_tile(tile, gaps); });
    bool changed = false;
    for (const std::vector<Change>& tile : changes_) {
      for (const Change& change : tile)
        relabel(change.point, change.old_label, labels_[change.point]);
      changed = changed || !tile.empty();
    }
    return changed;
  }

  void assign_tile(const Tile& tile, const Vector& gaps) {
    changes_[tile.index].clear();
    std::vector<int> open;
    for (Index j = tile.begin; j < tile.end; ++j) {
      if (stays(j, gaps)) continue;
      upper_[j] = std::sqrt(squared_distance_to_own(j));
      if (!stays(j, gaps)) open.push_back(static_cast<int>(j));
    }
    if (open.empty()) return;
    DistanceBlock block(points_, centers_);
    Matrix distances(num_clusters(), DistanceBlock::kCapacity);
    const Index count = static_cast<Index>(open.size());
    for (Index first = 0; first < count; first += DistanceBlock::kCapacity) {
      const Index size = std::min(DistanceBlock::kCapacity, count - first);
      block.compute(&open[first], size, distances.data());
      for (Index m = 0; m < size; ++m) {
        choose(open[first + m], distances.col(m).data(), block, changes_[tile.index]);
      }
    }
  }

  bool stays(Index j, const Vector& gaps) const {
    constexpr double kRoundingMargin = 1.0 + 1e-12;
    return upper_[j] * kRoundingMargin <= std::max(lower_[j], gaps[labels_[j]]);
  }

  /// `distances` are squared, less |x|^2.
  void choose(int point, const double* distances, const DistanceBlock& block,
              std::vector<Change>& changes) {
    int best = 0;
    double nearest = kInfinity;
    double second = kInfinity;
    for (int c = 0; c < num_clusters(); ++c) {
      if (distances[c] < nearest) {
        second = nearest;
        nearest = distances[c];
        best = c;
      } else {
        second = std::min(second, distances[c]);
      }
    }
    nearest += points_.squared_norms[point];
    second += points_.squared_norms[point];
    if (block.is_cancelled(nearest, point)) nearest = block.direct(point, best);
    // The GEMM value may err by this; the bound must not.
    const double error = static_cast<double>(points_.dimension() + 8) *
                         std::numeric_limits<double>::epsilon() *
                         (points_.squared_norms[point] + largest_center_norm_);
    upper_[point] = std::sqrt(nearest + error);
    lower_[point] = std::sqrt(std::max(0.0, second - error));
    if (best == labels_[point]) return;
    changes.push_back({point, labels_[point]});
    labels_[point] = best;
  }

  /// Empty clusters in increasing order, each with the point farthest from its centre that is not
  /// alone; stops when all points lie on their centres. `take` gives the point to the cluster.
  template <typename Take>
  void for_each_refill(const Take& take) {
    if (std::find(counts_.begin(), counts_.end(), 0) == counts_.end()) return;
    Vector distances(points_.size());
    for (Index j = 0; j < points_.size(); ++j) distances[j] = squared_distance_to_own(j);
    for (int cluster = 0; cluster < num_clusters(); ++cluster) {
      if (counts_[cluster] > 0) continue;
      Index farthest = -1;
      for (Index j = 0; j < points_.size(); ++j) {
        const bool farther = distances[j] > (farthest < 0 ? 0.0 : distances[farthest]);
        if (farther && counts_[labels_[j]] > 1) farthest = j;
      }
      if (farthest < 0) return;
      relabel(farthest, labels_[farthest], cluster);
      distances[farthest] = 0.0;
      take(farthest, cluster);
    }
  }

  void refill_empty_clusters() {
    for_each_refill([this](Index point, int /*cluster*/) {
      upper_[point] = kInfinity;
      lower_[point] = 0.0;
    });
  }

  /// After the last assignment: the point becomes the centre, the other centres stay.
  void settle_empty_clusters() {
    for_each_refill([this](Index point, int cluster) {
      centers_.points.col(cluster) = points_.points.col(point);
    });
  }

  double inertia() const {
    double sum = 0.0;
    for (Index j = 0; j < points_.size(); ++j) sum += squared_distance_to_own(j);
    return sum;
  }

  const CenteredPoints& points_;
  const Context& context_;
  Centers centers_;
  double largest_center_norm_ = 0.0;  ///< squared
  Labels labels_;
  Vector upper_;                              ///< at least the distance to the own centre
  Vector lower_;                              ///< at most the distance to any other centre
  std::vector<std::vector<Change>> changes_;  ///< of the last assignment, by tile
  Matrix sums_;
  std::vector<Index> counts_;
};

}  // namespace

LloydResult lloyd(const CenteredPoints& points, Seeds seeds, const KMeansOptions& options,
                  const Context& context) {
  return Lloyd(points, std::move(seeds), context).run(options);
}

}  // namespace subspace
