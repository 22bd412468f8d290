// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <subspace/core/parallel.h>

#include "neighbors/geometry.h"

namespace subspace {

/// A distance and the point it leads to; ordered by distance, then index.
using Candidate = std::pair<double, int>;

/// The points that may still be among the k nearest of one point. Offers carry GEMM distances;
/// everything within `ambiguity` of the k-th smallest is kept, and direct distances decide among
/// these at the end, or earlier where so many are equal that they would not fit. The outcome does
/// not depend on the order of the offers.
class CandidateList {
 public:
  CandidateList(const Geometry& geometry, Index point, int k)
      : geometry_(&geometry), point_(point), k_(k), ambiguity_(geometry.ambiguity(point)) {}

  /// Of one list at its longest.
  static std::size_t bytes(int k) {
    return sizeof(CandidateList) + capacity(static_cast<std::size_t>(k)) * sizeof(Candidate);
  }

  double threshold() const { return threshold_; }

  void offer(double distance, Index index) {
    candidates_.emplace_back(distance, static_cast<int>(index));
    if (candidates_.size() >= capacity(size_k())) shrink();
  }

  /// The k nearest, in order, with direct distances.
  const std::vector<Candidate>& finish() {
    prune();
    keep_nearest_directly();
    return candidates_;
  }

 private:
  std::size_t size_k() const { return static_cast<std::size_t>(k_); }
  static std::size_t capacity(std::size_t k) { return 2 * k + 16; }

  void shrink() {
    prune();
    if (candidates_.size() >= size_k() + capacity(size_k()) / 4) {
      keep_nearest_directly();
      threshold_ = candidates_.back().first + ambiguity_;
    }
  }

  void prune() {
    if (candidates_.size() <= size_k()) return;
    const auto kth = candidates_.begin() + (k_ - 1);
    std::nth_element(candidates_.begin(), kth, candidates_.end());
    threshold_ = kth->first + ambiguity_;
    std::erase_if(candidates_, [this](const Candidate& c) { return c.first > threshold_; });
  }

  void keep_nearest_directly() {
    for (auto& [distance, index] : candidates_) distance = geometry_->direct(point_, index);
    std::sort(candidates_.begin(), candidates_.end());
    if (candidates_.size() > size_k()) candidates_.resize(size_k());
  }

  const Geometry* geometry_;
  Index point_;
  int k_;
  double ambiguity_;
  double threshold_ = std::numeric_limits<double>::infinity();
  std::vector<Candidate> candidates_;
};

/// Large enough for GEMM to run at full speed, small enough to share out and to hold in cache.
inline Index search_tile(Index dimension, Index num_points) {
  constexpr Index kSmallest = 64;
  constexpr Index kLargest = 512;
  constexpr Index kEntries = 4'000'000;
  const Index share = (num_points + 7) / 8;
  const Index fitting = kEntries / std::max<Index>(1, dimension);
  return std::clamp(std::min(share, fitting), kSmallest, kLargest);
}

/// What every list has come to.
inline Neighbors collect_neighbors(std::vector<CandidateList>& lists, const Geometry& geometry,
                                   int k, Index tile_size, const Context& context) {
  Neighbors result;
  result.k = k;
  result.indices.resize(lists.size() * static_cast<std::size_t>(k));
  result.distances.resize(result.indices.size());
  for_tiles(context, static_cast<Index>(lists.size()), tile_size, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      std::size_t slot = static_cast<std::size_t>(j) * k;
      for (const auto& [distance, index] : lists[j].finish()) {
        result.indices[slot] = index;
        result.distances[slot++] = geometry.reported(distance);
      }
    }
  });
  return result;
}

}  // namespace subspace
