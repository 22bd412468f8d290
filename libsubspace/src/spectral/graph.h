// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

#include "spectral/laplacian.h"

namespace subspace {

/// A graph cut into the components that have an edge.
struct Graph {
  std::vector<NormalizedComponent> components = {};
  Vector degrees = {};
  Index num_vertices = 0;
  Index num_isolated = 0;
};

/// Drops stored zeros and, unless they count, the loops of the affinity W and cuts it. A vertex
/// without an edge to another is isolated, loop or not. Throws DataError, naming the entry,
/// when W is not square, not finite, negative or not symmetric; differences between W(i, j) and
/// W(j, i) as small as rounding makes them are averaged away. Cancellation is looked at between
/// passes over the edges.
Graph split_graph(const SparseMatrix& W, bool loops = false, const Context& context = {});

/// The group of each component when they have to form k <= count groups: the two smallest are
/// joined until k remain, of equally small ones the later. Groups are numbered by their first
/// component.
std::vector<int> merged_groups(const std::vector<NormalizedComponent>& components, std::size_t k);

}  // namespace subspace
