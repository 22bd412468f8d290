// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

#include <subspace/neural/checkpoint.h>
#include <subspace/neural/training.h>

#include "methods/method.h"

/// Trainings as the methods of the catalogue carry them out.
namespace subspace::pipelines {

/// The shape of pictures, or of points for a network that takes them. Throws DataError where
/// `learner` needs pictures and has none.
neural::ImageShape shape_of(const Points& points, const neural::NetworkOptions& network,
                            const std::string& learner);

/// What a training will take.
Work training_work(const neural::TrainingOptions& options, const neural::ImageShape& shape,
                   Index num_images);

/// The newest checkpoint of a folder. Throws IoError where it holds none, InvalidArgument where
/// another objective made it.
neural::CheckpointInfo find_network(const std::filesystem::path& folder,
                                    neural::Objective objective);
ModelInfo model_info(const std::filesystem::path& folder, const neural::CheckpointInfo& network);

/// One training and what it starts from.
struct TrainingStage {
  std::string name = {};  ///< before the values of its certificate
  neural::TrainingOptions options = {};
  std::filesystem::path folder = {};
  std::filesystem::path start = {};  ///< of the stage before; empty: random weights
  bool new_heads = false;
};

/// Trains and adds costs, certificate and warnings to `features`.
void train_stage(const TrainingStage& stage, const Points& points, const neural::ImageShape& shape,
                 const Execution& execution, const Context& context, Features& features);

}  // namespace subspace::pipelines
