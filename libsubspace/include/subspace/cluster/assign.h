// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/cluster/discretize.h>
#include <subspace/cluster/kmeans.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// How an embedding becomes labels.
enum class Assignment { kKMeans, kDiscretize };

struct AssignOptions {
  Assignment assignment = Assignment::kKMeans;
  KMeansOptions kmeans = {};
  DiscretizeOptions discretize = {};
};

struct Assigned {
  Labels labels = {};
  SolveInfo info = {};
};

/// Labels of the columns of a spectral embedding. Isolated vertices, which are zero columns, take
/// no part in finding the clusters: they join the cluster whose centre is nearest, the lowest label
/// among equals. When fewer than k vertices have an edge, all columns take part. Discretisation
/// makes as many clusters as U has rows, so k must equal that number there; throws InvalidArgument.
SUBSPACE_API Assigned assign(const ConstMatrixRef& U, int num_clusters,
                             const AssignOptions& options, std::uint64_t seed,
                             const Context& context = {});

}  // namespace subspace
