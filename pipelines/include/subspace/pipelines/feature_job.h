// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/pipelines/read_out.h>
#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

namespace subspace::pipelines {

/// What a training or an embedding came to.
struct FeatureRecord {
  std::string command = {};  ///< "train" or "embed"
  InputInfo input = {};
  std::string method = {};
  NamedValues options = {};  ///< of the training
  std::uint64_t seed = 0;    ///< likewise
  ModelInfo model = {};
  Features features = {};
  ReadOut read_out = {};
  std::uint64_t view_seed = 0;  ///< of random views
};

/// The settings with the learner of the recipe, its options and, where none is given, its data.
/// What the settings say themselves wins. Throws InvalidArgument if no row of the recipe learns, or
/// several do and `row` names none of them.
SUBSPACE_API RunSettings with_recipe(RunSettings settings, const Recipe& recipe,
                                     const std::string& row = {});

/// What training the features of that row leaves to be trained, as a sentence; empty where nothing
/// is.
SUBSPACE_API std::string untrained_stages(const Recipe& recipe, const std::string& row = {});

/// Trains the method's learner on the pictures of settings.input, or on its points where the
/// network is an mlp, in the folder settings.save. `resume` goes on with what is there; without it
/// a folder that holds a network is refused. After the steps in `keep` the network also stays in a
/// folder `step-N` there. The record goes to settings.json where that is a file.
SUBSPACE_API FeatureRecord train_input(const RunSettings& settings, bool resume,
                                       const std::vector<int>& keep, const Context& context);

/// Features of the pictures or points of settings.input by the network in settings.model, written
/// to settings.out as .npy, a row each. Random views are drawn from settings.seed; one view would
/// be noise and no mean, so 1 means 0. The record goes to settings.json where that is a file.
SUBSPACE_API FeatureRecord embed_input(const RunSettings& settings, ReadOut read_out,
                                       const Context& context);

SUBSPACE_API std::string to_json(const FeatureRecord& record);

}  // namespace subspace::pipelines
