// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

struct NeighborMapOptions {
  /// How many neighbours count, softly. At most a third of the other points can: more means that.
  double perplexity = 30.0;
  int iterations = 400;
  /// Attraction is this many times stronger at first, so that clusters gather before they settle.
  double exaggeration = 12.0;
  int exaggerated_iterations = 100;  ///< of all iterations, the first ones
};
SUBSPACE_API Parameters describe(NeighborMapOptions& options);

/// A map of the columns of X in the plane, 2 x N, in which neighbours stay neighbours: t-SNE. It
/// minimises
///
///   KL(P | Q) = sum_ij p_ij log(p_ij / q_ij),   q_ij = w_ij / sum_kl w_kl,
///   w_ij = 1 / (1 + |y_i - y_j|^2),   w_ii = 0,
///
/// where p_ij = (p_j|i + p_i|j) / 2N, and p_j|i is a Gaussian around x_i over its 3 * perplexity
/// nearest neighbours, as wide as the perplexity asks. Descent with momentum and gains as published
/// [Maa08]; it starts at the two leading principal directions, so the large arrangement is that of
/// the data, with the step N / (4 exaggeration) of [Bel19]. Distances between far groups mean
/// little; the axes mean nothing.
///
/// O(N^2) work an iteration, in parallel; memory for 6 * perplexity similarities a point. The
/// result depends on X, options and seed (which parts duplicates), not on the number of threads.
/// One point is at the origin. Throws DataError for X that is empty or not finite, InvalidArgument
/// for options out of range.
///
/// [Maa08] L. van der Maaten, G. Hinton. Visualizing data using t-SNE. JMLR 9, 2008.
/// [Bel19] A. Belkina et al. Automated optimized parameters for t-distributed stochastic neighbor
/// embedding. Nature Communications 10, 2019.
SUBSPACE_API Matrix neighbor_map(const ConstMatrixRef& X, const NeighborMapOptions& options = {},
                                 std::uint64_t seed = 0, const Context& context = {});

}  // namespace subspace
