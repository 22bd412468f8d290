// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/cluster/lossy_coding.h>
#include <subspace/preprocess/normalize.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// Clusters of the smallest coding rate, on the points themselves.
class LossyCodingPoints final : public MethodState {
 public:
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  bool starts_from_labels() const override { return true; }
  std::optional<ModelPlan> model_plan() const override {
    return ModelPlan{.preprocess = preprocess_};
  }

 private:
  PreprocessOptions preprocess_;
  LossyCodingOptions coding_;
};

MethodDefinition lossy_coding_definition();

}  // namespace subspace::pipelines
