// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/random.h>
#include <subspace/core/types.h>

namespace subspace {

struct SubspaceSeeding {
  int num_clusters = 1;
  int dimension = 1;
  bool affine = false;
};

/// Labels 0 .. k-1 of a random start of K-subspaces: the nearest of k subspaces, each spanned by a
/// point and its neighbours; the points are drawn in proportion to their squared distance from the
/// subspaces before. Fewer when those already hold all points.
Labels seed_subspaces(const ConstMatrixRef& X, const SubspaceSeeding& seeding, RandomStream& random,
                      const Context& context);

}  // namespace subspace
