// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/catalogue.h>

#include <algorithm>
#include <set>
#include <utility>

#include <subspace/core/error.h>

#include "machine_speed.h"
#include "methods/feature_learner.h"
#include "methods/head_clusters.h"
#include "methods/kmeans_points.h"
#include "methods/ksubspaces_points.h"
#include "methods/learned_features.h"
#include "methods/lossy_coding_points.h"
#include "methods/model_plan.h"
#include "methods/precomputed.h"
#include "methods/spectral_pipeline.h"
#include "postprocess.h"
#include "unused_options.h"

namespace subspace::pipelines {
namespace {

const std::vector<MethodDefinition>& definitions() {
  static const std::vector<MethodDefinition> all = [] {
    std::vector<MethodDefinition> made = {kmeans_definition()};
    made.insert(made.end(), spectral_definitions().begin(), spectral_definitions().end());
    made.push_back(ksubspaces_definition());
    made.push_back(lossy_coding_definition());
    made.push_back(precomputed_definition());
    return made;
  }();
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "; did you mean 'x'?" or the list of all candidates when none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  return ", must be one of " + joined(candidates);
}

const MethodDefinition* find_clusterer(const std::string& name) {
  for (const MethodDefinition& definition : definitions()) {
    if (definition.info.name == name) return &definition;
  }
  return nullptr;
}

/// What NMCE is on COIL: its features come from the total coding rate, its clusters from EnSC.
constexpr char kNmce[] = "nmce";
constexpr char kNmceParts[] = "tcr+ensc";
/// Its whole objective; known by name where it is not built, too.
constexpr char kNmceHead[] = "nmce-head";

MethodInfo nmce_info() {
  return {kNmce,
          "neural manifold clustering and embedding as on COIL: features by tcr, clusters by ensc",
          "Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022."};
}

struct MadeMethod {
  MethodInfo info = {};
  std::unique_ptr<MethodState> state = {};
};

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : feature_learners()) names.push_back(info.name);
  return names;
}

const MethodDefinition& clusterer_after_plus(const std::string& method, const std::string& name) {
  if (const MethodDefinition* definition = find_clusterer(name)) return *definition;
  std::vector<std::string> known;
  for (const MethodDefinition& each : definitions()) known.push_back(each.info.name);
  throw InvalidArgument(
      message("method '", method, "': unknown clusterer '", name, "'", suggestion(name, known)));
}

const LearnerDefinition* find_learner(const std::string& name) {
  for (const LearnerDefinition& learner : learner_definitions()) {
    if (learner.info.name == name) return &learner;
  }
  return nullptr;
}

/// `features+clusterer`: learned features, then one of the clusterers.
MadeMethod make_learning(const std::string& method, const std::string& parts) {
  const auto plus = parts.find('+');
  const std::string features = parts.substr(0, plus);
  const LearnerDefinition* learner = find_learner(features);
  if (learner == nullptr) {
    throw InvalidArgument(message("method '", method, "': unknown feature learner '", features, "'",
                                  suggestion(features, learner_names())));
  }
  const MethodDefinition& clusterer = clusterer_after_plus(method, parts.substr(plus + 1));
  const MethodInfo info = {method,
                           message(learner->info.summary, "; then ", clusterer.info.summary),
                           message(learner->info.reference, " ", clusterer.info.reference)};
  return {method == kNmce ? nmce_info() : info,
          std::make_unique<LearnedFeatures>(features, learner->make(), clusterer.make())};
}

const MethodDefinition* find_head(const std::string& name) {
  for (const MethodDefinition& definition : head_definitions()) {
    if (definition.info.name == name) return &definition;
  }
  return nullptr;
}

void require_learning(const std::string& method) {
  if (!learner_definitions().empty()) return;
  throw InvalidArgument(message("method '", method,
                                "' learns features, which this build cannot: it has no LibTorch"));
}

MadeMethod make_method(const std::string& method) {
  if (asks_for_learning(method)) require_learning(method);
  if (const MethodDefinition* head = find_head(method)) return {head->info, head->make()};
  if (method == kNmce) return make_learning(method, kNmceParts);
  if (method.find('+') != std::string::npos) return make_learning(method, method);
  if (const MethodDefinition* definition = find_clusterer(method)) {
    return {definition->info, definition->make()};
  }
  if (const LearnerDefinition* learner = find_learner(method)) {
    return {learner->info, std::make_unique<LearnedFeatures>(method, learner->make(), nullptr)};
  }
  throw InvalidArgument(
      message("unknown method '", method, "'", suggestion(method, method_names())));
}

std::vector<std::string> all_keys(const std::vector<MethodOption>& options) {
  std::vector<std::string> keys;
  for (const MethodOption& option : options) keys.push_back(option.key());
  return keys;
}

/// Keys that the word may have meant: full keys for a dotted word, bare names as well otherwise.
std::vector<std::string> candidates(const std::vector<MethodOption>& options,
                                    const std::string& word) {
  if (word.find('.') != std::string::npos) return all_keys(options);
  std::vector<std::string> names;
  for (const MethodOption& option : options) names.push_back(option.parameter.name);
  return names;
}

constexpr char kModelStage[] = "model";

int num_distinct(const Labels& labels) {
  return static_cast<int>(std::set<int>(labels.begin(), labels.end()).size());
}

/// Refuses what the method would not obey.
void check_execution(const MethodState& state, const std::string& method, const Points& points,
                     const Execution& execution) {
  if (execution.estimate && !state.estimates_count()) {
    throw InvalidArgument(message("method ", method,
                                  " makes no graph to tell the number of clusters from; give one"));
  }
  if (execution.start.empty()) return;
  if (!state.starts_from_labels()) {
    throw InvalidArgument(
        message("method ", method, " does not start from labels, ksubspaces and alc do"));
  }
  if (static_cast<Index>(execution.start.size()) != points.X.cols()) {
    throw DataError(message("labels to start from: ", execution.start.size(), " for ",
                            points.X.cols(), " samples, must be one each"));
  }
}

}  // namespace

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> all;
  for (const MethodDefinition& definition : definitions()) all.push_back(definition.info);
  if (!learner_definitions().empty()) all.push_back(nmce_info());
  for (const MethodDefinition& definition : head_definitions()) all.push_back(definition.info);
  return all;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : methods()) names.push_back(info.name);
  return names;
}

std::vector<MethodInfo> feature_learners() {
  std::vector<MethodInfo> all;
  for (const LearnerDefinition& definition : learner_definitions()) all.push_back(definition.info);
  return all;
}

bool asks_for_learning(const std::string& method) {
  return method == kNmce || method == kNmceHead || method.find('+') != std::string::npos;
}

Clusterer::Clusterer(const std::string& method) {
  MadeMethod made = make_method(method);
  info_ = std::move(made.info);
  state_ = std::move(made.state);
  options_ = state_->options();
  const std::optional<ModelPlan> plan = state_->model_plan();
  if (plan && !plan->centers) append_stage(options_, kModelStage, describe(state_->model));
}

Clusterer::Clusterer(Clusterer&&) noexcept = default;
Clusterer& Clusterer::operator=(Clusterer&&) noexcept = default;
Clusterer::~Clusterer() = default;

std::vector<std::string> Clusterer::stages() const {
  std::vector<std::string> names;
  for (const MethodOption& option : options_) {
    if (names.empty() || names.back() != option.stage) names.push_back(option.stage);
  }
  return names;
}

/// What is kept for later decides no label, and has no part in what a run is known by. Nor has the
/// name of a post-processing: the options that it set say more.
NamedValues Clusterer::values() const {
  NamedValues all;
  for (const MethodOption& option : options_) {
    if (option.stage == kModelStage || option.key() == kPostprocessKey) continue;
    all.emplace_back(option.key(), option.parameter.get());
  }
  return all;
}

const MethodOption& Clusterer::find(const std::string& key) const {
  std::vector<const MethodOption*> meant;
  for (const MethodOption& option : options_) {
    if (option.key() == key) return option;
    if (option.parameter.name == key) meant.push_back(&option);
  }
  if (meant.size() == 1) return *meant.front();
  if (meant.empty()) {
    throw InvalidArgument(message("method ", info_.name, " has no option '", key, "'",
                                  suggestion(key, candidates(options_, key))));
  }
  std::vector<std::string> keys;
  for (const MethodOption* option : meant) keys.push_back(option->key());
  throw InvalidArgument(message("option '", key, "' of method ", info_.name,
                                " is ambiguous, must be one of ", joined(keys)));
}

void Clusterer::set(const std::string& key, const std::string& text) {
  const MethodOption& option = find(key);
  set_from_text(option.parameter, text, option.key());
  if (option.key() == kPostprocessKey) {
    apply_postprocess();
  } else {
    given_.insert(option.key());
  }
}

/// Options that the name says nothing about go back to their defaults: an earlier name may have set
/// them.
void Clusterer::apply_postprocess() {
  const Clusterer fresh(info_.name);
  const std::vector<KeyText> steps = postprocess_steps(value_text(find(kPostprocessKey).parameter));
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const std::string key = options_[i].key();
    if (!is_postprocess_step(key) || given_.contains(key)) continue;
    const auto step = std::ranges::find(steps, key, &KeyText::first);
    const Parameter& parameter = options_[i].parameter;
    set_from_text(parameter,
                  step != steps.end() ? step->second : value_text(fresh.options()[i].parameter),
                  key);
  }
}

/// A file of settings gives every option, and so leaves nothing to a name that is asked for beside
/// it.
std::vector<std::string> Clusterer::setting_warnings() const {
  const Clusterer fresh(info_.name);
  std::vector<std::string> warnings = unused_options(options_, fresh.options(), given_);
  std::vector<std::string> kept;
  std::string name;
  for (const MethodOption& option : options_) {
    if (option.key() == kPostprocessKey) name = value_text(option.parameter);
  }
  const std::vector<KeyText> steps = postprocess_steps(name);
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const auto step = std::ranges::find(steps, options_[i].key(), &KeyText::first);
    const std::string value = value_text(options_[i].parameter);
    if (step == steps.end() || !given_.contains(step->first) || value == step->second) continue;
    if (value == value_text(fresh.options()[i].parameter)) kept.push_back(step->first);
  }
  if (!kept.empty()) {
    warnings.push_back(
        message(kPostprocessKey, " = ", name, " leaves as they were set: ", joined(kept)));
  }
  return warnings;
}

std::vector<std::string> Clusterer::learned_stages() const { return state_->learned_stages(); }

void Clusterer::require_learner() const {
  if (learns()) return;
  const std::vector<std::string> learners = learner_names();
  throw InvalidArgument(message(
      "method ", info_.name, " learns no features, ",
      learners.empty()
          ? "nor does any in this build: it has no LibTorch"
          : message("must be one of ", joined(learners), ", or one of them before +", info_.name)));
}

ModelInfo Clusterer::use_model(const std::filesystem::path& folder) {
  require_learner();
  return state_->use_model(folder);
}

std::vector<std::string> Clusterer::training_keys(int num_clusters) const {
  return state_->training_keys(num_clusters);
}

Cost Clusterer::cost(const Points& points, int num_clusters, const Context& context) const {
  const Work work = state_->work(points, num_clusters, context);
  const double speed = multiply_adds_per_second(context);
  Cost cost = {.seconds = work.multiply_adds / speed, .bytes = work.bytes};
  for (const double training : work.trainings) cost.training_seconds.push_back(training / speed);
  return cost;
}

Outcome Clusterer::run(const ConstMatrixRef& X, int num_clusters, std::uint64_t seed,
                       const Context& context) const {
  return run(Points{X}, num_clusters, {.seed = seed}, context);
}

Outcome Clusterer::run(const Points& points, int num_clusters, const Execution& execution,
                       const Context& context) const {
  check_execution(*state_, info_.name, points, execution);
  if (!execution.start.empty()) num_clusters = num_distinct(execution.start);
  Outcome outcome = state_->run(points, num_clusters, execution, context);
  for (std::string& warning : setting_warnings()) outcome.warnings.push_back(std::move(warning));
  if (outcome.cluster_count) num_clusters = outcome.cluster_count->num_clusters;
  const int found = num_distinct(outcome.labels);
  if (found < num_clusters && !execution.new_points) {
    outcome.warnings.push_back(message(num_clusters, " clusters asked for, ", found,
                                       " found: the points do not differ enough for more"));
  }
  return outcome;
}

bool Clusterer::has_model() const { return state_->model_plan().has_value(); }

bool Clusterer::assumes_linear_subspaces() const {
  const std::optional<ModelPlan> plan = state_->model_plan();
  return plan && !plan->centers && !plan->affine && !plan->mapped &&
         plan->preprocess.append_one == 0.0 && !learns();
}

ClusterModel Clusterer::fit_model(const ConstMatrixRef& points, const Labels& labels,
                                  std::uint64_t seed, const Context& context) const {
  const std::optional<ModelPlan> plan = state_->model_plan();
  if (!plan) {
    throw InvalidArgument(message("method ", info_.name, " has no model of its clusters to keep"));
  }
  ClusterModel model = make_model(*plan, state_->model, points, labels, seed, context);
  model.method = info_.name;
  model.options = values();
  model.seed = seed;
  return model;
}

Features Clusterer::learn(const Points& points, const Execution& execution,
                          const Context& context) const {
  require_learner();
  return state_->learn(points, execution, context);
}

Outcome run(const ConstMatrixRef& X, int num_clusters, const std::string& method,
            const std::vector<KeyText>& settings, std::uint64_t seed, const Context& context) {
  Clusterer clusterer(method);
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.run(X, num_clusters, seed, context);
}

}  // namespace subspace::pipelines
