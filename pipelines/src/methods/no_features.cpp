// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/feature_learner.h"

// Takes the place of the learners in a build without LibTorch.
namespace subspace::pipelines {

const std::vector<LearnerDefinition>& learner_definitions() {
  static const std::vector<LearnerDefinition> none;
  return none;
}

}  // namespace subspace::pipelines
