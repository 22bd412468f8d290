// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/pipeline/peak_memory.h>

/// What the predictions of all ways into the pipeline share.
namespace subspace {

/// Throws InvalidArgument for a number of clusters that cannot be and is not estimated.
void check_predicted_count(const PipelineOptions& options);

/// Whether all points are one cluster, which needs no graph.
inline bool is_single(const PipelineOptions& options) {
  return !options.estimate && options.num_clusters == 1;
}

/// A graph of so many edges, and what is in use beside it.
struct HeldGraph {
  Index num_points = 0;
  double edges = 0.0;
  double held = 0.0;
};

/// Of a matrix as it was given.
double given_bytes(const OwnMatrix& A);

/// What the embedding takes beside what is held, within the memory that this leaves of the context.
double most_embedding_bytes(const PipelineOptions& options, const HeldGraph& graph,
                            const Context& context);

/// Embedding and assignment.
void append_clusters(std::vector<StageMemory>& stages, const PipelineOptions& options,
                     const HeldGraph& graph, const Context& context);

/// What makes fewer entries of a sparse affinity of this kind, or a full one another.
std::string affinity_kind_hint(const AffinityOptions& affinity);

}  // namespace subspace
