// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <subspace/pipelines/read_out.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// The options of one way to learn features and how to carry it out.
struct FeatureLearner {
  FeatureLearner() = default;
  FeatureLearner(const FeatureLearner&) = delete;
  FeatureLearner& operator=(const FeatureLearner&) = delete;
  virtual ~FeatureLearner() = default;

  /// Bound to this object.
  virtual Parameters parameters() = 0;
  virtual Features learn(const Points& points, const Execution& execution,
                         const Context& context) const = 0;
  /// By the network of an earlier step that Execution::kept_steps asked for; nothing where it was
  /// not kept.
  virtual std::optional<Features> learned_at(int step, const Points& points,
                                             const Execution& execution,
                                             const Context& context) const = 0;
  /// Takes over the options of the network in the folder.
  virtual ModelInfo use_model(const std::filesystem::path& folder) = 0;
  virtual Work work(const Points& points) const = 0;
  /// Dimension of the features.
  virtual Index dimension() const = 0;
};

/// A learner of the catalogue.
struct LearnerDefinition {
  MethodInfo info = {};
  std::unique_ptr<FeatureLearner> (*make)() = nullptr;
};

/// Those of this build; none without LibTorch.
const std::vector<LearnerDefinition>& learner_definitions();

/// What a network that was trained before makes of points, and how it was trained.
struct Embedding {
  std::string learner = {};
  NamedValues options = {};  // of the training, under `learner.name`
  std::uint64_t seed = 0;
  ModelInfo model = {};
  Features features = {};
};

/// By the network in the folder, whatever trained it; random views are drawn from execution.seed.
/// Throws InvalidArgument for a layer that is none, and without LibTorch.
Embedding embed_by_model(const Points& points, const std::filesystem::path& folder,
                         const ReadOut& read_out, const Execution& execution,
                         const Context& context);
/// What the network in the folder takes to make features of the points, beside them.
double embedding_bytes(const Points& points, const std::filesystem::path& folder);

}  // namespace subspace::pipelines
