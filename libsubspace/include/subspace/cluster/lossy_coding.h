// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>
#include <subspace/diagnostics/coding_rate.h>

namespace subspace {

/// Labels that need the fewest nats: of all partitions of the columns of X (brought to unit length)
/// into K clusters, one with the smallest cluster_coding_rate(),
///     min  sum_k m_k/(2N) logdet(I + D/(m_k e) X_k X_k'),     X_k: the m_k points of cluster k.
/// This is what the clusters of NMCE minimise once its features stay as they are, and the coding
/// length of [Ma07] for a given K, without the share for the memberships. No dimension of a
/// subspace and no neighbour enters. Found by descent: single points move while that lowers the
/// sum; then every cluster is split in parts at random, which settle among themselves, and the
/// cheapest merges bring them back to K [Ma07]; what lowers the sum is kept.
/// [Ma07] Y. Ma, H. Derksen, W. Hong, J. Wright. Segmentation of multivariate mixed data via lossy
///        data coding and compression. PAMI 2007.
struct LossyCodingOptions {
  double distortion = kRateDistortion;  ///< e, epsilon squared, > 0
  /// The search ends after so many rounds of splits and merges in a row that find nothing better;
  /// 0: the descent of single points alone.
  int rounds = 24;
};
SUBSPACE_API Parameters describe(LossyCodingOptions& options);

struct LossyCodingResult {
  Labels labels = {};              ///< every cluster 0 .. K-1 has points
  double rate = 0.0;               ///< cluster_coding_rate() of the labels
  std::vector<double> rates = {};  ///< the best after the first descent and each round; never rises
  /// residual: by how much, relative to the sum, the best move of a single point would still lower
  /// it, recomputed from the answer. Converged: no move does by more than its rounding, which grows
  /// with D/e; one that seemed to was made and measured. iterations: of all descents but those of a
  /// cluster's own parts.
  SolveInfo info = {};
};

/// From k-means. In round r cluster k draws from stream (seed, r K + k) and sums have a fixed
/// order, so the result does not depend on the number of threads. 1 <= K <= N. Zero points cost
/// nothing but their share of a cluster and may be anywhere.
SUBSPACE_API LossyCodingResult lossy_coding(const ConstMatrixRef& X, int num_clusters,
                                            const LossyCodingOptions& options = {},
                                            std::uint64_t seed = 0, const Context& context = {});

/// From given labels, any integers, whose names the result keeps.
SUBSPACE_API LossyCodingResult refine_by_coding(const ConstMatrixRef& X, const Labels& labels,
                                                const LossyCodingOptions& options,
                                                std::uint64_t seed = 0,
                                                const Context& context = {});

}  // namespace subspace
