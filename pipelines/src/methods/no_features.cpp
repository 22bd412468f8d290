// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>

#include "methods/feature_learner.h"
#include "methods/head_clusters.h"
#include "methods/layer_features.h"

// Takes the place of all that learns in a build without LibTorch.
namespace subspace::pipelines {

const std::vector<LearnerDefinition>& learner_definitions() {
  static const std::vector<LearnerDefinition> none;
  return none;
}

Embedding embed_by_model(const Points&, const std::filesystem::path& folder, const std::string&,
                         const Context&) {
  throw InvalidArgument(
      message("--model ", folder.string(), ": this build has no LibTorch, must be one that has"));
}

const std::vector<MethodDefinition>& head_definitions() {
  static const std::vector<MethodDefinition> none;
  return none;
}

Matrix layer_features(const Points&, const std::filesystem::path&, const std::string&, int,
                      const Execution&, const Context&) {
  throw InvalidArgument("a network cannot be used in this build: it has no LibTorch");
}

}  // namespace subspace::pipelines
