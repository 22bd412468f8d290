// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/datasets/image.h>
#include <subspace/pipelines/results.h>

namespace subspace::pipelines {

/// Sides of the heat map and points of the map are limited to these.
inline constexpr int kHeatMapSide = 96;
inline constexpr Index kMapPoints = 5000;

/// Limits of the geometry of features: covariances are drawn up to so many dimensions, on squares
/// of at most these sides, and for the first so many clusters; singular values of sets whose
/// smaller side is at most kSpectrumSide, and the leading ones of them.
inline constexpr Index kCovarianceDimensions = 512;
inline constexpr int kCovarianceSide = 96;
inline constexpr int kClusterCovarianceSide = 40;
inline constexpr std::size_t kCovarianceClusters = 20;
inline constexpr Index kSpectrumSide = 2048;
inline constexpr Index kSingularValues = 128;
/// Pictures closest to the principal directions of a cluster: so many of each of so many.
inline constexpr int kClosestDirections = 3;
inline constexpr int kClosestPoints = 4;

/// Pictures of a clustering.
///
/// affinity: points by label, those of one label in their own order, the means of blocks on a
/// square of at most kHeatMapSide. A level is 255 (mean / m)^1/2, m being the 98th percentile of
/// the means that are not zero: few very strong blocks shall not make all others vanish. The
/// diagonal of W is left out, as it is from the embedding.
///
/// eigenvalues: the lowest K + 10 (at most N) of the normalised Laplacian, as spectral_embedding()
/// has it: points without an edge have none. Empty where there is no affinity or K >= N.
///
/// map: neighbor_map() of the embedding, scaled into the unit square by one factor for both axes;
/// of more than kMapPoints points every n-th. Points that share a place are laid out around it, so
/// that each can be seen. Empty where there is no embedding.
///
/// geometry: make_geometry() of the features; empty where there are none.
///
/// Throws DataError when labels, embedding, affinity and features do not have one length or a label
/// is outside 0 .. K - 1.
SUBSPACE_API Figures make_figures(const Evidence& evidence, const Labels& labels, int num_clusters,
                                  std::uint64_t seed, const Context& context = {});

/// The shape of the columns of X and of each cluster of them, `of` says what they are.
///
/// singular_values, effective_rank: spectrum(), uncentred.
///
/// covariance: |X X' / N| in the means of blocks; a level is 255 |c| / m, m being the largest. The
/// order of the dimensions is one for all pictures: each stands with the cluster that varies most
/// along it, the strongest first. A diagonal thereby stays a diagonal, and clusters that have
/// dimensions of their own show as blocks.
///
/// closest: principal_exemplars(), distinct, of the directions that the cluster does extend in.
///
/// Throws DataError when labels are not one a column.
SUBSPACE_API FeatureGeometry make_geometry(const ConstMatrixRef& X, const std::string& of,
                                           const Labels& labels, const Context& context = {});

/// Pictures of the columns of X, at most side x side each, side by side on one sheet that is about
/// square. Sheets have at most about ten million pixels: more than 10 000 pictures of 32 x 32 make
/// these smaller, down to 12 x 12; what does not fit then (beyond some 70 000 pictures) is left
/// out, the last ones first, and `count` says how many there are. A side below 12 is taken as it
/// is.
SUBSPACE_API ThumbnailSheet make_thumbnails(const ConstMatrixRef& X,
                                            const datasets::ImageShape& shape, int side = 32);

}  // namespace subspace::pipelines
