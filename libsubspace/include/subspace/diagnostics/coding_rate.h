// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// The distortion (epsilon squared) of the two rates below, where none is given: that of NMCE's
/// features of COIL-20.
inline constexpr double kRateDistortion = 0.01;

/// Nats that it takes to tell a column of X from the others up to the distortion e, the columns
/// being brought to unit length [Ma07]:
///     R(X) = 1/2 logdet(I + D/(N e) X X'),   X: D x N.
/// It is large where the columns fill their space, small where they lie in a subspace. Zero columns
/// stay zero and count in N. Throws InvalidArgument unless e > 0, DataError for an X without
/// samples or with values that are not finite, ResourceError when a matrix of the order
/// min(D, N) does not fit.
/// [Ma07] Y. Ma, H. Derksen, W. Hong, J. Wright. Segmentation of multivariate mixed data via lossy
///        data coding and compression. PAMI 2007.
SUBSPACE_API double coding_rate(const ConstMatrixRef& X, double distortion = kRateDistortion,
                                const Context& context = {});

/// The mean of R over the clusters, each with the share of its points: the part R_c of the coding
/// rate reduction R - R_c [Yu20] that depends on the labels. Of two labelings of the same columns
/// with as many clusters, the one with the smaller value describes them better as subspaces, and no
/// truth is needed to say so. It does not grow when a cluster is split, so numbers of clusters are
/// not to be compared by it. Errors as above; DataError unless each column has a label.
/// [Yu20] Y. Yu, K. Chan, C. You, C. Song, Y. Ma. Learning diverse and discriminative
///        representations via the principle of maximal coding rate reduction. NeurIPS 2020.
SUBSPACE_API double cluster_coding_rate(const ConstMatrixRef& X, const Labels& labels,
                                        double distortion = kRateDistortion,
                                        const Context& context = {});

}  // namespace subspace
