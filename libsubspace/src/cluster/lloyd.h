// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/cluster/kmeans.h>

#include "cluster/centered_points.h"
#include "cluster/seeding.h"

namespace subspace {

/// The end of one start, in the coordinates of the centred points.
struct LloydResult {
  Labels labels = {};
  Matrix centers = {};
  double inertia = 0.0;
  SolveInfo info = {};
};

/// Lloyd's iteration from the given seeds. Points whose bounds on the distances to their own and to
/// the nearest other centre [Ham10] show that they stay are skipped; the others go through one
/// GEMM. [Ham10] G. Hamerly. Making k-means even faster. SDM 2010.
LloydResult lloyd(const CenteredPoints& points, Seeds seeds, const KMeansOptions& options,
                  const Context& context);

}  // namespace subspace
