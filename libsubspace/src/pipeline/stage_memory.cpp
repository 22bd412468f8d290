// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "pipeline/stage_memory.h"

#include <algorithm>

#include <subspace/core/error.h>

#include "affinity/affinity_bytes.h"
#include "cluster/assign_bytes.h"
#include "spectral/embedding_bytes.h"

namespace subspace {
namespace {

/// The embedding of the clusters; before it, where their number is estimated, that of the estimate,
/// which looks one eigenvalue beyond the largest number whatever dimensions the other has.
double most_embedding_bytes(const PipelineOptions& options, Index rows, const HeldGraph& graph,
                            const Context& context) {
  const Index n = graph.num_points;
  const double own = embedding_bytes(rows, n, graph.edges, context);
  if (!options.estimate) return own;
  const Index looked_at = std::min<Index>(Index{options.estimate->max_clusters} + 1, n);
  return std::max(own, embedding_bytes(looked_at, n, graph.edges, context));
}

}  // namespace

void check_predicted_count(const PipelineOptions& options) {
  if (options.estimate) {
    ClusterCountOptions estimate = *options.estimate;
    check(describe(estimate), "predicted_memory");
  } else if (options.num_clusters < 1) {
    throw InvalidArgument(message("predicted_memory: num_clusters = ", options.num_clusters,
                                  ", must satisfy 1 <= num_clusters unless it is estimated"));
  }
}

void append_clusters(std::vector<StageMemory>& stages, const PipelineOptions& options,
                     const HeldGraph& graph, const Context& context) {
  const Index n = graph.num_points;
  const int clusters = static_cast<int>(
      std::min<Index>(options.estimate ? options.estimate->max_clusters : options.num_clusters, n));
  const Index rows = options.embedding.dimensions > 0 ? options.embedding.dimensions : clusters;
  stages.push_back({"embedding", graph.held + most_embedding_bytes(options, rows, graph, context)});
  stages.push_back({"assignment", graph.held + kSparseEntryBytes * graph.edges +
                                      assign_bytes(options.assign, rows, n, clusters, context)});
}

StageMemory largest_stage(const std::vector<StageMemory>& stages) {
  return *std::max_element(
      stages.begin(), stages.end(),
      [](const StageMemory& a, const StageMemory& b) { return a.bytes < b.bytes; });
}

std::string affinity_kind_hint(const AffinityOptions& affinity) {
  if (affinity.kind == AffinityKind::kLowRank) {
    return "an affinity of low rank is full; choose another kind or give fewer samples";
  }
  if (affinity.kind != AffinityKind::kUnitColumns) return "give fewer samples";
  return std::string(affinity.top > 0 ? "lower" : "set") + " affinity.top or give fewer samples";
}

}  // namespace subspace
