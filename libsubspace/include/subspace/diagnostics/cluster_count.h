// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

struct ClusterCountOptions {
  int max_clusters = 20;  ///< largest number tried, at least 2; cut to one less than the points
  bool loops = false;     ///< as in EmbeddingOptions
};
SUBSPACE_API Parameters describe(ClusterCountOptions& options);

/// One number of clusters and what speaks for it.
struct ClusterCountCandidate {
  int num_clusters = 0;
  double gap = 0.0;  ///< lambda_{k+1} - lambda_k
};

struct ClusterCount {
  int num_clusters = 0;  ///< the choice
  /// How clear it is, 0 .. 1: 1 - (next best gap)/(best gap), the gap of one cluster included. 0
  /// when one cluster has the widest gap of all, or when the candidates do not reach far enough.
  double clarity = 0.0;
  double gap = 0.0;                                    ///< of the choice; NaN if not a candidate
  std::vector<ClusterCountCandidate> candidates = {};  ///< k = 2, 3, ...
  /// Of the normalised Laplacian, increasing, one more than the largest candidate (fewer when fewer
  /// vertices have an edge). As many are zero as the graph has components.
  Vector eigenvalues = {};
  int num_components = 0;  ///< connected components with at least one edge
  Index num_isolated = 0;  ///< vertices without an edge: they speak for no number
  SolveInfo info = {};     ///< of the eigenvalues, see Embedding
  std::vector<std::string> warnings = {};
};

/// Estimates the number of clusters of a symmetric, non-negative affinity by its eigengap [Lux07]:
/// k groups with few edges between them make k eigenvalues of the normalised Laplacian small, so
/// the k with the widest gap to the next is chosen, the smallest among equals. Components are
/// counted exactly, not by small eigenvalues. A graph with more components than max_clusters is as
/// many clusters at least: the choice is their number, with a warning and no clarity. Without an
/// edge, or with two points, there are no candidates and the choice is the number of components, at
/// least 1. Throws DataError for a W that is not square, finite, non-negative and symmetric.
/// [Lux07] U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 2007.
SUBSPACE_API ClusterCount estimate_cluster_count(const SparseMatrix& W,
                                                 const ClusterCountOptions& options = {},
                                                 std::uint64_t seed = 0,
                                                 const Context& context = {});

}  // namespace subspace
