// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// Connected components of a symmetric graph (stored zeros are no edges; loops do not count).
struct Components {
  int count = 0;
  std::vector<int> of = {};       ///< component of each vertex; numbered by their first vertex
  std::vector<Index> sizes = {};  ///< vertices of each component
};
SUBSPACE_API Components connected_components(const SparseMatrix& W);

}  // namespace subspace
