// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/error.h>
#include <subspace/diagnostics/coding_rate.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// The signal `rate` of the labels an outcome has of these points. A run that ends well does not
/// fail for want of it: where it does not fit into memory it is left out.
inline void add_rate_signal(const Matrix& points, Outcome& outcome, const Context& context) {
  try {
    outcome.signals.emplace_back(
        "rate", cluster_coding_rate(points, outcome.labels, kRateDistortion, context));
  } catch (const ResourceError&) {
  }
}

}  // namespace subspace::pipelines
