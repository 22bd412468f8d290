// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

enum class Metric {
  kEuclidean,       ///< |x - y|
  kAbsoluteCosine,  ///< 1 - |cos(x, y)|: a line through the origin is one point
  kCosine,          ///< 1 - cos(x, y): a ray from the origin is one point
};

/// The k nearest other points of every point, by increasing distance, equal ones by index.
struct Neighbors {
  int k = 0;
  std::vector<int> indices = {};       ///< k per point: neighbour m of point j at j * k + m
  std::vector<double> distances = {};  ///< same layout
};

/// Exact nearest neighbours by blocked GEMM: O(N^2 D) work, O(tile x tile) memory beyond the
/// result. Distances of the winners are recomputed directly, without the cancellation of |x|^2 +
/// |y|^2 - 2x'y, and candidates within the rounding error of the k-th are re-ranked, so the result
/// is the exact one. A point is never its own neighbour; duplicates are neighbours at distance 0. 1
/// <= k <= N - 1.
SUBSPACE_API Neighbors nearest_neighbors(const ConstMatrixRef& X, int k, Metric metric,
                                         const Context& context = {});

/// For every column of `queries` the k nearest columns of `reference`, found as exactly; neighbour
/// m of query j, at j * k + m, is a column of the reference. A query that is itself in the
/// reference is its own neighbour at distance 0. Both sets are copied. 1 <= k <= columns of the
/// reference.
SUBSPACE_API Neighbors nearest_neighbors(const ConstMatrixRef& reference,
                                         const ConstMatrixRef& queries, int k, Metric metric,
                                         const Context& context = {});

/// Options of the symmetric neighbour graph W = (G + G')/2, G_ij = cos(i, j)^power when j is among
/// the k nearest of i, in the cosine of the metric and without edges where that is negative; 1
/// where the power is 0.
struct NeighborGraphOptions {
  int k = 5;
  Metric metric = Metric::kEuclidean;
  /// Adds each point to its own neighbours (a loop of weight 1), as scikit-learn's
  /// SpectralClustering(affinity="nearest_neighbors") does; k then counts the point itself.
  bool include_self = false;
  /// An edge to a neighbour that is farther than the others then counts less: near 0, cos^p is the
  /// Gaussian exp(-p angle^2 / 2). 0 for kEuclidean.
  double power = 0.0;
};
SUBSPACE_API Parameters describe(NeighborGraphOptions& options);

/// More neighbours than there are other points mean all of them; cluster() then leaves a warning.
SUBSPACE_API SparseMatrix neighbor_graph(const ConstMatrixRef& X,
                                         const NeighborGraphOptions& options,
                                         const Context& context = {});

}  // namespace subspace
