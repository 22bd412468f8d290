// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/objective.h>

#include <array>
#include <utility>

#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

constexpr std::array<std::pair<Objective, const char*>, 6> kNames = {
    {{Objective::kTcr, "tcr"},
     {Objective::kNmce, "nmce"},
     {Objective::kMcr2, "mcr2"},
     {Objective::kSimclr, "simclr"},
     {Objective::kVicreg, "vicreg"},
     {Objective::kBarlow, "barlow"}}};

Parameter describe_distortion(ObjectiveOptions& options) {
  return parameter("distortion", options.distortion, "epsilon squared of the coding rate")
      .above(0.0)
      .written("e");
}

Parameter describe_similarity(ObjectiveOptions& options) {
  return parameter("similarity", options.similarity, "weight of the agreement of two views")
      .at_least(0.0)
      .written("lambda");
}

Parameters describe_tcr(ObjectiveOptions& options) {
  return {describe_distortion(options), describe_similarity(options),
          choice("rate_of", options.rate_of,
                 {{"mean-view", RateOf::kMeanView}, {"each-view", RateOf::kEachView}},
                 "coding rate of the mean of two views, or the mean of theirs")};
}

Parameters describe_nmce(ObjectiveOptions& options) {
  return {describe_distortion(options), describe_similarity(options),
          parameter("temperature", options.temperature, "of the Gumbel-Softmax assignments")
              .above(0.0)
              .written("tau"),
          parameter("straight_through", options.straight_through,
                    "one-hot assignments, with the gradient of the soft ones")};
}

Parameters describe_mcr2(ObjectiveOptions& options) {
  return {parameter("views", options.views, "random views of an image in a step").at_least(2),
          describe_distortion(options),
          parameter("rate_scale", options.rate_scale, "factor inside the rate of all")
              .above(0.0)
              .written("gamma1"),
          parameter("rate_weight", options.rate_weight, "factor before the rate of all")
              .above(0.0)
              .written("gamma2")};
}

Parameters describe_simclr(ObjectiveOptions& options) {
  return {
      parameter("temperature", options.temperature, "of the cosines").above(0.0).written("tau"),
      parameter("decoupled", options.decoupled, "leave the positive pair out of the denominator")};
}

Parameters describe_vicreg(ObjectiveOptions& options) {
  return {
      parameter("invariance", options.invariance, "weight of the distance of two views")
          .at_least(0.0),
      parameter("variance", options.variance, "weight of the hinge on standard deviations")
          .at_least(0.0),
      parameter("covariance", options.covariance, "weight of squared covariances").at_least(0.0)};
}

Parameters describe_barlow(ObjectiveOptions& options) {
  return {parameter("redundancy", options.redundancy, "weight of the off-diagonal correlations")
              .at_least(0.0)};
}

}  // namespace

ObjectiveOptions objective_options(Objective objective) {
  ObjectiveOptions options;
  options.objective = objective;
  if (objective == Objective::kMcr2) {
    options.views = 50;
    options.distortion = 0.5;
  }
  if (objective == Objective::kSimclr) options.temperature = 0.5;
  return options;
}

std::string objective_name(Objective objective) {
  for (const auto& [each, name] : kNames) {
    if (each == objective) return name;
  }
  return "?";
}

Objective objective_of(const std::string& name) {
  for (const auto& [objective, each] : kNames) {
    if (name == each) return objective;
  }
  throw InvalidArgument(
      message("objective = '", name, "', must be one of tcr, nmce, mcr2, simclr, vicreg, barlow"));
}

Parameters describe(ObjectiveOptions& options) {
  switch (options.objective) {
    case Objective::kTcr:
      return describe_tcr(options);
    case Objective::kNmce:
      return describe_nmce(options);
    case Objective::kMcr2:
      return describe_mcr2(options);
    case Objective::kSimclr:
      return describe_simclr(options);
    case Objective::kVicreg:
      return describe_vicreg(options);
    case Objective::kBarlow:
      return describe_barlow(options);
  }
  return {};
}

}  // namespace subspace::neural
