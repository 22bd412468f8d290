// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "methods/feature_learner.h"

namespace subspace::pipelines {

/// `features+clusterer`: learns features of pictures, then clusters the features as points. Without
/// a clusterer it can learn and not run.
class LearnedFeatures final : public MethodState {
 public:
  LearnedFeatures(std::string learner_name, std::unique_ptr<FeatureLearner> learner,
                  std::unique_ptr<MethodState> clusterer);
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  bool estimates_count() const override {
    return clusterer_ != nullptr && clusterer_->estimates_count();
  }
  std::optional<ModelPlan> model_plan() const override {
    return clusterer_ == nullptr ? std::nullopt : clusterer_->model_plan();
  }
  std::vector<std::string> learned_stages() const override { return {learner_name_}; }
  std::vector<std::string> training_keys(int num_clusters) const override;
  Features learn(const Points& points, const Execution& execution,
                 const Context& context) const override;
  ModelInfo use_model(const std::filesystem::path& folder) override;

 private:
  void add_curve_point(int step, const Features& last, const Points& points, int num_clusters,
                       const Execution& execution, const Context& context, Outcome& outcome) const;

  std::string learner_name_;
  std::unique_ptr<FeatureLearner> learner_;
  std::unique_ptr<MethodState> clusterer_;
};

}  // namespace subspace::pipelines
