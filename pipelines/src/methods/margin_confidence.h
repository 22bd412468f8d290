// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/classify/nearest_subspace.h>
#include <subspace/diagnostics/confidence.h>

namespace subspace::pipelines {

/// How much farther the next cluster is than the own, relative to it: at most 1, as where there is
/// no other (`margin` is infinite), and negative where the own is not the nearest.
double relative_margin(double residual, double margin);

/// That of all points, 0 .. 1, and its means.
Confidence margin_confidence(const NearestSubspaces& nearest);

/// Confidence in each label as given, with its means.
Confidence summed_up(Vector points, const Labels& labels);

}  // namespace subspace::pipelines
