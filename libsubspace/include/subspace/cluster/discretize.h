// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

struct DiscretizeOptions {
  int restarts = 1;         ///< random starts; the lowest normalised-cut value wins (label-free)
  int max_iterations = 20;  ///< alternations of one start
};
SUBSPACE_API Parameters describe(DiscretizeOptions& options);

struct DiscretizeResult {
  Labels labels = {};
  double ncut = 0.0;  ///< 2 (N - sum of singular values), the value the method lowers
  SolveInfo info = {};
};

/// Yu-Shi discretisation: the rotation R that brings the embedding nearest to an indicator matrix
/// [Yu03]. Each row of U (an eigenvector) is scaled to norm sqrt(N) with its first entry's sign
/// made negative or zero, points are scaled to unit length, then argmax and Procrustes alternate. A
/// coordinate that is no point's largest leaves its cluster empty.
/// [Yu03] S. Yu, J. Shi. Multiclass spectral clustering. ICCV 2003.
SUBSPACE_API DiscretizeResult discretize(const ConstMatrixRef& U,
                                         const DiscretizeOptions& options = {},
                                         std::uint64_t seed = 0, const Context& context = {});

}  // namespace subspace
