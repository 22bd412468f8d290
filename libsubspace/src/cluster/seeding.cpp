// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/seeding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <subspace/core/parallel.h>

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 1024;

class GreedySeeding {
 public:
  GreedySeeding(const CenteredPoints& points, int num_clusters, RandomStream& random,
                const Context& context)
      : points_(points),
        random_(random),
        context_(context),
        num_trials_(2 + static_cast<int>(std::log(num_clusters))),
        tiles_(static_cast<std::size_t>((points.size() + kPointsPerTile - 1) / kPointsPerTile)) {
    seeds_.centers.points.resize(points.dimension(), num_clusters);
    seeds_.labels.assign(static_cast<std::size_t>(points.size()), 0);
    seeds_.squared_distances.resize(points.size());
  }

  Seeds run() {
    start(draw_uniformly());
    for (int seed = 1; seed < seeds_.centers.points.cols(); ++seed) add(seed);
    seeds_.centers.update_norms();
    return std::move(seeds_);
  }

 private:
  /// What one tile of points found out about the drawn candidates.
  struct TileState {
    double potential = 0.0;          ///< sum of squared distances of its points to their seeds
    std::vector<int> affected = {};  ///< points a candidate could attract
    Matrix distances = {};           ///< candidates x affected points, in the leading columns
    Vector reductions = {};          ///< of the potential, by candidate
  };

  Index draw_uniformly() {
    return static_cast<Index>(random_.below(static_cast<std::uint64_t>(points_.size())));
  }

  void start(Index first) {
    seeds_.centers.points.col(0) = points_.points.col(first);
    for_tiles(context_, points_.size(), kPointsPerTile, [this](const Tile& tile) {
      for (Index j = tile.begin; j < tile.end; ++j) {
        seeds_.squared_distances[j] =
            (points_.points.col(j) - seeds_.centers.points.col(0)).squaredNorm();
      }
      tiles_[tile.index].potential =
          seeds_.squared_distances.segment(tile.begin, tile.size()).sum();
    });
  }

  void add(int seed) {
    const double potential = total_potential();
    if (potential == 0.0) {
      seeds_.centers.points.col(seed) = points_.points.col(draw_uniformly());
      return;
    }
    const Centers candidates = draw_candidates(potential);
    const Vector nearest_gap = squared_gaps(candidates, seed);
    for_tiles(context_, points_.size(), kPointsPerTile,
              [&](const Tile& tile) { try_candidates(tile, candidates, nearest_gap); });
    adopt(best_candidate(), candidates, seed);
  }

  double total_potential() const {
    double total = 0.0;
    for (const TileState& tile : tiles_) total += tile.potential;
    return total;
  }

  Centers draw_candidates(double potential) {
    Centers candidates;
    candidates.points.resize(points_.dimension(), num_trials_);
    for (int t = 0; t < num_trials_; ++t) {
      candidates.points.col(t) = points_.points.col(point_at(random_.uniform() * potential));
    }
    candidates.update_norms();
    return candidates;
  }

  /// The point where the running sum of squared distances passes `target`; never one at distance 0.
  Index point_at(double target) const {
    std::size_t tile = 0;
    while (tile + 1 < tiles_.size() && target >= tiles_[tile].potential) {
      target -= tiles_[tile++].potential;
    }
    const Index begin = static_cast<Index>(tile) * kPointsPerTile;
    const Index end = std::min(points_.size(), begin + kPointsPerTile);
    Index last_positive = -1;
    for (Index j = begin; j < end; ++j) {
      const double weight = seeds_.squared_distances[j];
      if (weight > 0.0) {
        last_positive = j;
        if (target < weight) return j;
      }
      target -= weight;
    }
    if (last_positive >= 0) return last_positive;
    Index farthest = 0;  // rounding led into a tile that is covered already
    seeds_.squared_distances.maxCoeff(&farthest);
    return farthest;
  }

  /// For each present seed, the squared distance to the nearest candidate.
  Vector squared_gaps(const Centers& candidates, int num_seeds) const {
    Vector gaps(num_seeds);
    for (int s = 0; s < num_seeds; ++s) {
      const auto seed = seeds_.centers.points.col(s);
      gaps[s] = (candidates.points.colwise() - seed).colwise().squaredNorm().minCoeff();
    }
    return gaps;
  }

  void try_candidates(const Tile& tile, const Centers& candidates, const Vector& nearest_gap) {
    TileState& state = tiles_[tile.index];
    find_affected(tile, nearest_gap, state.affected);
    state.reductions = Vector::Zero(num_trials_);
    const Index count = static_cast<Index>(state.affected.size());
    if (count == 0) return;
    if (state.distances.size() == 0) state.distances.resize(num_trials_, tile.size());
    DistanceBlock block(points_, candidates);
    for (Index first = 0; first < count; first += DistanceBlock::kCapacity) {
      const Index size = std::min(DistanceBlock::kCapacity, count - first);
      block.compute(&state.affected[first], size, state.distances.col(first).data());
    }
    for (Index m = 0; m < count; ++m) {
      const int point = state.affected[m];
      const double present = seeds_.squared_distances[point];
      double* distances = state.distances.col(m).data();
      for (int t = 0; t < num_trials_; ++t) {
        distances[t] += points_.squared_norms[point];
        if (block.is_cancelled(distances[t], point)) distances[t] = block.direct(point, t);
        state.reductions[t] += std::max(0.0, present - distances[t]);
      }
    }
  }

  /// Points that a candidate could attract, or the whole tile when they are most of it: reading all
  /// of it in place is cheaper than gathering.
  void find_affected(const Tile& tile, const Vector& nearest_gap,
                     std::vector<int>& affected) const {
    affected.clear();
    for (Index j = tile.begin; j < tile.end; ++j) {
      // |c - s| >= 2 |x - s| implies |x - c| >= |x - s|.
      if (4.0 * seeds_.squared_distances[j] > nearest_gap[seeds_.labels[j]]) {
        affected.push_back(static_cast<int>(j));
      }
    }
    if (3 * static_cast<Index>(affected.size()) < tile.size()) return;
    affected.resize(static_cast<std::size_t>(tile.size()));
    std::iota(affected.begin(), affected.end(), static_cast<int>(tile.begin));
  }

  int best_candidate() const {
    Vector reductions = Vector::Zero(num_trials_);
    for (const TileState& tile : tiles_) reductions += tile.reductions;
    Index best = 0;
    reductions.maxCoeff(&best);
    return static_cast<int>(best);
  }

  void adopt(int candidate, const Centers& candidates, int seed) {
    seeds_.centers.points.col(seed) = candidates.points.col(candidate);
    for_tiles(context_, points_.size(), kPointsPerTile, [&](const Tile& tile) {
      TileState& state = tiles_[tile.index];
      for (std::size_t m = 0; m < state.affected.size(); ++m) {
        const int point = state.affected[m];
        const double distance = state.distances(candidate, static_cast<Index>(m));
        if (distance < seeds_.squared_distances[point]) {
          seeds_.squared_distances[point] = distance;
          seeds_.labels[point] = seed;
        }
      }
      state.potential = seeds_.squared_distances.segment(tile.begin, tile.size()).sum();
    });
  }

  const CenteredPoints& points_;
  RandomStream& random_;
  const Context& context_;
  int num_trials_;
  Seeds seeds_;
  std::vector<TileState> tiles_;
};

/// The first k of a random order of 0 .. n-1.
std::vector<Index> drawn_indices(Index n, int k, RandomStream& random) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    std::swap(order[i], order[i + random.below(order.size() - i)]);
  }
  order.resize(static_cast<std::size_t>(k));
  return order;
}

/// The nearest centre of each point of a tile, the first among equals.
void find_nearest(const CenteredPoints& points, const Tile& tile, Seeds& seeds) {
  const Index k = seeds.centers.points.cols();
  DistanceBlock block(points, seeds.centers);
  Matrix distances(k, std::min(DistanceBlock::kCapacity, tile.size()));
  std::vector<int> list(static_cast<std::size_t>(distances.cols()));
  for (Index first = tile.begin; first < tile.end; first += DistanceBlock::kCapacity) {
    const Index size = std::min(DistanceBlock::kCapacity, tile.end - first);
    std::iota(list.begin(), list.begin() + size, static_cast<int>(first));
    block.compute(list.data(), size, distances.data());
    for (Index m = 0; m < size; ++m) {
      const Index point = first + m;
      for (Index c = 0; c < k; ++c) {
        double& distance = distances(c, m);
        distance += points.squared_norms[point];
        if (block.is_cancelled(distance, point)) distance = block.direct(point, c);
      }
      Index nearest = 0;
      seeds.squared_distances[point] = distances.col(m).minCoeff(&nearest);
      seeds.labels[static_cast<std::size_t>(point)] = static_cast<int>(nearest);
    }
  }
}

}  // namespace

Seeds seed_greedily(const CenteredPoints& points, int num_clusters, RandomStream& random,
                    const Context& context) {
  return GreedySeeding(points, num_clusters, random, context).run();
}

Seeds seed_by_points(const CenteredPoints& points, int num_clusters, RandomStream& random,
                     const Context& context) {
  Seeds seeds;
  seeds.centers.points =
      points.points(Eigen::all, drawn_indices(points.size(), num_clusters, random));
  seeds.centers.update_norms();
  seeds.labels.resize(static_cast<std::size_t>(points.size()));
  seeds.squared_distances.resize(points.size());
  for_tiles(context, points.size(), kPointsPerTile,
            [&](const Tile& tile) { find_nearest(points, tile, seeds); });
  return seeds;
}

}  // namespace subspace
