// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

/// K-subspaces: labels and subspaces S_k that minimise sum_j dist(x_j, S_{label j})^2, by turns:
/// every point to its nearest subspace, every subspace to the principal directions of its points
/// [Bra00, Tse00, Aga04]. k-means is the case of dimension 0 through the means.
/// [Bra00] P. Bradley, O. Mangasarian. k-plane clustering. J. Global Optimization 16, 2000.
/// [Tse00] P. Tseng. Nearest q-flat to m points. J. Optimization Theory and Applications 105, 2000.
/// [Aga04] P. Agarwal, N. Mustafa. k-means projective clustering. PODS 2004.
struct KSubspacesOptions {
  int dimension = 5;  ///< of every subspace; of small clusters, the rank of their points. >= 1
  /// Below 1: once the labels have settled, each subspace is cut to its smallest dimension that
  /// holds this share of the sum of squares (affine: of the variance) of its cluster, and the
  /// descent goes on with these dimensions. 0 < energy <= 1.
  double energy = 1.0;
  bool affine = false;       ///< subspaces through the means of their clusters, else the origin
  int restarts = 10;         ///< starts of ksubspaces(); the lowest objective wins
  int max_iterations = 100;  ///< of one descent
};
SUBSPACE_API Parameters describe(KSubspacesOptions& options);

struct KSubspacesResult {
  Labels labels = {};
  Subspaces model = {};   ///< of the clusters that have points; predict(model, X) gives the labels
  Vector residuals = {};  ///< N: distance of each point from its subspace
  /// Root mean square residual after each assignment. It never rises but at `chosen_at`.
  std::vector<double> objective = {};
  /// Where in `objective` the dimensions chosen by energy begin; 0 when energy is 1.
  int chosen_at = 0;
  int best_restart = 0;
  /// residual: how far labels and subspaces are from answering one another, the largest of
  ///     |(I - B B') Y Y' B| / |Y|^2      that B spans principal directions of its cluster Y,
  ///     |(I - B B') mean(Y)| / rms(Y)    that its points lie around it (affine),
  ///     (own - smallest distance) / |X|  that each point is with its nearest subspace,
  /// recomputed from the answer. Converged: no label changed, or rounding alone changed some.
  SolveInfo info = {};
};

/// From `restarts` random starts. A start draws points one after the other with probability
/// proportional to their squared distance from the subspaces so far, and spans each subspace by a
/// drawn point and its neighbours (by angle; affine: by distance). Start r draws from stream
/// (seed, r) and sums have a fixed order, so the result does not depend on the number of threads.
/// A cluster that loses all its points is given the worst fitted ones, as many as its subspace can
/// hold exactly; it stays empty when all points are fitted exactly. 1 <= k <= N.
SUBSPACE_API KSubspacesResult ksubspaces(const ConstMatrixRef& X, int num_clusters,
                                         const KSubspacesOptions& options = {},
                                         std::uint64_t seed = 0, const Context& context = {});

/// The descent from given labels, any integers, whose names the result keeps. `restarts` has no
/// meaning here.
SUBSPACE_API KSubspacesResult refine(const ConstMatrixRef& X, const Labels& labels,
                                     const KSubspacesOptions& options = {},
                                     const Context& context = {});

}  // namespace subspace
