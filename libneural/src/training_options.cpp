// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/training.h>

namespace subspace::neural {
namespace {

void append(Parameters& all, Parameters more) {
  for (Parameter& parameter : more) all.push_back(std::move(parameter));
}

Parameters describe_steps(TrainingOptions& options) {
  return {
      parameter("steps", options.steps, "steps of training").at_least(1),
      parameter("batch", options.batch, "images of a step, with all their views; 0: all")
          .at_least(0),
      choice("gradient", options.gradient,
             {{"whole", GradientMode::kWhole}, {"ghost-bn", GradientMode::kGhostBn}},
             "in one pass, or in two over micro-batches: less memory, and batch normalisation "
             "sees one of them at a time"),
      parameter("micro_batch", options.micro_batch, "images of a pass of ghost-bn").at_least(2),
      choice("trained", options.trained,
             {{"all", TrainedPart::kAll},
              {"heads", TrainedPart::kHeads},
              {"all-but-hidden", TrainedPart::kAllButHidden}},
             "what is trained; the rest stays as it starts"),
  };
}

}  // namespace

Parameters describe(TrainingOptions& options) {
  Parameters all = describe_steps(options);
  append(all, describe(options.objective));
  append(all, describe(options.optimizer));
  append(all, describe(options.network));
  append(all, describe(options.augmentation));
  return all;
}

}  // namespace subspace::neural
