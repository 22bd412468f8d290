// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <subspace/classify/exemplar_vote.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipelines/record.h>
#include <subspace/preprocess/preprocess.h>

namespace subspace::pipelines {

/// How further points get their labels.
enum class ModelRule {
  kSubspaces,  ///< the nearest principal subspace of a cluster
  kExemplars,  ///< sparse representation on exemplars of the clusters
};

/// Stage `model` of every method that has one: it decides nothing but what `--save` keeps.
struct ModelOptions {
  ModelRule rule = ModelRule::kSubspaces;
  /// 0: that of the method, or where it has none the smallest that holds subspace_energy.
  int subspace_dimension = 0;
  double subspace_energy = 0.95;
  int exemplars_per_cluster = 20;
  double exemplar_weight = 200.0;  ///< lambda of ExemplarVoteOptions
};
SUBSPACE_API Parameters describe(ModelOptions& options);

/// Clusters that were found, in a form that gives labels to further points.
struct ClusterModel {
  ModelRule rule = ModelRule::kSubspaces;
  Preprocessor preprocessor = {};
  Subspaces subspaces = {};          ///< of the clusters, whichever rule predicts
  LabelledExemplars exemplars = {};  ///< with the rule of exemplars
  /// What made it.
  std::string method = {};
  NamedValues options = {};
  std::uint64_t seed = 0;
  InputInfo input = {};
  std::string arrays_sha256 = {};  ///< of its file of arrays; set by load_model()
  std::string network = {};  ///< sha256 of the network beside it that makes features; empty: none
};

/// What its clusters look like, for the record.
SUBSPACE_API ClusterShapes shapes_of(const ClusterModel& model);

/// Labels of further points and what speaks for them.
struct Prediction : NearestSubspaces {
  bool converged = true;
  NamedValues certificate = {};
};

/// What a network takes that makes features of pictures, in bytes.
struct FeatureMemory {
  double given = 0.0;      ///< the pictures, which are kept
  double embedding = 0.0;  ///< features and all that is in use while they are made, beside these
};

/// Predicts, stage after stage, what predict() takes for so many points: load, preprocess and
/// assignment; where a network comes first also features, and its pictures are counted to the end.
SUBSPACE_API std::vector<StageMemory> predicted_memory(const ClusterModel& model, Index num_points,
                                                       const Context& context = {},
                                                       const FeatureMemory& network = {});
/// Throws ResourceError "predict, stage assignment: needs about ..." when the largest of them is
/// more than the context allows, with what would take less.
SUBSPACE_API void check_peak_memory(const ClusterModel& model, Index num_points,
                                    const Context& context = {}, const FeatureMemory& network = {});

/// The nearest cluster of each point, given raw or, where there is a network, as its features.
/// Refuses by the prediction before anything is copied.
SUBSPACE_API Prediction predict(const ClusterModel& model, const ConstMatrixRef& X,
                                const Context& context = {});

/// "subspaces", "exemplars".
SUBSPACE_API std::string rule_name(ModelRule rule);

/// Writes `model.npz`, arrays that NumPy reads, then `model.json`, which names their hash, into the
/// folder, made when missing. Each appears whole or not at all, and replaces an older one.
SUBSPACE_API void save_model(const std::filesystem::path& folder, const ClusterModel& model);
SUBSPACE_API void remove_model(const std::filesystem::path& folder);
SUBSPACE_API bool holds_model(const std::filesystem::path& folder);
/// Throws IoError with the file and what is wrong with it.
SUBSPACE_API ClusterModel load_model(const std::filesystem::path& folder,
                                     const Context& context = {});

}  // namespace subspace::pipelines
