// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "neighbors/candidate_list.h"

namespace subspace {
namespace {

void check_query(const ConstMatrixRef& reference, const ConstMatrixRef& queries, int k) {
  require_finite(reference, "nearest_neighbors");
  require_finite(queries, "nearest_neighbors");
  if (reference.rows() != queries.rows()) {
    throw DataError(message("nearest_neighbors: the reference has ", reference.rows(),
                            " features, the queries have ", queries.rows(), "; they must agree"));
  }
  if (k < 1) throw InvalidArgument(message("nearest_neighbors: k = ", k, ", must satisfy 1 <= k"));
  if (k > reference.cols()) {
    throw DataError(message("nearest_neighbors: k = ", k, ", must satisfy k <= ", reference.cols(),
                            ", the number of points of the reference"));
  }
}

/// Both sets in one matrix; the candidates and the neighbours of every query; for each thread a
/// block of distances and the points of its two sides.
void check_query_memory(Index dimension, Index num_reference, Index num_queries, int k,
                        Index query_tile, Index reference_tile, const Context& context) {
  const double per_query =
      static_cast<double>(CandidateList::bytes(k)) + k * double{sizeof(int) + sizeof(double)};
  check_memory(
      "nearest_neighbors",
      matrix_bytes(1.0, dimension, num_reference + num_queries) +
          per_query * static_cast<double>(num_queries) +
          resolve_threads(context) * (matrix_bytes(1.0, query_tile, reference_tile) +
                                      matrix_bytes(1.0, dimension, query_tile + reference_tile)),
      allowed_memory(context), "give fewer queries at a time");
}

/// Offers the points [begin, ...) of the reference to the lists from `first` on.
void offer_block(const Matrix& distances, Index begin, Index first,
                 std::vector<CandidateList>& lists) {
  for (Index c = 0; c < distances.cols(); ++c) {
    CandidateList& list = lists[first + c];
    for (Index r = 0; r < distances.rows(); ++r) {
      if (distances(r, c) <= list.threshold()) list.offer(distances(r, c), begin + r);
    }
  }
}

}  // namespace

Neighbors nearest_neighbors(const ConstMatrixRef& reference, const ConstMatrixRef& queries, int k,
                            Metric metric, const Context& context) {
  check_query(reference, queries, k);
  const Index n = reference.cols();
  const Index query_tile = search_tile(reference.rows(), queries.cols());
  const Index reference_tile = search_tile(reference.rows(), n);
  check_query_memory(reference.rows(), n, queries.cols(), k, query_tile, reference_tile, context);

  // One set, so that one scale, one centre and one bound on rounding hold for both.
  Matrix both(reference.rows(), n + queries.cols());
  both << reference, queries;
  const ConstMatrixRef points(both);
  const Geometry geometry(points, metric, context);
  std::vector<CandidateList> lists;
  lists.reserve(static_cast<std::size_t>(queries.cols()));
  for (Index j = 0; j < queries.cols(); ++j) lists.emplace_back(geometry, n + j, k);
  for_tiles(
      context, queries.cols(), query_tile,
      [&](const Tile& tile) {
        for (Index begin = 0; begin < n; begin += reference_tile) {
          const Index end = std::min(n, begin + reference_tile);
          offer_block(geometry.distances(begin, end, n + tile.begin, n + tile.end), begin,
                      tile.begin, lists);
        }
      },
      "neighbors");
  return collect_neighbors(lists, geometry, k, query_tile, context);
}

}  // namespace subspace
