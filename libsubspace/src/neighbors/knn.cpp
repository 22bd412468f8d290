// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neighbors/knn.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "neighbors/geometry.h"

namespace subspace {
namespace {

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

/// All pairs of tiles of points, each block of distances computed once and offered to both sides.
class TiledSearch {
 public:
  TiledSearch(const ConstMatrixRef& X, int k, Metric metric, const Context& context)
      : context_(context),
        geometry_(X, metric, context),
        dimension_(X.rows()),
        num_points_(X.cols()),
        tile_(tile_size(X.rows(), X.cols())),
        num_tiles_((X.cols() + tile_ - 1) / tile_),
        locks_(static_cast<std::size_t>(num_tiles_)) {
    lists_.reserve(static_cast<std::size_t>(num_points_));
    for (Index j = 0; j < num_points_; ++j) lists_.emplace_back(geometry_, j, k);
  }

  /// The candidates and the neighbours of every point; for each thread a block of distances and the
  /// points of its two sides.
  static double needed_bytes(const ConstMatrixRef& X, int k, const Context& context) {
    const Index tile = tile_size(X.rows(), X.cols());
    const double per_point =
        static_cast<double>(CandidateList::bytes(k)) + k * double{sizeof(int) + sizeof(double)};
    return per_point * static_cast<double>(X.cols()) +
           resolve_threads(context) *
               (matrix_bytes(1.0, tile, tile) + matrix_bytes(2.0, X.rows(), tile));
  }

  Neighbors run(int k) {
    const Index num_pairs = num_tiles_ * (num_tiles_ + 1) / 2;
    for_tiles(
        context_, num_pairs, 1, [this](const Tile& work) { search_pair(tile_pair(work.begin)); },
        "neighbors");
    return collect(k);
  }

 private:
  struct TilePair {
    Index rows = 0;
    Index columns = 0;
  };

  /// Large enough for GEMM to run at full speed, small enough to share out and to hold in cache.
  static Index tile_size(Index dimension, Index num_points) {
    constexpr Index kSmallest = 64;
    constexpr Index kLargest = 512;
    constexpr Index kEntries = 4'000'000;
    const Index share = (num_points + 7) / 8;
    const Index fitting = kEntries / std::max<Index>(1, dimension);
    return std::clamp(std::min(share, fitting), kSmallest, kLargest);
  }

  /// The pair at `index` of (0,0), (0,1), (1,1), (0,2), (1,2), (2,2), ...
  static TilePair tile_pair(Index index) {
    Index columns = 0;
    while ((columns + 1) * (columns + 2) / 2 <= index) ++columns;
    return {index - columns * (columns + 1) / 2, columns};
  }

  Index begin_of(Index tile) const { return tile * tile_; }
  Index end_of(Index tile) const { return std::min(num_points_, (tile + 1) * tile_); }

  void search_pair(TilePair pair) {
    Matrix distances(end_of(pair.rows) - begin_of(pair.rows),
                     end_of(pair.columns) - begin_of(pair.columns));
    compute_distances(pair, distances);
    if (pair.rows == pair.columns) {
      const std::lock_guard lock(locks_[pair.rows]);
      offer_within(begin_of(pair.rows), distances);
    } else {
      const std::scoped_lock lock(locks_[pair.rows], locks_[pair.columns]);
      offer_across(begin_of(pair.rows), begin_of(pair.columns), distances);
    }
  }

  void compute_distances(TilePair pair, Matrix& distances) const {
    Matrix row_storage;
    Matrix column_storage;
    const auto rows = geometry_.columns(begin_of(pair.rows), end_of(pair.rows), row_storage);
    const auto columns =
        pair.rows == pair.columns
            ? rows
            : geometry_.columns(begin_of(pair.columns), end_of(pair.columns), column_storage);
    linalg::gemm({.transpose_a = true,
                  .m = distances.rows(),
                  .n = distances.cols(),
                  .k = dimension_,
                  .a = rows.data,
                  .lda = rows.stride,
                  .b = columns.data,
                  .ldb = columns.stride,
                  .c = distances.data(),
                  .ldc = distances.rows()});
    geometry_.to_distances(begin_of(pair.rows), begin_of(pair.columns), distances);
  }

  void offer_within(Index begin, const Matrix& distances) {
    for (Index c = 0; c < distances.cols(); ++c) {
      CandidateList& list = lists_[begin + c];
      for (Index r = 0; r < distances.rows(); ++r) {
        if (distances(r, c) <= list.threshold() && r != c) list.offer(distances(r, c), begin + r);
      }
    }
  }

  void offer_across(Index row_begin, Index column_begin, const Matrix& distances) {
    Vector row_thresholds(distances.rows());
    for (Index r = 0; r < distances.rows(); ++r) {
      row_thresholds[r] = lists_[row_begin + r].threshold();
    }
    for (Index c = 0; c < distances.cols(); ++c) {
      CandidateList& column_list = lists_[column_begin + c];
      for (Index r = 0; r < distances.rows(); ++r) {
        const double distance = distances(r, c);
        if (distance <= column_list.threshold()) column_list.offer(distance, row_begin + r);
        if (distance <= row_thresholds[r]) {
          CandidateList& row_list = lists_[row_begin + r];
          row_list.offer(distance, column_begin + c);
          row_thresholds[r] = row_list.threshold();
        }
      }
    }
  }

  Neighbors collect(int k) {
    Neighbors result;
    result.k = k;
    result.indices.resize(static_cast<std::size_t>(num_points_) * k);
    result.distances.resize(result.indices.size());
    for_tiles(context_, num_points_, tile_, [this, k, &result](const Tile& tile) {
      for (Index j = tile.begin; j < tile.end; ++j) {
        std::size_t slot = static_cast<std::size_t>(j) * k;
        for (const auto& [distance, index] : lists_[j].finish()) {
          result.indices[slot] = index;
          result.distances[slot++] = geometry_.reported(distance);
        }
      }
    });
    return result;
  }

  const Context& context_;
  Geometry geometry_;
  Index dimension_;
  Index num_points_;
  Index tile_;
  Index num_tiles_;
  std::vector<std::mutex> locks_;
  std::vector<CandidateList> lists_;
};

}  // namespace

Neighbors nearest_neighbors(const ConstMatrixRef& X, int k, Metric metric, const Context& context) {
  require_finite(X, "nearest_neighbors");
  if (k < 1) throw InvalidArgument(message("nearest_neighbors: k = ", k, ", must satisfy 1 <= k"));
  if (k > X.cols() - 1) {
    throw DataError(message("nearest_neighbors: ", X.cols(), " points have no ", k,
                            " other points each, must satisfy k <= ", X.cols() - 1));
  }
  check_memory("nearest_neighbors", TiledSearch::needed_bytes(X, k, context),
               allowed_memory(context), "ask for fewer neighbours or use fewer threads");
  return TiledSearch(X, k, metric, context).run(k);
}

}  // namespace subspace
