// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipeline/pipeline.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// What such a pipeline will take on so many points of this dimension, as it is preprocessed: the
/// predicted peak of memory, and the work to the order of magnitude. The constants of the latter
/// are those that the recorded tables (docs/results) came to, each within a few times.
Work spectral_work(const PipelineOptions& options, Index num_points, Index dimension,
                   int num_clusters, const Context& context);

}  // namespace subspace::pipelines
