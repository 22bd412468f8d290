// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>
#include <subspace/pipelines/results.h>

namespace subspace::pipelines {

/// The affinity of make_figures(), at most `most` blocks a side.
HeatMap make_heat_map(const SparseMatrix& affinity, const Labels& labels, int num_clusters,
                      int most);

}  // namespace subspace::pipelines
