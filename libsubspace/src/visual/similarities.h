// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/neighbors/knn.h>

namespace subspace {

/// P of neighbor_map(): symmetric, without diagonal, summing to one. A perplexity that the
/// neighbours cannot give (more than there are, less than there are equally near ones) is met as
/// nearly as possible.
SparseMatrix map_similarities(const Neighbors& neighbors, double perplexity,
                              const Context& context);

}  // namespace subspace
