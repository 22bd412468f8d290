// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/neighbor_vote.h>

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>

#include "labels/groups.h"

namespace subspace {
namespace {

/// The label most frequent among `neighbors`, which are in order of distance; the first to appear
/// among equals.
int majority(const int* neighbors, int k, const Labels& labels) {
  int winner = labels[neighbors[0]];
  std::ptrdiff_t most = 0;
  for (int m = 0; m < k; ++m) {
    const int label = labels[neighbors[m]];
    const std::ptrdiff_t voices = std::count_if(
        neighbors, neighbors + k, [&labels, label](int i) { return labels[i] == label; });
    if (voices > most) {
      most = voices;
      winner = label;
    }
  }
  return winner;
}

}  // namespace

Parameters describe(NeighborVoteOptions& options) {
  return {
      parameter("neighbors", options.k, "labelled neighbours that vote").at_least(1).written("k"),
      choice("metric", options.metric,
             {{"euclidean", Metric::kEuclidean},
              {"absolute-cosine", Metric::kAbsoluteCosine},
              {"cosine", Metric::kCosine}},
             "distance: euclidean, 1 - |cosine| or 1 - cosine between points"),
  };
}

Labels neighbor_vote(const ConstMatrixRef& X, const Labels& labels, const ConstMatrixRef& queries,
                     const NeighborVoteOptions& options, const Context& context) {
  NeighborVoteOptions checked = options;
  check(describe(checked), "neighbor_vote");
  require_labelled(X, labels, "neighbor_vote");
  require_finite(queries, "neighbor_vote");
  const int k = static_cast<int>(std::min<Index>(options.k, X.cols()));
  const Neighbors neighbors = nearest_neighbors(X, queries, k, options.metric, context);
  Labels predicted;
  predicted.reserve(static_cast<std::size_t>(queries.cols()));
  for (std::size_t j = 0; j < static_cast<std::size_t>(queries.cols()); ++j) {
    predicted.push_back(majority(&neighbors.indices[j * static_cast<std::size_t>(k)], k, labels));
  }
  return predicted;
}

}  // namespace subspace
