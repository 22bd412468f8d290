// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "unused_options.h"

#include <algorithm>
#include <string_view>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

enum class Counts { kWith, kWithout };

/// An option counts only while another has one of some values. An empty stage is any, and then the
/// stage of both; an empty name is every option of the stage.
struct Condition {
  std::string_view stage;
  std::string_view name;
  std::string_view other_stage;
  std::string_view other_name;
  std::vector<std::string_view> values;
  Counts counts = Counts::kWith;  ///< with one of the values, or with any other
};

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> all = {
      {"affinity", "keep_of", "affinity", "keep", {"1"}, Counts::kWithout},
      {"affinity", "top", "affinity", "kind", {"unit-columns"}},
      {"affinity", "neighbors", "affinity", "kind", {"neighbors"}},
      {"affinity", "dimension", "affinity", "kind", {"low-rank"}},
      {"affinity", "power", "affinity", "kind", {"low-rank"}},
      {"affinity", "symmetrize", "affinity", "kind", {"low-rank"}},
      {"affinity", "unit_diagonal", "affinity", "kind", {"low-rank"}},
      {"affinity", "positive", "affinity", "kind", {"low-rank"}},
      {"kmeans", "", "assignment", "algorithm", {"kmeans"}},
      {"discretize", "", "assignment", "algorithm", {"discretize"}},
      {"kssc", "degree", "kssc", "kernel", {"polynomial"}},
      {"kssc", "offset", "kssc", "kernel", {"polynomial"}},
      {"kssc", "sigma", "kssc", "kernel", {"gaussian"}},
      {"kssc", "sigma_scale", "kssc", "kernel", {"gaussian"}},
      {"kssc", "sigma_scale", "kssc", "sigma", {"0"}},
      {"ssc", "outlier_alpha", "ssc", "outliers", {"true"}},
      {"ssc", "tolerance", "ssc", "solver", {"active-set", "admm", "osqp"}},
      {"kssc", "tolerance", "kssc", "solver", {"active-set", "admm", "osqp"}},
      {"ssc", "max_rounds", "ssc", "solver", {"active-set"}},
      {"kssc", "max_rounds", "kssc", "solver", {"active-set"}},
      {"ssc", "max_iterations", "ssc", "solver", {"admm"}},
      {"kssc", "max_iterations", "kssc", "solver", {"admm"}},
      {"lrr", "lambda", "lrr", "noise_free", {"false"}},
      {"lrr", "schedule", "lrr", "noise_free", {"false"}},
      {"lrr", "tolerance", "lrr", "noise_free", {"false"}},
      {"lrr", "tolerance", "lrr", "schedule", {"balanced"}},
      {"lrr", "max_iterations", "lrr", "noise_free", {"false"}},
      {"edsc", "lambda", "edsc", "outliers", {"false"}},
      {"edsc", "fit_weight", "edsc", "outliers", {"true"}},
      {"edsc", "outlier_weight", "edsc", "outliers", {"true"}},
      {"edsc", "growth", "edsc", "outliers", {"true"}},
      {"edsc", "max_iterations", "edsc", "outliers", {"true"}},
      {"model", "exemplars_per_cluster", "model", "rule", {"exemplars"}},
      {"model", "exemplar_weight", "model", "rule", {"exemplars"}},
      {"model", "subspace_energy", "model", "subspace_dimension", {"0"}},
      {"", "beta1", "", "optimizer", {"adam"}},
      {"", "beta2", "", "optimizer", {"adam"}},
      {"", "trust", "", "optimizer", {"lars"}},
      {"", "schedule_steps", "", "schedule", {"cosine"}},
      {"", "micro_batch", "", "gradient", {"ghost-bn"}},
      {"", "layers", "", "backbone", {"mlp"}},
  };
  return all;
}

bool is_about(const Condition& condition, const MethodOption& option) {
  return (condition.stage.empty() || condition.stage == option.stage) &&
         (condition.name.empty() || condition.name == option.parameter.name);
}

/// The option that decides, or null where the method has none of that name.
const MethodOption* decider(const Condition& condition, const MethodOption& option,
                            const std::vector<MethodOption>& options) {
  const std::string_view stage =
      condition.other_stage.empty() ? std::string_view(option.stage) : condition.other_stage;
  const auto found = std::ranges::find_if(options, [&](const MethodOption& other) {
    return other.stage == stage && other.parameter.name == condition.other_name;
  });
  return found == options.end() ? nullptr : &*found;
}

bool holds(const Condition& condition, const std::string& value) {
  const bool listed = std::ranges::find(condition.values, value) != condition.values.end();
  return listed == (condition.counts == Counts::kWith);
}

std::string joined_by_or(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : " or ").append(word);
  return text;
}

}  // namespace

std::vector<std::string> unused_options(const std::vector<MethodOption>& options,
                                        const std::vector<MethodOption>& defaults,
                                        const std::set<std::string>& given) {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const MethodOption& option = options[i];
    if (!given.contains(option.key())) continue;
    if (option.parameter.get() == defaults[i].parameter.get()) continue;
    for (const Condition& condition : conditions()) {
      if (!is_about(condition, option)) continue;
      const MethodOption* other = decider(condition, option, options);
      if (other == nullptr) continue;
      const std::string value = value_text(other->parameter);
      if (holds(condition, value)) continue;
      warnings.push_back(message(
          option.key(), " = ", value_text(option.parameter), " has no effect: ", other->key(),
          " = ", value, ", and it counts for ",
          condition.counts == Counts::kWithout ? "all but " : "", joined_by_or(condition.values)));
    }
  }
  return warnings;
}

}  // namespace subspace::pipelines
