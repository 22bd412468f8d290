// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/random.h>

#include "cluster/centered_points.h"

namespace subspace {

/// Starting centres with the assignment they imply.
struct Seeds {
  Centers centers = {};
  Labels labels = {};             ///< the nearest seed of each point
  Vector squared_distances = {};  ///< to it
};

/// Greedy k-means++ [Art07]: each seed is the best of 2 + floor(log k) points drawn with
/// probability proportional to the squared distance to the seeds so far. Points that the triangle
/// inequality shows to be nearer to their present seed than to any of the drawn points are not
/// looked at. When fewer than k points are distinct the remaining seeds repeat some. [Art07] D.
/// Arthur, S. Vassilvitskii. k-means++: the advantages of careful seeding. SODA 2007.
Seeds seed_greedily(const CenteredPoints& points, int num_clusters, RandomStream& random,
                    const Context& context);

/// k different points, every set of them with the same probability. Points may coincide, and so may
/// the seeds then.
Seeds seed_by_points(const CenteredPoints& points, int num_clusters, RandomStream& random,
                     const Context& context);

}  // namespace subspace
