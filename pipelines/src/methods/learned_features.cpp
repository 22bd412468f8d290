// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/learned_features.h"

#include <algorithm>
#include <utility>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

/// What the learner found out comes first, in the certificate as in the warnings.
template <typename Entry>
void prepend(std::vector<Entry>& entries, const std::vector<Entry>& first) {
  entries.insert(entries.begin(), first.begin(), first.end());
}

}  // namespace

LearnedFeatures::LearnedFeatures(std::string learner_name, std::unique_ptr<FeatureLearner> learner,
                                 std::unique_ptr<MethodState> clusterer)
    : learner_name_(std::move(learner_name)),
      learner_(std::move(learner)),
      clusterer_(std::move(clusterer)) {}

std::vector<MethodOption> LearnedFeatures::options() {
  std::vector<MethodOption> all;
  append_stage(all, learner_name_, learner_->parameters());
  if (clusterer_ == nullptr) return all;
  for (MethodOption& option : clusterer_->options()) all.push_back(std::move(option));
  return all;
}

Outcome LearnedFeatures::run(const Points& points, int num_clusters, const Execution& execution,
                             const Context& context) const {
  if (clusterer_ == nullptr) {
    throw InvalidArgument(message("method ", learner_name_,
                                  " learns features and no clusters, must be ", learner_name_,
                                  "+CLUSTERER such as ", learner_name_, "+ensc"));
  }
  Features features = learn(points, execution, context);
  Outcome outcome = clusterer_->run({features.Z}, num_clusters, execution, context);
  outcome.features_seconds = features.seconds;
  outcome.features_memory = features.memory;
  outcome.seconds.total += features.seconds;
  if (features.loss) outcome.signals.emplace_back("loss", *features.loss);
  prepend(outcome.certificate, features.certificate);
  prepend(outcome.warnings, features.warnings);
  for (const int step : execution.curve) {
    add_curve_point(step, features, points, num_clusters, execution, context, outcome);
  }
  if (execution.keep_features) outcome.features = features.Z;
  if (outcome.evidence) outcome.evidence->features = std::move(features.Z);
  return outcome;
}

/// Steps of one training take alike, so an earlier end has its share of the whole.
void LearnedFeatures::add_curve_point(int step, const Features& last, const Points& points,
                                      int num_clusters, const Execution& execution,
                                      const Context& context, Outcome& outcome) const {
  const std::optional<Features> features = learner_->learned_at(step, points, execution, context);
  if (!features) {
    outcome.warnings.push_back(
        message("no labels of step ", step, ": its network was not kept when it was trained"));
    return;
  }
  Execution labels_only = execution;
  labels_only.keep_evidence = false;
  Outcome then = clusterer_->run({features->Z}, num_clusters, labels_only, context);
  if (!then.converged) {
    outcome.warnings.push_back(message("the clustering of step ", step, " did not converge"));
  }
  const double share = static_cast<double>(step) / static_cast<double>(last.steps);
  outcome.curve.push_back({.step = step,
                           .seconds = last.seconds * share + then.seconds.total,
                           .labels = std::move(then.labels),
                           .signals = std::move(then.signals)});
}

Work LearnedFeatures::work(const Points& points, int num_clusters, const Context& context) const {
  Work work = learner_->work(points);
  work.trainings = {work.multiply_adds};
  if (clusterer_ == nullptr) return work;
  const Matrix none(learner_->dimension(), points.X.cols());
  const Work clustering = clusterer_->work({none}, num_clusters, context);
  work.multiply_adds += clustering.multiply_adds;
  work.bytes = std::max(work.bytes, clustering.bytes);
  return work;
}

std::vector<std::string> LearnedFeatures::training_keys(int) const {
  return {training_key(learner_name_, learner_->parameters())};
}

Features LearnedFeatures::learn(const Points& points, const Execution& execution,
                                const Context& context) const {
  return learner_->learn(points, execution, context);
}

ModelInfo LearnedFeatures::use_model(const std::filesystem::path& folder) {
  return learner_->use_model(folder);
}

}  // namespace subspace::pipelines
