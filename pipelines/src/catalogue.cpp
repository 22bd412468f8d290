// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/catalogue.h>

#include <set>

#include <subspace/core/error.h>

#include "methods/kmeans_points.h"
#include "methods/method.h"
#include "methods/spectral_pipeline.h"

namespace subspace::pipelines {
namespace {

const std::vector<MethodDefinition>& definitions() {
  static const std::vector<MethodDefinition> all = {kmeans_definition(), spectral_definition(),
                                                    ensc_definition()};
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

const MethodDefinition& find_definition(const std::string& method) {
  // `features+clusterer`: learned features, then one of the clusterers below.
  const auto plus = method.find('+');
  if (plus != std::string::npos) {
    throw InvalidArgument(message("method '", method, "': no feature learner named '",
                                  method.substr(0, plus), "' in this build"));
  }
  for (const MethodDefinition& definition : definitions()) {
    if (definition.info.name == method) return definition;
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

}  // namespace

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> all;
  for (const MethodDefinition& definition : definitions()) all.push_back(definition.info);
  return all;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodDefinition& definition : definitions()) names.push_back(definition.info.name);
  return names;
}

Clusterer::Clusterer(const std::string& method) {
  const MethodDefinition& definition = find_definition(method);
  info_ = definition.info;
  state_ = definition.make();
  options_ = state_->options();
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

NamedValues Clusterer::values() const {
  NamedValues all;
  for (const MethodOption& option : options_)
    all.emplace_back(option.key(), option.parameter.get());
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
}

Outcome Clusterer::run(const ConstMatrixRef& X, int num_clusters, std::uint64_t seed,
                       const Context& context) const {
  Outcome outcome = state_->run(X, num_clusters, seed, context);
  const std::size_t found = std::set<int>(outcome.labels.begin(), outcome.labels.end()).size();
  if (found < static_cast<std::size_t>(num_clusters)) {
    outcome.warnings.push_back(message(num_clusters, " clusters asked for, ", found,
                                       " found: the points do not differ enough for more"));
  }
  return outcome;
}

Outcome run(const ConstMatrixRef& X, int num_clusters, const std::string& method,
            const std::vector<KeyText>& settings, std::uint64_t seed, const Context& context) {
  Clusterer clusterer(method);
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.run(X, num_clusters, seed, context);
}

}  // namespace subspace::pipelines
