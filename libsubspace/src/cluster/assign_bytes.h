// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/cluster/assign.h>
#include <subspace/cluster/ksubspaces.h>
#include <subspace/cluster/lossy_coding.h>

/// What the assignment takes, for its own checks and for the prediction of a whole run.
namespace subspace {

/// The points and their centred copy; for each start under way the centres, their sums and the
/// seeds, a gathered block of points, and for each point its label, its bounds and its distances to
/// the candidates of a seed.
double kmeans_bytes(const KMeansOptions& options, Index dimension, Index num_points,
                    int num_clusters, const Context& context);

/// The points, and for each start under way a cluster of at most all points, in the copies its
/// principal directions need, with the distances from all subspaces.
double ksubspaces_bytes(const KSubspacesOptions& options, Index dimension, Index num_points,
                        int num_clusters, const Context& context);

/// The points as they came and at unit length, clusters of them and parts of these, what every move
/// of a point changes, and for each thread the products of a cluster and their factors.
double lossy_coding_bytes(const LossyCodingOptions& options, Index dimension, Index num_points,
                          int num_clusters, const Context& context);

/// Of `num_clusters` clusters from points of an embedding, counted with them.
double assign_bytes(const AssignOptions& options, Index dimension, Index num_points,
                    int num_clusters, const Context& context);

}  // namespace subspace
