// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/neighbors/knn.h>

namespace subspace {

/// Other points that each point is to be joined with; more than there are means all of them.
inline Index wanted_others(const NeighborGraphOptions& options) {
  return options.include_self ? options.k - 1 : options.k;
}

}  // namespace subspace
