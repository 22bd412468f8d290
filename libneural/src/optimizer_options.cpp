// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/optimizer.h>

#include <cmath>
#include <numbers>

namespace subspace::neural {
namespace {

Parameter decay_rate(const char* name, double& field, const char* help) {
  return parameter(name, field, help).at_least(0.0).at_most(0.9999);
}

}  // namespace

Parameters describe(OptimizerOptions& options) {
  return {
      choice("optimizer", options.optimizer,
             {{"adam", Optimizer::kAdam}, {"sgd", Optimizer::kSgd}, {"lars", Optimizer::kLars}},
             "Adam, SGD with momentum, or SGD scaled layer by layer"),
      parameter("learning_rate", options.learning_rate, "the largest of the run").above(0.0),
      choice("schedule", options.schedule,
             {{"cosine", Schedule::kCosine}, {"none", Schedule::kNone}},
             "the learning rate falls by a cosine to 0, or stays"),
      parameter("schedule_steps", options.schedule_steps,
                "steps after which the cosine is at 0, if more than those of the run; 0: those")
          .at_least(0),
      parameter("warmup", options.warmup, "steps in which the learning rate first rises")
          .at_least(0),
      decay_rate("beta1", options.beta1, "decay of Adam's mean gradient"),
      decay_rate("beta2", options.beta2, "decay of Adam's mean squared gradient"),
      decay_rate("momentum", options.momentum, "of SGD and LARS"),
      parameter("trust", options.trust, "largest step of LARS as a share of a layer's norm")
          .above(0.0)
          .written("eta"),
      parameter("weight_decay", options.weight_decay, "L2 added to the gradient").at_least(0.0),
      parameter("cluster_learning_rate", options.cluster_learning_rate,
                "rate of the cluster head, by SGD and never decayed; 0: as the rest")
          .at_least(0.0),
      parameter("cluster_weight_decay", options.cluster_weight_decay,
                "L2 of the cluster head where it has a rate of its own")
          .at_least(0.0),
  };
}

double learning_rate(const OptimizerOptions& options, std::int64_t step, std::int64_t steps) {
  const double rate = options.learning_rate;
  if (step < options.warmup) return rate * static_cast<double>(step + 1) / options.warmup;
  if (options.schedule == Schedule::kNone) return rate;
  const auto length =
      static_cast<double>(options.schedule_steps > 0 ? options.schedule_steps : steps);
  const auto cosine = [&](std::int64_t t) {
    return 1.0 + std::cos(std::numbers::pi * static_cast<double>(t) / length);
  };
  const double full = options.warmup > 0 ? cosine(options.warmup - 1) : 2.0;
  return rate * cosine(step) / full;
}

}  // namespace subspace::neural
