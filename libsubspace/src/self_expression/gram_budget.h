// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/memory.h>

#include "linalg/sizes.h"

/// What decides between a stored Gram matrix and streaming knows nothing of the number of threads:
/// the two ways round differently, and results shall not depend on threads. Where workspaces count
/// in the decision they are those of kNominalThreads; those of the threads that there are may only
/// refuse.
namespace subspace {

/// One: what is refused for its threads runs with fewer.
inline constexpr int kNominalThreads = 1;

inline Context with_nominal_threads(Context context) {
  context.num_threads = kNominalThreads;
  return context;
}

/// The Gram matrix of all points is stored when it takes at most this share of the memory allowed.
inline constexpr double kGramShare = 0.25;

inline bool gram_fits(Index num_points, const Context& context) {
  return matrix_bytes(1.0, num_points, num_points) <= kGramShare * allowed_memory(context);
}

/// Whether a solver that could do without it stores the Gram matrix: it fits beside the points.
inline bool stores_gram(Index dimension, Index num_points, const Context& context) {
  return gram_fits(num_points, context) &&
         matrix_bytes(1.0, dimension + num_points, num_points) <= allowed_memory(context);
}

}  // namespace subspace
