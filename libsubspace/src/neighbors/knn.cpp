// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neighbors/knn.h>

#include <algorithm>
#include <mutex>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "neighbors/candidate_list.h"
#include "neighbors/geometry.h"
#include "neighbors/neighbor_bytes.h"

namespace subspace {
namespace {

/// All pairs of tiles of points, each block of distances computed once and offered to both sides.
class TiledSearch {
 public:
  TiledSearch(const ConstMatrixRef& X, int k, Metric metric, const Context& context)
      : context_(context),
        geometry_(X, metric, context),
        num_points_(X.cols()),
        tile_(search_tile(X.rows(), X.cols())),
        num_tiles_((X.cols() + tile_ - 1) / tile_),
        locks_(static_cast<std::size_t>(num_tiles_)) {
    lists_.reserve(static_cast<std::size_t>(num_points_));
    for (Index j = 0; j < num_points_; ++j) lists_.emplace_back(geometry_, j, k);
  }

  Neighbors run(int k) {
    const Index num_pairs = num_tiles_ * (num_tiles_ + 1) / 2;
    for_tiles(
        context_, num_pairs, 1, [this](const Tile& work) { search_pair(tile_pair(work.begin)); },
        "neighbors");
    return collect_neighbors(lists_, geometry_, k, tile_, context_);
  }

 private:
  struct TilePair {
    Index rows = 0;
    Index columns = 0;
  };

  /// The pair at `index` of (0,0), (0,1), (1,1), (0,2), (1,2), (2,2), ...
  static TilePair tile_pair(Index index) {
    Index columns = 0;
    while ((columns + 1) * (columns + 2) / 2 <= index) ++columns;
    return {index - columns * (columns + 1) / 2, columns};
  }

  Index begin_of(Index tile) const { return tile * tile_; }
  Index end_of(Index tile) const { return std::min(num_points_, (tile + 1) * tile_); }

  void search_pair(TilePair pair) {
    const Matrix distances = geometry_.distances(begin_of(pair.rows), end_of(pair.rows),
                                                 begin_of(pair.columns), end_of(pair.columns));
    if (pair.rows == pair.columns) {
      const std::lock_guard lock(locks_[pair.rows]);
      offer_within(begin_of(pair.rows), distances);
    } else {
      const std::scoped_lock lock(locks_[pair.rows], locks_[pair.columns]);
      offer_across(begin_of(pair.rows), begin_of(pair.columns), distances);
    }
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

  const Context& context_;
  Geometry geometry_;
  Index num_points_;
  Index tile_;
  Index num_tiles_;
  std::vector<std::mutex> locks_;
  std::vector<CandidateList> lists_;
};

}  // namespace

double nearest_neighbors_bytes(Index dimension, Index num_points, int k, const Context& context) {
  const Index tile = search_tile(dimension, num_points);
  const double per_point =
      static_cast<double>(CandidateList::bytes(k)) + k * double{sizeof(int) + sizeof(double)};
  return per_point * static_cast<double>(num_points) +
         resolve_threads(context) *
             (matrix_bytes(1.0, tile, tile) + matrix_bytes(2.0, dimension, tile));
}

Neighbors nearest_neighbors(const ConstMatrixRef& X, int k, Metric metric, const Context& context) {
  require_finite(X, "nearest_neighbors");
  if (k < 1) throw InvalidArgument(message("nearest_neighbors: k = ", k, ", must satisfy 1 <= k"));
  if (k > X.cols() - 1) {
    throw DataError(message("nearest_neighbors: ", X.cols(), " points have no ", k,
                            " other points each, must satisfy k <= ", X.cols() - 1));
  }
  check_memory("nearest_neighbors", nearest_neighbors_bytes(X.rows(), X.cols(), k, context),
               allowed_memory(context), "ask for fewer neighbours or use fewer threads");
  return TiledSearch(X, k, metric, context).run(k);
}

}  // namespace subspace
