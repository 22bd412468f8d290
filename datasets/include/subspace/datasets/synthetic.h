// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/datasets/point_set.h>

namespace subspace::datasets {

/// Generated points with the truth known to their maker. The truth stays outside the PointSet, so
/// code that is handed `points` cannot see it.
struct Generated {
  PointSet points = {};
  Labels truth = {};
};

/// Points x = U_l a / |a| + noise * n, with U_l a random orthonormal basis (uniform over subspaces
/// of the given dimension), a and n standard normal: uniform on the unit sphere of its subspace,
/// plus noise.
struct UnionOfSubspacesOptions {
  int num_subspaces = 5;          ///< >= 1
  int dimension = 6;              ///< of each subspace, 1 <= dimension <= ambient
  int ambient = 30;               ///< D
  int points_per_subspace = 100;  ///< >= 1; points come grouped by subspace
  double noise = 0.0;             ///< standard deviation per coordinate, finite, >= 0
  std::uint64_t seed = 0;
};
SUBSPACE_API Generated union_of_subspaces(const UnionOfSubspacesOptions& options = {});

}  // namespace subspace::datasets
