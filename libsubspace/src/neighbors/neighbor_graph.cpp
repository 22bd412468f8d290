// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/memory.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "neighbors/neighbor_count.h"

namespace subspace {
namespace {

using Triplet = Eigen::Triplet<double, int>;

SparseMatrix symmetric_half_sum(Index n, const Neighbors& neighbors, bool with_loops) {
  std::vector<Triplet> entries;
  entries.reserve(2 * neighbors.indices.size() + (with_loops ? static_cast<std::size_t>(n) : 0));
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (int m = 0; m < neighbors.k; ++m) {
      const int j = neighbors.indices[static_cast<std::size_t>(i) * neighbors.k + m];
      entries.emplace_back(i, j, 0.5);
      entries.emplace_back(j, i, 0.5);
    }
    if (with_loops) entries.emplace_back(i, i, 1.0);
  }
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

}  // namespace

Parameters describe(NeighborGraphOptions& options) {
  return {
      parameter("neighbors", options.k, "neighbours of each point").at_least(1).written("k"),
      choice("metric", options.metric,
             {{"euclidean", Metric::kEuclidean},
              {"absolute-cosine", Metric::kAbsoluteCosine},
              {"cosine", Metric::kCosine}},
             "distance: euclidean, 1 - |cosine| or 1 - cosine between points"),
      parameter("include_self", options.include_self,
                "count each point among its own neighbours, as scikit-learn does"),
  };
}

SparseMatrix neighbor_graph(const ConstMatrixRef& X, const NeighborGraphOptions& options,
                            const Context& context) {
  NeighborGraphOptions checked = options;
  check(describe(checked), "neighbor_graph");
  require_finite(X, "neighbor_graph");
  const int k = static_cast<int>(std::min(wanted_others(options), X.cols() - 1));
  // Lists of neighbours, triplets and the matrix itself, about 90 bytes an edge.
  check_memory("neighbor_graph", 90.0 * static_cast<double>(X.cols()) * k, allowed_memory(context),
               "ask for fewer neighbours");
  check_sparse_size("neighbor_graph", X.cols() * (2 * Index{k} + 1), "ask for fewer neighbours");
  Neighbors neighbors;
  if (k > 0) neighbors = nearest_neighbors(X, k, options.metric, context);
  return symmetric_half_sum(X.cols(), neighbors, options.include_self);
}

}  // namespace subspace
