// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "neighbors/neighbor_bytes.h"
#include "neighbors/neighbor_count.h"

namespace subspace {
namespace {

using Triplet = Eigen::Triplet<double, int>;

/// The distance is 1 - cosine wherever the power is not 0.
double edge_weight(double distance, double power) {
  return power == 0.0 ? 1.0 : std::pow(std::max(1.0 - distance, 0.0), power);
}

SparseMatrix symmetric_half_sum(Index n, const Neighbors& neighbors,
                                const NeighborGraphOptions& options) {
  const auto loops = options.include_self ? static_cast<std::size_t>(n) : 0;
  std::vector<Triplet> entries;
  entries.reserve(2 * neighbors.indices.size() + loops);
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (int m = 0; m < neighbors.k; ++m) {
      const std::size_t place = static_cast<std::size_t>(i) * neighbors.k + m;
      const int j = neighbors.indices[place];
      const double half = 0.5 * edge_weight(neighbors.distances[place], options.power);
      if (half == 0.0) continue;
      entries.emplace_back(i, j, half);
      entries.emplace_back(j, i, half);
    }
    if (options.include_self) entries.emplace_back(i, i, 1.0);
  }
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

int num_others(const NeighborGraphOptions& options, Index num_points) {
  return static_cast<int>(std::min(wanted_others(options), num_points - 1));
}

/// Lists of neighbours, triplets and the matrix itself, about 90 bytes an edge.
double edge_bytes(Index num_points, int k) { return 90.0 * static_cast<double>(num_points) * k; }

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
      parameter("power", options.power,
                "edges weigh the cosine to this power, with a metric of cosines; 0: all alike")
          .at_least(0),
  };
}

double neighbor_graph_bytes(const NeighborGraphOptions& options, Index dimension, Index num_points,
                            const Context& context) {
  const int k = num_others(options, num_points);
  return std::max(edge_bytes(num_points, k),
                  nearest_neighbors_bytes(dimension, num_points, k, context));
}

SparseMatrix neighbor_graph(const ConstMatrixRef& X, const NeighborGraphOptions& options,
                            const Context& context) {
  NeighborGraphOptions checked = options;
  check(describe(checked), "neighbor_graph");
  if (options.power != 0.0 && options.metric == Metric::kEuclidean) {
    throw InvalidArgument(
        message("neighbor_graph: power = ", options.power, ", must be 0 for the metric euclidean"));
  }
  require_finite(X, "neighbor_graph");
  const int k = num_others(options, X.cols());
  check_memory("neighbor_graph", edge_bytes(X.cols(), k), allowed_memory(context),
               "ask for fewer neighbours");
  check_sparse_size("neighbor_graph", X.cols() * (2 * Index{k} + 1), "ask for fewer neighbours");
  Neighbors neighbors;
  if (k > 0) neighbors = nearest_neighbors(X, k, options.metric, context);
  return symmetric_half_sum(X.cols(), neighbors, options);
}

}  // namespace subspace
