// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/cluster/ksubspaces.h>
#include <subspace/preprocess/normalize.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// K-subspaces on the points themselves.
class KSubspacesPoints final : public MethodState {
 public:
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  bool starts_from_labels() const override { return true; }
  std::optional<ModelPlan> model_plan() const override {
    return ModelPlan{.preprocess = preprocess_,
                     .affine = ksubspaces_.affine,
                     .dimension = ksubspaces_.energy < 1.0 ? 0 : ksubspaces_.dimension,
                     .energy = ksubspaces_.energy};
  }

 private:
  PreprocessOptions preprocess_;
  KSubspacesOptions ksubspaces_;
};

MethodDefinition ksubspaces_definition();

}  // namespace subspace::pipelines
