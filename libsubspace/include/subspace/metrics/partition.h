// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/metrics/assignment.h>

namespace subspace {

/// Agreement of two labelings of the same points. Labels are any integers; only the partition
/// counts.
struct PartitionMetrics {
  double acc = 0.0;             ///< best one-to-one matching of clusters and classes (Hungarian)
  double acc_greedy = 0.0;      ///< largest count first, as the NMCE code matches; never above acc
  double nmi_arithmetic = 0.0;  ///< mutual information over the arithmetic mean of the entropies
  double nmi_geometric = 0.0;
  double nmi_max = 0.0;
  double ami = 0.0;     ///< adjusted for chance, arithmetic mean
  double ari = 0.0;     ///< adjusted Rand index
  double purity = 0.0;  ///< many-to-one: each cluster counts its largest class
};

/// Table of counts: rows are the distinct values of `labels`, columns those of `truth`, both
/// sorted.
SUBSPACE_API CountMatrix contingency(const Labels& labels, const Labels& truth);

/// All metrics from one pass. Values at the edges are scikit-learn's: two single-cluster partitions
/// agree perfectly. Throws DataError when the lengths differ or are zero.
SUBSPACE_API PartitionMetrics evaluate_partition(const Labels& labels, const Labels& truth);

}  // namespace subspace
