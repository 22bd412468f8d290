// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "pipeline/stage_memory.h"

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>

#include "affinity/affinity_bytes.h"
#include "cluster/assign_bytes.h"
#include "spectral/embedding_bytes.h"

namespace subspace {
namespace {

int most_clusters(const PipelineOptions& options, Index num_points) {
  return static_cast<int>(std::min<Index>(
      options.estimate ? options.estimate->max_clusters : options.num_clusters, num_points));
}

Index embedding_rows(const PipelineOptions& options, Index num_points) {
  return options.embedding.dimensions > 0 ? options.embedding.dimensions
                                          : most_clusters(options, num_points);
}

}  // namespace

/// The embedding of the clusters; before it, where their number is estimated, that of the estimate,
/// which looks one eigenvalue beyond the largest number whatever dimensions the other has.
double most_embedding_bytes(const PipelineOptions& options, const HeldGraph& graph,
                            const Context& context) {
  const Index n = graph.num_points;
  const Context rest = beside(context, graph.held);
  const double own = embedding_bytes(embedding_rows(options, n), n, graph.edges, rest);
  if (!options.estimate) return own;
  const Index looked_at = std::min<Index>(Index{options.estimate->max_clusters} + 1, n);
  return std::max(own, embedding_bytes(looked_at, n, graph.edges, rest));
}

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
  stages.push_back({"embedding", graph.held + most_embedding_bytes(options, graph, context)});
  stages.push_back({"assignment", graph.held + kSparseEntryBytes * graph.edges +
                                      assign_bytes(options.assign, embedding_rows(options, n), n,
                                                   most_clusters(options, n), context)});
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
