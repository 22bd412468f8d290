// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/memory.h>
#include <subspace/pipeline/peak_memory.h>

#include "cluster/assign_bytes.h"
#include "linalg/sizes.h"
#include "preprocess/preprocess_bytes.h"

namespace subspace {
namespace {

double own_bytes(const KMeansOptions& options, Index dimension, Index num_points, int num_clusters,
                 const Context& context) {
  return kmeans_bytes(options, dimension, num_points, num_clusters, context);
}
double own_bytes(const KSubspacesOptions& options, Index dimension, Index num_points,
                 int num_clusters, const Context& context) {
  return ksubspaces_bytes(options, dimension, num_points, num_clusters, context);
}
double own_bytes(const LossyCodingOptions& options, Index dimension, Index num_points,
                 int num_clusters, const Context& context) {
  return lossy_coding_bytes(options, dimension, num_points, num_clusters, context);
}

/// The caller's points stay beside the preprocessed ones.
template <typename Options>
std::vector<StageMemory> stages_of(const PointsClustering<Options>& run, Index dimension,
                                   Index num_points, const Context& context) {
  const double given = matrix_bytes(1.0, dimension, num_points);
  const Index reduced = preprocessed_dimension(run.preprocess, dimension, num_points);
  return {{"load", given},
          {"preprocess", preprocess_bytes(run.preprocess, dimension, num_points)},
          {"assignment",
           given + own_bytes(run.method, reduced, num_points, run.num_clusters, context)}};
}

template <typename Options>
void check_stages(const PointsClustering<Options>& run, Index dimension, Index num_points,
                  const Context& context) {
  const StageMemory peak = largest_stage(stages_of(run, dimension, num_points, context));
  check_memory("cluster, stage " + peak.stage, peak.bytes, allowed_memory(context),
               peak.stage == "load"
                   ? "give fewer samples or features"
                   : "the points are copied; give fewer samples or features, or use fewer threads");
}

}  // namespace

std::vector<StageMemory> predicted_memory(const PointsClustering<KMeansOptions>& run,
                                          Index dimension, Index num_points,
                                          const Context& context) {
  return stages_of(run, dimension, num_points, context);
}
std::vector<StageMemory> predicted_memory(const PointsClustering<KSubspacesOptions>& run,
                                          Index dimension, Index num_points,
                                          const Context& context) {
  return stages_of(run, dimension, num_points, context);
}
std::vector<StageMemory> predicted_memory(const PointsClustering<LossyCodingOptions>& run,
                                          Index dimension, Index num_points,
                                          const Context& context) {
  return stages_of(run, dimension, num_points, context);
}

void check_peak_memory(const PointsClustering<KMeansOptions>& run, Index dimension,
                       Index num_points, const Context& context) {
  check_stages(run, dimension, num_points, context);
}
void check_peak_memory(const PointsClustering<KSubspacesOptions>& run, Index dimension,
                       Index num_points, const Context& context) {
  check_stages(run, dimension, num_points, context);
}
void check_peak_memory(const PointsClustering<LossyCodingOptions>& run, Index dimension,
                       Index num_points, const Context& context) {
  check_stages(run, dimension, num_points, context);
}

}  // namespace subspace
