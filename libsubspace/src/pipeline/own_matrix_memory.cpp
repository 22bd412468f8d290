// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/memory.h>
#include <subspace/pipeline/peak_memory.h>

#include "affinity/affinity_bytes.h"
#include "linalg/sizes.h"
#include "pipeline/stage_memory.h"

namespace subspace {
namespace {

/// Counted with the coefficients.
double own_affinity_bytes(const AffinityOptions& affinity, const OwnMatrix& C) {
  if (C.full) return full_affinity_bytes(affinity, C.num_points);
  const double entries_per_point = C.entries / static_cast<double>(C.num_points);
  const double bytes = sparse_affinity_bytes(affinity, C.num_points, entries_per_point);
  // A full one knows nothing of what it was made of.
  return affinity.kind == AffinityKind::kLowRank ? bytes + given_bytes(C) : bytes;
}

constexpr char kSparser[] = "give a sparse matrix of fewer entries, or fewer samples";

std::string coefficients_hint(const PipelineOptions& options, const OwnMatrix& C,
                              const std::string& stage) {
  const bool low_rank = options.affinity.kind == AffinityKind::kLowRank;
  if (stage == "load" || (C.full && !low_rank)) return kSparser;
  if (stage == "affinity" || low_rank) return affinity_kind_hint(options.affinity);
  return "ask for fewer clusters or give fewer samples";
}

std::string own_affinity_hint(const OwnMatrix& W, const std::string& stage) {
  if (stage == "load" || W.full) return kSparser;
  return "ask for fewer clusters, fewer entries or fewer samples";
}

}  // namespace

double given_bytes(const OwnMatrix& A) {
  return A.full ? matrix_bytes(1.0, A.num_points, A.num_points) : kSparseEntryBytes * A.entries;
}

OwnMatrix measured(const SparseMatrix& A) {
  return {.num_points = A.cols(), .entries = static_cast<double>(A.nonZeros())};
}

OwnMatrix measured(const ConstMatrixRef& A) {
  double entries = 0.0;
  for (const auto column : A.colwise()) {
    entries += static_cast<double>((column.array() != 0.0).count());
  }
  return {.num_points = A.cols(), .entries = entries, .full = true};
}

std::vector<StageMemory> predicted_coefficients_memory(const PipelineOptions& options,
                                                       const OwnMatrix& C, const Context& context) {
  check_predicted_count(options);
  const double given = given_bytes(C);
  std::vector<StageMemory> stages = {{"load", given}};
  if (is_single(options)) return stages;
  const double entries_per_point = C.entries / static_cast<double>(C.num_points);
  stages.push_back({"affinity", own_affinity_bytes(options.affinity, C)});
  append_clusters(stages, options,
                  {.num_points = C.num_points,
                   .edges = most_edges(options.affinity, C.num_points, entries_per_point),
                   .held = given},
                  context);
  return stages;
}

std::vector<StageMemory> predicted_affinity_memory(const PipelineOptions& options,
                                                   const OwnMatrix& W, const Context& context) {
  check_predicted_count(options);
  const double given = given_bytes(W);
  std::vector<StageMemory> stages = {{"load", given}};
  if (is_single(options)) return stages;
  append_clusters(stages, options,
                  {.num_points = W.num_points, .edges = W.entries, .held = W.kept ? given : 0.0},
                  context);
  return stages;
}

void check_coefficients_memory(const PipelineOptions& options, const OwnMatrix& C,
                               const Context& context) {
  const StageMemory peak = largest_stage(predicted_coefficients_memory(options, C, context));
  check_memory("cluster_coefficients, stage " + peak.stage, peak.bytes, allowed_memory(context),
               coefficients_hint(options, C, peak.stage));
}

void check_affinity_memory(const PipelineOptions& options, const OwnMatrix& W,
                           const Context& context) {
  const StageMemory peak = largest_stage(predicted_affinity_memory(options, W, context));
  check_memory("cluster_affinity, stage " + peak.stage, peak.bytes, allowed_memory(context),
               own_affinity_hint(W, peak.stage));
}

}  // namespace subspace
