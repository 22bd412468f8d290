// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/cluster/kmeans.h>
#include <subspace/preprocess/normalize.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// k-means on the points themselves, the baseline that knows nothing of subspaces.
class KMeansPoints final : public MethodState {
 public:
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  std::optional<ModelPlan> model_plan() const override {
    return ModelPlan{.preprocess = preprocess_, .centers = true};
  }

 private:
  PreprocessOptions preprocess_;
  KMeansOptions kmeans_;
};

MethodDefinition kmeans_definition();

}  // namespace subspace::pipelines
