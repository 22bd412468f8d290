// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/diagnostics/coding_rate.h>
#include <subspace/pipelines/outcome.h>

#include "methods/kept_bytes.h"

namespace subspace::pipelines {

/// The signal `rate` of the labels an outcome has of these points; none of a single cluster, which
/// leaves nothing to compare. Where it does not fit into memory beside the points and the outcome
/// it is left out with a warning: the run itself has ended well.
inline void add_rate_signal(const Matrix& points, Outcome& outcome, const Context& context) {
  const Labels& labels = outcome.labels;
  if (std::ranges::all_of(labels, [&](int label) { return label == labels.front(); })) return;
  const Context rest = beside(context, bytes_of(points) + kept_bytes(outcome));
  try {
    outcome.signals.emplace_back("rate",
                                 cluster_coding_rate(points, labels, kRateDistortion, rest));
  } catch (const ResourceError& error) {
    outcome.warnings.push_back(message("no coding rate of the clusters: ", error.what()));
  }
}

}  // namespace subspace::pipelines
