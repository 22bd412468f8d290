// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

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
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  bool estimates_count() const override { return true; }
  std::optional<ModelPlan> model_plan() const override;
  const PipelineOptions& pipeline() const { return options_; }

 private:
  Parameters affinity_parameters();

  PipelineOptions options_;
  std::string postprocess_ = "none";
};

/// The options of all that comes behind the affinity.
void append_assignment_stages(std::vector<MethodOption>& all, PipelineOptions& options);

/// What the pipeline found, as every method tells it.
Outcome outcome_of(ClusteringResult result, const Execution& execution, NamedValues certificate,
                   const Context& context);

/// The options with what a run adds to them.
PipelineOptions with_execution(PipelineOptions options, int num_clusters,
                               const Execution& execution);

/// The rows of the catalogue that are such pipelines, in the order they are listed.
const std::vector<MethodDefinition>& spectral_definitions();

}  // namespace subspace::pipelines
