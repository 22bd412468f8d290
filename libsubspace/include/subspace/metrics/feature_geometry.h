// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

/// X X' / N, D x D: the covariance of the papers on coding rate, which subtract no mean.
SUBSPACE_API Matrix second_moment(const ConstMatrixRef& X, const Context& context = {});

/// How many directions a point set fills, and how evenly.
struct Spectrum {
  Vector singular_values = {};  ///< min(D, N), decreasing, over the largest; zeros of zero points
  double largest = 0.0;         ///< the largest singular value itself
  /// exp of the entropy of the singular values as shares of their sum [Roy07]; from 1 to min(D, N),
  /// 0 of zero points.
  double effective_rank = 0.0;
};
/// Of X as it is, uncentred. Singular values come from the moment matrix: those below 1e-8 of the
/// largest are rounding. [Roy07] O. Roy, M. Vetterli. The effective rank. EUSIPCO 2007.
SUBSPACE_API Spectrum spectrum(const ConstMatrixRef& X, const Context& context = {});

/// The same of each cluster.
struct ClusterSpectra {
  Labels clusters = {};  ///< distinct labels, increasing
  std::vector<Spectrum> spectra = {};
};
SUBSPACE_API ClusterSpectra cluster_spectra(const ConstMatrixRef& X, const Labels& labels,
                                            const Context& context = {});

struct CosineOptions {
  /// All pairs up to this many points; beyond, all pairs of a random choice of about this many,
  /// with each cluster in proportion and at least two of each.
  int max_points = 20000;
};
SUBSPACE_API Parameters describe(CosineOptions& options);

/// Mean |cos| between the points of two clusters, and of one. A zero point has |cos| = 0 with all.
struct CosineTable {
  Labels clusters = {};  ///< distinct labels, increasing; K
  Matrix means = {};     ///< K x K; the diagonal over pairs of distinct points, NaN for one point
  /// Mean of the diagonal over the clusters with two points or more; NaN when there are none.
  double within = std::numeric_limits<double>::quiet_NaN();
  /// Mean over all pairs of points in different clusters; NaN of one cluster.
  double between = std::numeric_limits<double>::quiet_NaN();
  bool exact = true;  ///< all pairs of all points
};
SUBSPACE_API CosineTable absolute_cosines(const ConstMatrixRef& X, const Labels& labels,
                                          const CosineOptions& options = {}, std::uint64_t seed = 0,
                                          const Context& context = {});

struct ExemplarOptions {
  int directions = 10;  ///< leading principal directions of each cluster; all where it has fewer
  int points = 10;      ///< points for each direction; all where the cluster has fewer
  /// A point stands under the first direction that takes it only, of points that coincide, up to a
  /// positive factor, the first one, and none under a direction it is orthogonal to: nothing is
  /// shown twice, or where it does not belong. There may be fewer then, or none.
  bool distinct = false;
};
SUBSPACE_API Parameters describe(ExemplarOptions& options);

/// The points of one cluster that show best what its principal directions stand for.
struct Exemplars {
  int cluster = 0;         ///< its label
  Matrix directions = {};  ///< D x directions, orthonormal, by decreasing energy, uncentred
  /// For each direction the points of the cluster by decreasing |cos| with it, equal ones by index.
  std::vector<std::vector<Index>> points = {};
};
SUBSPACE_API std::vector<Exemplars> principal_exemplars(const ConstMatrixRef& X,
                                                        const Labels& labels,
                                                        const ExemplarOptions& options = {},
                                                        const Context& context = {});

}  // namespace subspace
