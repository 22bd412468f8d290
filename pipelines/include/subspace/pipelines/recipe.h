// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/results.h>

namespace subspace::pipelines {

/// The values that a sweep tries for one option, or for "seed": so the best of several trainings is
/// taken as that of several settings is.
inline constexpr char kSweptSeed[] = "seed";
struct SweptOption {
  std::string key = {};
  std::vector<std::string> values = {};
};

/// What chooses among the settings of a sweep, or among rows.
enum class ChosenBy {
  kLabels,      ///< the best mean accuracy: protocol oracle
  kCut,         ///< the smallest mean share of edge weight that leaves a cluster
  kConfidence,  ///< the largest mean confidence
  kAgreement,   ///< the largest mean ARI between labels of two seeds
  kRate,        ///< the smallest mean coding rate of the clusters
  kLoss,        ///< the smallest mean loss that a training ended with
};

/// One row of a table: a method with its settings, what was computed elsewhere, or the best of
/// other rows.
struct RecipeRow {
  std::string name = {};
  std::string method = {};        ///< as `cluster --method` takes it
  std::vector<KeyText> set = {};  ///< options of the method
  std::string labels = {};        ///< file of labels made elsewhere; {seed} stands for the seed
  std::string features = {};      ///< file of features that the method clusters; {seed} likewise
  Protocol protocol = Protocol::kLabelFree;
  std::optional<int> seeds = {};           ///< instead of the table's
  std::optional<int> clusters = {};        ///< instead of the table's
  std::vector<int> curve = {};             ///< steps of its training that are clustered as well
  std::vector<SweptOption> sweep = {};     ///< every combination is run
  ChosenBy chosen_by = ChosenBy::kLabels;  ///< all others need no label
  /// Rows above it: not computed itself, but seed by seed the one of them that chosen_by says.
  std::vector<std::string> choose_from = {};
  bool settings_published = true;  ///< false: the row says so, and nothing is run
  std::optional<Published> published = {};
  std::string note = {};
  bool tuned_on_labels = false;  ///< its settings were chosen by looking at the labels of this data
  std::vector<std::string> groups = {};  ///< of a table of trials: those it is run on; empty: all
};
/// Whether it takes the best of several trainings; it then has no further seeds.
SUBSPACE_API bool sweeps_seed(const RecipeRow& row);

/// A table: its data, or its family of trials, and its rows, from a TOML file.
struct Recipe {
  std::string name = {};
  std::string title = {};
  std::string note = {};
  std::string trials = {};  ///< one of trial_family_names(), in place of data and clusters
  std::string data = {};    ///< as INPUT of `cluster`
  std::string truth = {};   ///< a file of labels; empty: those the data carries
  std::optional<datasets::ImageSize> image_size = {};
  bool color = false;
  int clusters = 0;
  int seeds = 1;  ///< 0 .. seeds - 1
  std::vector<RecipeRow> rows = {};
  std::string text = {};              ///< of the file
  std::filesystem::path folder = {};  ///< that its file names start from
};

/// Names of the recipes inside this build.
SUBSPACE_API std::vector<std::string> recipe_names();
/// One of recipe_names(), or a file. Throws IoError when there is none, else as parse_recipe().
SUBSPACE_API Recipe find_recipe(const std::string& name_or_file);
/// Throws InvalidArgument with file and key for a malformed file, an unknown key, a value that
/// breaks its rule, an unknown method or an option that it does not have.
SUBSPACE_API Recipe parse_recipe(const std::string& text, const std::string& name,
                                 const std::string& shown_as);

}  // namespace subspace::pipelines
