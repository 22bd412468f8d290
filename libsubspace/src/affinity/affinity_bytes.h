// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/affinity/affinity.h>

/// What the affinity takes, for its own check and for the prediction of a whole run.
namespace subspace {

/// Of one entry of a sparse matrix: the value and its row.
inline constexpr double kSparseEntryBytes = sizeof(double) + sizeof(int);

/// From full coefficients, counted with them: columns while they are edited and the sparse results,
/// or what low rank makes of the matrix.
double full_affinity_bytes(const AffinityOptions& options, Index num_points);

/// From sparse coefficients of so many entries a point, counted with them.
double sparse_affinity_bytes(const AffinityOptions& options, Index num_points,
                             double entries_per_point);

/// Entries of the affinity, at most, from coefficients of so many entries a point.
double most_edges(const AffinityOptions& options, Index num_points, double entries_per_point);

}  // namespace subspace
