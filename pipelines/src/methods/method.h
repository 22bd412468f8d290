// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/model.h>
#include <subspace/preprocess/normalize.h>

#include "later_options.h"

namespace subspace::pipelines {

/// What a method will do, to the order of magnitude.
struct Work {
  double multiply_adds = 0.0;          // in all
  std::vector<double> trainings = {};  // of it, for each of training_keys()
  double bytes = 0.0;
};

/// How the clusters of a method are described for points to come.
struct ModelPlan {
  PreprocessOptions preprocess = {};
  bool centers = false;  // points around their means: no subspaces, no options
  bool affine = false;   // subspaces past the origin
  bool mapped = false;   // by a kernel: the subspaces that were sought are not those of the points
  int dimension = 0;     // where the method has one
  double energy = 0.0;   // likewise
};

/// The options of one method and how to run it. Never copied: its options are bound by reference.
struct MethodState {
  MethodState() = default;
  MethodState(const MethodState&) = delete;
  MethodState& operator=(const MethodState&) = delete;
  virtual ~MethodState() = default;

  /// Options of every stage, bound to this object.
  virtual std::vector<MethodOption> options() = 0;
  virtual Outcome run(const Points& points, int num_clusters, const Execution& execution,
                      const Context& context) const = 0;
  /// Operations, counted as multiply-adds of a matrix product, and bytes.
  virtual Work work(const Points& points, int num_clusters, const Context& context) const = 0;

  /// Whether it obeys Execution::estimate and Execution::start.
  virtual bool estimates_count() const { return false; }
  virtual bool starts_from_labels() const { return false; }

  /// None for a method whose clusters are not described by points.
  virtual std::optional<ModelPlan> model_plan() const { return {}; }
  ModelOptions model = {};

  /// None for a method that does not learn.
  virtual std::vector<std::string> learned_stages() const { return {}; }
  /// For each training everything but data and seed that its network depends on.
  virtual std::vector<std::string> training_keys(int) const { return {}; }
  /// The two below are called only where it learns.
  virtual Features learn(const Points&, const Execution&, const Context&) const { return {}; }
  virtual ModelInfo use_model(const std::filesystem::path&) { return {}; }
};

/// A row of the catalogue.
struct MethodDefinition {
  MethodInfo info = {};
  std::unique_ptr<MethodState> (*make)() = nullptr;
};

/// One of MethodState::training_keys(): a training by `learner` with these parameters.
inline std::string training_key(std::string learner, const Parameters& parameters) {
  for (const Parameter& parameter : parameters) {
    const std::string value = value_text(parameter);
    if (!is_as_before(parameter.name, value)) learner += " " + parameter.name + "=" + value;
  }
  return learner;
}

/// Appends the parameters of one stage.
inline void append_stage(std::vector<MethodOption>& options, const std::string& stage,
                         const Parameters& parameters) {
  for (const Parameter& parameter : parameters) options.push_back({stage, parameter});
}

}  // namespace subspace::pipelines
