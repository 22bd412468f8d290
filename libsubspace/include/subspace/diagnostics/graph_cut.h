// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// How much of a graph a labeling cuts through, cluster by cluster [Shi00].
struct GraphCut {
  Labels labels = {};  ///< distinct labels, increasing
  /// Share of the edge weight at the cluster's points that leaves it, 0 .. 1; NaN for a cluster
  /// without an edge.
  Vector shares = {};
  double mean = 0.0;  ///< over clusters that have edges: Ncut / K. NaN when none has
};

/// Of a symmetric, non-negative affinity; loops (the diagonal) do not count. It needs no truth, and
/// so can choose among settings whose affinities are made alike. Throws DataError unless W is
/// square with a label a vertex.
/// [Shi00] J. Shi, J. Malik. Normalized cuts and image segmentation. PAMI 2000.
SUBSPACE_API GraphCut graph_cut(const SparseMatrix& W, const Labels& labels);

}  // namespace subspace
