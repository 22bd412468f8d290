// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <subspace/classify/few_labels.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

/// What labels say about the features of a trained network: the supervised evaluation of NMCE.
namespace subspace::pipelines {

struct ProbeOptions {
  /// A second set for testing. Empty: every `hold_out`-th picture of the input, which is then not
  /// trained on by the classifiers; the network may have seen it, without its label.
  std::string test = {};
  int hold_out = 5;  ///< >= 2
  std::vector<std::string> layers = {"proj", "pre-feature", "pool"};
  int views = 16;  ///< means over so many random views beside the clean pictures; 0: none
  std::vector<int> label_counts = {};  ///< accuracy of the SVM with so few labels; empty: none
  NeighborVoteOptions neighbors = {};
  NearestSubspaceOptions nearest_subspace = {};
};

/// One layer, clean or averaged.
struct ProbedLayer {
  std::string layer = {};
  int views = 0;
  Index dimension = 0;
  double svm = std::numeric_limits<double>::quiet_NaN();  ///< accuracy on the test pictures
  double neighbors = std::numeric_limits<double>::quiet_NaN();
  double nearest_subspace = std::numeric_limits<double>::quiet_NaN();
  std::vector<FewLabelAccuracy> few_labels = {};
  std::vector<double> singular_values = {};  ///< of the training pictures, over the largest
  double effective_rank = std::numeric_limits<double>::quiet_NaN();
  double within = std::numeric_limits<double>::quiet_NaN();  ///< mean |cos| inside classes
  double between = std::numeric_limits<double>::quiet_NaN();
};

struct ProbeRecord {
  InputInfo input = {};
  std::string test = {};  ///< name of the second set; empty where pictures were held out
  Index num_train = 0;
  Index num_test = 0;
  std::string folder = {};  ///< of the network
  std::uint64_t seed = 0;
  int neighbors = 0;           ///< that vote
  int subspace_dimension = 0;  ///< 0: by the energy of each class
  std::vector<ProbedLayer> layers = {};
  int threads = 0;
  std::string backend = {};
  std::string source_commit = {};  ///< of the build; empty outside of a repository
  double load_seconds = 0.0;
  double total_seconds = 0.0;  ///< the load included
};

/// Probes the network in settings.model with the labels that settings.input carries, or those in
/// settings.truth. The record goes to settings.json where that is a file. Throws DataError where
/// there are no labels.
SUBSPACE_API ProbeRecord probe_input(const RunSettings& settings, const ProbeOptions& options,
                                     const Context& context);

SUBSPACE_API std::string to_json(const ProbeRecord& record);

}  // namespace subspace::pipelines
