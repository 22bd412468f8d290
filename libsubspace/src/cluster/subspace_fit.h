// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// What the subspaces of clusters 0 .. K-1 may be.
struct SubspaceShapes {
  std::vector<int> dimensions = {};  ///< of each cluster, at most
  bool affine = false;
};

/// The principal subspaces of the clusters, each cut to its dimension. Residuals are not kept.
Subspaces fit_exactly(const ConstMatrixRef& X, const Labels& labels, const SubspaceShapes& shapes,
                      const Context& context);

/// Subspaces that hold at least as much of their clusters as those of `previous` do, and usually
/// close to all that subspaces of their dimension can: each is the best within a small space around
/// the previous one. Takes products with a few columns where fit_exactly() takes a moment matrix
/// and its eigenvectors; clusters that are small, new or of low rank are fitted exactly.
Subspaces fit_nearer(const ConstMatrixRef& X, const Labels& labels, const Subspaces& previous,
                     const SubspaceShapes& shapes, const Context& context);

}  // namespace subspace
