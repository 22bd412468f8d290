// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/pipeline/pipeline.h>

namespace subspace {

/// What is in use while a stage runs: what it is given, what it allocates, and what the caller and
/// earlier stages keep.
struct StageMemory {
  std::string stage = {};  ///< load, preprocess, self-expression, affinity, embedding, assignment
  double bytes = 0.0;
};

/// Predicts, stage after stage, what cluster() takes for points of this shape within the memory of
/// the context. A solver that streams where its inner products do not fit counts as it will run; a
/// step of the eigensolver that is passed over where it does not fit does not count. How many
/// points represent a point is known beforehand of some methods alone; of the others (EnSC, SSC by
/// active sets, KSSC) 50 are counted. Where the number of clusters is estimated, max_clusters + 1
/// eigenpairs count, which the estimate looks at whatever embedding.dimensions is, and max_clusters
/// clusters after it; a graph of more components is split into more than are counted. Throws
/// InvalidArgument for a num_clusters below 1 that is not estimated, and for a max_clusters
/// below 2.
SUBSPACE_API std::vector<StageMemory> predicted_memory(const PipelineOptions& options,
                                                       Index dimension, Index num_points,
                                                       const Context& context = {});

/// The stage that takes most, the earliest among equals; its bytes are the peak of the run.
SUBSPACE_API StageMemory predicted_peak_memory(const PipelineOptions& options, Index dimension,
                                               Index num_points, const Context& context = {});

/// Throws ResourceError "cluster, stage affinity: needs about 4.2 GB of memory, 2 GB allowed;
/// ..." when the predicted peak is more than the context allows, with what would take less.
SUBSPACE_API void check_peak_memory(const PipelineOptions& options, Index dimension,
                                    Index num_points, const Context& context = {});

}  // namespace subspace
