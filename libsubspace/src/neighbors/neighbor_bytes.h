// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/neighbors/knn.h>

/// What the search for neighbours takes beside the points, for its own checks and for the
/// prediction of a whole run.
namespace subspace {

/// The candidates and the neighbours of every point; for each thread a block of distances and the
/// points of its two sides.
double nearest_neighbors_bytes(Index dimension, Index num_points, int k, const Context& context);

/// The search, then lists of neighbours, triplets and the matrix itself.
double neighbor_graph_bytes(const NeighborGraphOptions& options, Index dimension, Index num_points,
                            const Context& context);

}  // namespace subspace
