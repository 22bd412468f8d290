// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

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

/// Points x = b_l + U_l a / |a| + noise * n, with U_l a random orthonormal basis (uniform over
/// subspaces of its dimension), a and n standard normal: uniform on the unit sphere of its
/// subspace, plus noise. b_l is 0, or for affine subspaces uniform on the unit sphere.
struct UnionOfSubspacesOptions {
  int num_subspaces = 5;          ///< >= 1
  int dimension = 6;              ///< of each subspace, 1 <= dimension <= ambient
  int ambient = 30;               ///< D
  int points_per_subspace = 100;  ///< >= 1; points come grouped by subspace
  double noise = 0.0;             ///< standard deviation per coordinate, finite, >= 0
  std::uint64_t seed = 0;
  std::vector<int> dimensions = {};  ///< one a subspace instead of `dimension`; empty: all equal
  std::vector<int> sizes = {};       ///< points of each subspace instead of points_per_subspace
  int num_outliers = 0;              ///< behind all others, uniform on the unit sphere, truth -1
  bool affine = false;
};
SUBSPACE_API Generated union_of_subspaces(const UnionOfSubspacesOptions& options = {});

/// Manifolds of dimension 3 and 6, one class each: x = f_l(u) with u standard normal and f_l a
/// random network of `layers` hidden layers with Leaky-ReLU (slope 0.2 below 0). Weights and biases
/// are uniform within +-1 / sqrt(fan-in). With biases the manifolds lie apart and can be told by
/// nearness alone; without they are cones that meet at 0, their common tip. This is the synthetic
/// experiment of the NMCE paper; it gives the two dimensions, the slope and the biases, the other
/// numbers are ours.
struct ManifoldMixtureOptions {
  bool biases = true;
  int points_per_manifold = 1000;        ///< >= 1
  std::vector<int> dimensions = {3, 6};  ///< one a manifold, each >= 1
  int ambient = 30;                      ///< D >= 1
  int hidden = 64;                       ///< width of the hidden layers, >= 1
  int layers = 1;                        ///< hidden layers, >= 1
  std::uint64_t seed = 0;
};
SUBSPACE_API Generated manifold_mixture(const ManifoldMixtureOptions& options = {});

/// Two spirals in the plane, each the other's point reflection: x = +-(t cos t, t sin t) + noise *
/// n with t uniform in [1.5 pi, 4.5 pi], of radius up to 14.1. The toy of the NMCE paper.
struct DoubleSpiralOptions {
  int points_per_arm = 1000;  ///< >= 1
  double noise = 0.05;        ///< standard deviation per coordinate, finite, >= 0
  std::uint64_t seed = 0;
};
SUBSPACE_API Generated double_spiral(const DoubleSpiralOptions& options = {});

}  // namespace subspace::datasets
