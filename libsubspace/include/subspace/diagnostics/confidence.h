// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// How sure a labeling is of each point, by the places of the points alone.
struct Confidence {
  Vector points = {};      ///< N, in 0 .. 1
  Labels runners_up = {};  ///< the other label with the nearest centre, the lower among equals
  Labels labels = {};      ///< distinct labels, increasing
  Vector of_labels = {};   ///< mean over the points of each
  double mean = 0.0;
};

/// The margin of each point between its own centre and the next one, like a silhouette [Rou87] with
/// centres in place of all points:
///     max(0, b - a) / b,   a: distance to the centre of the own cluster without the point,
///                          b: distance to the nearest centre of another.
/// 1: at its own centre; 0: as near to another, or nearer. U is a spectral embedding or any other
/// set of points (columns), labels any integers. A point alone in its cluster has no centre to be
/// near to: 0, as the silhouette has it. Zero columns, isolated vertices of an embedding, are no
/// part of any centre and get 0. A single label leaves nothing to confuse: 1, its own runner-up.
/// O(N K dimension).
/// [Rou87] P. Rousseeuw. Silhouettes: a graphical aid to the interpretation and validation of
///         cluster analysis. Journal of Computational and Applied Mathematics 1987.
SUBSPACE_API Confidence label_confidence(const ConstMatrixRef& U, const Labels& labels,
                                         const Context& context = {});

}  // namespace subspace
