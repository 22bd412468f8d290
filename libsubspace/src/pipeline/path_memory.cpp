// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <variant>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/pipeline/peak_memory.h>

#include "affinity/affinity_bytes.h"
#include "linalg/sizes.h"
#include "pipeline/stage_memory.h"
#include "preprocess/preprocess_bytes.h"
#include "self_expression/elastic_net_walk.h"
#include "self_expression/ridge_path.h"
#include "self_expression/solver_bytes.h"
#include "self_expression/ssc_weights.h"

namespace subspace {
namespace {

/// What the values of a path take, each counted with the points that the path is given.
struct PathMemory {
  bool full = false;       ///< the coefficients at a value
  double solving = 0.0;    ///< the most until the coefficients at a value are there
  double kept = 0.0;       ///< until the last of them is used
  double per_point = 0.0;  ///< entries, where they are sparse
};

/// With one weight for all points it is found first.
PathMemory sparse_path(const PathSize& path, bool common_weight, Index dimension, Index num_points,
                       const Context& context) {
  const WalkSize walk{.dimension = dimension,
                      .num_points = num_points,
                      .num_paths = path.num_paths,
                      .num_gammas = path.num_values,
                      .copies = 2};
  const double points = matrix_bytes(walk.copies, dimension, num_points);
  const double weighing = common_weight ? points + correlations_bytes(num_points, context) : 0.0;
  return {.solving = std::max(weighing, walk_bytes(walk, context)),
          .kept = points + walked_bytes(walk),
          .per_point = std::min(kUsualSupport, static_cast<double>(num_points))};
}

PathMemory full_path(Index dimension, Index num_points, const Context& context) {
  const RidgePathBytes ridge = ridge_path_bytes(dimension, num_points, context);
  return {.full = true,
          .solving = std::max(ridge.making, ridge.solving),
          .kept = matrix_bytes(1.0, dimension, num_points) + ridge.kept};
}

PathMemory memory_of(const Method& method, const PathSize& path, Index dimension, Index num_points,
                     const Context& context) {
  if (has_sparse_path(method)) {
    const bool common_weight = std::holds_alternative<SscOptions>(method);
    return sparse_path(path, common_weight, dimension, num_points, context);
  }
  if (has_full_path(method)) return full_path(dimension, num_points, context);
  throw InvalidArgument("predicted_path_memory: method, must be EnSC, SSC, LSR or EDSC");
}

/// The coefficients at a value are there beside the path, as they are in cluster_coefficients(); of
/// each value the eigengap behind the last cluster is looked at while its embedding is there.
void append_value(std::vector<StageMemory>& stages, PipelineOptions options,
                  const PathMemory& memory, Index num_points, double held, const Context& context) {
  const AffinityOptions& affinity = options.affinity;
  const Index n = num_points;
  const double entries = memory.full ? static_cast<double>(n) : memory.per_point;
  const double coefficients = memory.full
                                  ? matrix_bytes(1.0, n, n)
                                  : kSparseEntryBytes * memory.per_point * static_cast<double>(n);
  stages.push_back(
      {"affinity", held + (memory.full ? full_affinity_bytes(affinity, n)
                                       : sparse_affinity_bytes(affinity, n, entries))});
  const Index rows =
      options.embedding.dimensions > 0 ? options.embedding.dimensions : options.num_clusters;
  options.estimate = ClusterCountOptions{.max_clusters = options.num_clusters};
  append_clusters(stages, options,
                  {.num_points = n,
                   .edges = most_edges(affinity, n, entries),
                   .held = held + coefficients + matrix_bytes(1.0, rows, n)},
                  context);
}

std::string path_hint(const PipelineOptions& options, const std::string& stage) {
  if (stage == "load") return "give fewer samples or features";
  if (stage == "preprocess") return "the points are copied; give fewer samples or features";
  if (stage == "affinity" && options.affinity.kind == AffinityKind::kLowRank) {
    return affinity_kind_hint(options.affinity);
  }
  if (has_full_path(options.method)) {
    return "the coefficients of lsr and edsc are a full matrix; use ensc or ssc, which keep few "
           "coefficients a point, or give fewer samples";
  }
  if (options.num_clusters > 0) return "ask for fewer values or give fewer samples";
  return "ask for fewer values or points, or give fewer samples";
}

}  // namespace

bool has_sparse_path(const Method& method) {
  return std::holds_alternative<ElasticNetOptions>(method) ||
         std::holds_alternative<SscOptions>(method);
}
bool has_full_path(const Method& method) {
  return std::holds_alternative<LsrOptions>(method) || std::holds_alternative<EdscOptions>(method);
}

std::vector<StageMemory> predicted_path_memory(const PipelineOptions& options, const PathSize& path,
                                               Index dimension, Index num_points,
                                               const Context& context) {
  PathSize asked = path;
  if (asked.num_paths == 0) asked.num_paths = num_points;
  const double given = matrix_bytes(1.0, dimension, num_points);
  const Index reduced = preprocessed_dimension(options.preprocess, dimension, num_points);
  const PathMemory memory =
      memory_of(options.method, asked, reduced, num_points, beside(context, given));
  const double held = given + memory.kept +
                      asked.bytes_of_step * static_cast<double>(asked.num_paths) *
                          static_cast<double>(asked.num_values);
  std::vector<StageMemory> stages = {
      {"load", given},
      {"preprocess", preprocess_bytes(options.preprocess, dimension, num_points)},
      {"self-expression", given + memory.solving},
      {"record", held}};
  if (options.num_clusters > 1) append_value(stages, options, memory, num_points, held, context);
  return stages;
}

void check_path_memory(const PipelineOptions& options, const PathSize& path, Index dimension,
                       Index num_points, const Context& context) {
  const StageMemory peak =
      largest_stage(predicted_path_memory(options, path, dimension, num_points, context));
  check_memory("path, stage " + peak.stage, peak.bytes, allowed_memory(context),
               path_hint(options, peak.stage));
}

}  // namespace subspace
