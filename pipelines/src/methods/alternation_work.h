// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "methods/method.h"

namespace subspace::pipelines {

/// Of labels and what stands for the clusters, found in turn from several starts: in every round
/// each point is multiplied with all of the `directions`, the centres or bases of the clusters;
/// `iterations` of all starts.
/// What it takes in memory is left to the caller.
inline Work alternation_work(const Points& points, double directions, double iterations) {
  constexpr double kSlowness = 10.0;  // products with so few columns wait for memory
  const auto values = static_cast<double>(points.X.size());
  return {.multiply_adds = kSlowness * values * directions * iterations};
}

}  // namespace subspace::pipelines
