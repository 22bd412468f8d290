// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/tcr.h>

namespace subspace::neural {
namespace {

void append(Parameters& all, Parameters more) {
  for (Parameter& parameter : more) all.push_back(std::move(parameter));
}

Parameters describe_objective(TcrOptions& options) {
  return {
      parameter("steps", options.steps, "steps of training").at_least(1),
      parameter("batch", options.batch, "images of a step, two views each; 0: all").at_least(0),
      parameter("distortion", options.distortion, "epsilon squared of the coding rate")
          .above(0.0)
          .written("e"),
      parameter("similarity", options.similarity, "weight of the agreement of two views")
          .at_least(0.0)
          .written("lambda"),
  };
}

Parameters describe_optimiser(TcrOptions& options) {
  return {
      parameter("learning_rate", options.learning_rate, "of Adam at the first step").above(0.0),
      choice("schedule", options.schedule,
             {{"cosine", Schedule::kCosine}, {"none", Schedule::kNone}},
             "the learning rate falls by a cosine to 0, or stays"),
      parameter("beta1", options.beta1, "decay of Adam's mean gradient")
          .at_least(0.0)
          .at_most(0.9999),
      parameter("beta2", options.beta2, "decay of Adam's mean squared gradient")
          .at_least(0.0)
          .at_most(0.9999),
      parameter("weight_decay", options.weight_decay, "L2 added to the gradient").at_least(0.0),
  };
}

}  // namespace

Parameters describe(TcrOptions& options) {
  Parameters all = describe_objective(options);
  append(all, describe_optimiser(options));
  append(all, describe(options.network));
  append(all, describe(options.augmentation));
  return all;
}

}  // namespace subspace::neural
