// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipeline/pipeline.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// Every method that is subspace::cluster() with some PipelineOptions: self-expression or a
/// neighbour graph, spectral embedding, assignment.
class SpectralPipeline final : public MethodState {
 public:
  explicit SpectralPipeline(PipelineOptions defaults);
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters) const override;

 private:
  PipelineOptions options_;
};

/// The rows of the catalogue that are such pipelines.
MethodDefinition spectral_definition();
MethodDefinition ensc_definition();

}  // namespace subspace::pipelines
