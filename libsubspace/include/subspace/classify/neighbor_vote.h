// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/neighbors/knn.h>

namespace subspace {

struct NeighborVoteOptions {
  int k = 5;                        ///< labelled neighbours that vote; all where there are fewer
  Metric metric = Metric::kCosine;  ///< features of networks live on the sphere
};
SUBSPACE_API Parameters describe(NeighborVoteOptions& options);

/// Labels each query by the vote of its k nearest labelled points, each with one voice. Among
/// labels with equally many voices that of the nearest neighbour wins; of neighbours at equal
/// distance the one with the lower index is the nearer. The neighbours are exact: see
/// nearest_neighbors().
SUBSPACE_API Labels neighbor_vote(const ConstMatrixRef& X, const Labels& labels,
                                  const ConstMatrixRef& queries,
                                  const NeighborVoteOptions& options = {},
                                  const Context& context = {});

}  // namespace subspace
