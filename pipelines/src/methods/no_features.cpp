// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>

#include "methods/feature_learner.h"
#include "methods/head_clusters.h"

// Takes the place of all that learns in a build without LibTorch.
namespace subspace::pipelines {

const std::vector<LearnerDefinition>& learner_definitions() {
  static const std::vector<LearnerDefinition> none;
  return none;
}

Embedding embed_by_model(const Points&, const std::filesystem::path& folder, const ReadOut&,
                         const Execution&, const Context&) {
  throw InvalidArgument(
      message("--model ", folder.string(), ": this build has no LibTorch, must be one that has"));
}

double embedding_bytes(const Points&, const std::filesystem::path&) { return 0.0; }  // makes none

const std::vector<MethodDefinition>& head_definitions() {
  static const std::vector<MethodDefinition> none;
  return none;
}

}  // namespace subspace::pipelines
