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

enum class EmbeddingScale {
  kUnitPoints,  ///< each point's column of U to unit length (Ng, Jordan, Weiss)
  kRandomWalk,  ///< eigenvectors divided by the square root of the degrees (scikit-learn's form)
  /// Eigenvectors of the random walk D^-1 W, each of unit length as an eigensolver returns them,
  /// then each point to unit length. The degrees cancel in the last step, the lengths of the
  /// eigenvectors D^-1/2 u do not: unless all degrees are equal this is not kUnitPoints.
  kUnitWalk,
  kNone,  ///< eigenvectors of the symmetric normalised Laplacian as they are
};

struct EmbeddingOptions {
  EmbeddingScale scale = EmbeddingScale::kUnitPoints;
  int dimensions = 0;       ///< eigenvectors used, k below; 0: as many as clusters
  double tolerance = 1e-8;  ///< largest |A u - lambda u| that counts as solved, A = D^-1/2 W D^-1/2
  int max_restarts = 300;   ///< Lanczos restarts before the dense solver takes over
  /// Loops (the diagonal of W) count, in A and in the degrees; subspace::cluster() sets it to
  /// AffinityOptions::loops.
  bool loops = false;
};
SUBSPACE_API Parameters describe(EmbeddingOptions& options);

/// Leading eigenvectors of A = D^-1/2 W D^-1/2, the lowest of the normalised Laplacian I - A.
struct Embedding {
  Matrix points = {};       ///< k x N, a column a point, so k-means takes it as it takes X
  Vector eigenvalues = {};  ///< of A, decreasing, k of them; NaN for rows without an eigenvector
  int num_components = 0;   ///< connected components with at least one edge
  Index num_isolated = 0;   ///< vertices without an edge: zero columns of `points`
  bool loops = false;       ///< whether the diagonal of W counted
  SolveInfo info = {};      ///< residual: largest |A u - lambda u| over the pairs, recomputed
  std::string solver = {};  ///< "lanczos", "dense", "components" or a mix "lanczos+dense"
  std::vector<std::string> warnings = {};
};

/// Spectral embedding of a symmetric, non-negative affinity. Unless options.loops, the diagonal is
/// ignored, also in the degrees, as SciPy's normalised Laplacian does; a vertex whose only edge is
/// a loop is isolated either way. Disconnected graphs are handled on
/// purpose: eigenpairs are found component by component (so repeated eigenvalues across components
/// are never missed) and merged by eigenvalue. With c >= k components the embedding is the
/// indicator of k groups: components themselves when c = k; when c > k the two smallest groups
/// (ties: the later ones) are merged until k remain, with a warning. Isolated vertices get a zero
/// column and belong to no component; when there is no edge at all the embedding is zero, with a
/// warning. A graph has as many eigenvectors as vertices with an edge: rows of `points` beyond that
/// are zero, with a warning. The sign of each eigenvector makes its entry of largest magnitude
/// positive.
///
/// Within a component: Lanczos (Spectra) on the complement of the known first eigenvector, with
/// products by A or by a sparse factor of its shifted inverse, never a dense Laplacian. Each run is
/// followed by one on the complement of what was found, so multiple eigenvalues are not missed; the
/// pairs are checked against `tolerance`, and small or failed components go to a dense solver.
///
/// Throws DataError for a W that is not square, finite, non-negative and symmetric, naming the
/// entry, and for num_clusters outside 1 .. N.
SUBSPACE_API Embedding spectral_embedding(const SparseMatrix& W, int num_clusters,
                                          const EmbeddingOptions& options = {},
                                          std::uint64_t seed = 0, const Context& context = {});

}  // namespace subspace
