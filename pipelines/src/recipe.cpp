// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/recipe.h>

#include <algorithm>
#include <functional>
#include <set>

#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>

#include "built_in_recipes.h"
#include "shared_options.h"
#include "toml_text.h"
#include "trials/families.h"

namespace subspace::pipelines {
namespace {

/// One key of a table of TOML and what it does with its value.
struct Key {
  std::string name = {};
  std::function<void(const toml::node& node, const std::string& shown_as)> read = {};
};

void read_keys(const toml::table& table, const std::vector<Key>& keys,
               const std::string& shown_as) {
  for (const auto& [name, node] : table) {
    const auto key = std::ranges::find(keys, std::string(name.str()), &Key::name);
    if (key == keys.end()) {
      std::vector<std::string> known;
      for (const Key& each : keys) known.push_back(each.name);
      refuse_key(std::string(name.str()), known, shown_as);
    }
    key->read(node, shown_as + ": " + key->name);
  }
}

Key text_key(const std::string& name, std::string& field) {
  return {name, [&field](const toml::node& node, const std::string& shown_as) {
            if (!node.is_string()) throw InvalidArgument(message(shown_as, ": must be text"));
            field = toml_text(node, shown_as);
          }};
}

Key switch_key(const std::string& name, bool& field) {
  return {name, [&field](const toml::node& node, const std::string& shown_as) {
            set_from_text(parameter("", field, ""), toml_text(node, shown_as), shown_as);
          }};
}

template <typename Field>
Key count_key(const std::string& name, Field& field, int most) {
  return {name, [&field, name, most](const toml::node& node, const std::string& shown_as) {
            int value = 0;
            set_from_text(parameter(name, value, "").at_least(1).at_most(most),
                          toml_text(node, shown_as), shown_as);
            field = value;
          }};
}

Key percent_key(const std::string& name, double& field) {
  return {name, [&field, name](const toml::node& node, const std::string& shown_as) {
            set_from_text(parameter(name, field, "").at_least(0.0).at_most(100.0),
                          toml_text(node, shown_as), shown_as);
          }};
}

/// `groups = {"2 motions" = 1.52}`.
std::vector<std::pair<std::string, double>> read_group_errors(const toml::node& node,
                                                              const std::string& shown_as) {
  std::vector<std::pair<std::string, double>> errors;
  for (const auto& [group, value] : as_table(node, shown_as)) {
    const std::string name(group.str());
    errors.emplace_back(name, 0.0);
    percent_key(name, errors.back().second).read(value, message(shown_as, ".", name));
  }
  return errors;
}

Published read_published(const toml::node& node, const std::string& shown_as) {
  Published published;
  const auto read_groups = [&](const toml::node& groups, const std::string& key) {
    published.groups = read_group_errors(groups, key);
  };
  read_keys(as_table(node, shown_as),
            {percent_key("error", published.error),
             text_key("source", published.source),
             text_key("obtained", published.obtained),
             {"groups", read_groups}},
            shown_as);
  if (!node.as_table()->contains("error") && published.groups.empty())
    throw InvalidArgument(message(shown_as, ": no error given"));
  return published;
}

std::vector<std::string> read_names(const toml::node& node, const std::string& shown_as) {
  if (!node.is_array()) throw InvalidArgument(message(shown_as, ": must be a list of names"));
  std::vector<std::string> names;
  for (const toml::node& name : *node.as_array()) names.push_back(toml_text(name, shown_as));
  return names;
}

/// `"ensc.gamma" = [10, 50]`.
std::vector<SweptOption> read_sweep(const toml::node& node, const std::string& shown_as) {
  std::vector<SweptOption> sweep;
  for (const auto& [key, values] : as_table(node, shown_as)) {
    const std::string name = shown_as + "." + std::string(key.str());
    if (!values.is_array() || values.as_array()->empty()) {
      throw InvalidArgument(message(name, ": must be a list of values"));
    }
    SweptOption option = {.key = std::string(key.str())};
    for (const toml::node& value : *values.as_array()) {
      option.values.push_back(toml_text(value, name));
    }
    sweep.push_back(std::move(option));
  }
  return sweep;
}

/// `curve = [150, 600]`.
std::vector<int> read_curve(const toml::node& node, const std::string& shown_as) {
  if (!node.is_array()) throw InvalidArgument(message(shown_as, ": must be a list of steps"));
  std::vector<int> steps;
  for (const toml::node& each : *node.as_array()) {
    const int before = steps.empty() ? 0 : steps.back();
    steps.emplace_back();
    set_from_text(parameter("step", steps.back(), "").at_least(before + 1),
                  toml_text(each, shown_as), shown_as);
  }
  return steps;
}

constexpr int kMostSeeds = 100000;
constexpr int kMostClusters = 1 << 30;

RecipeRow read_row(const toml::table& table, const SharedOptions& shared,
                   const std::string& shown_as) {
  RecipeRow row;
  std::vector<KeyText> own;
  const auto read_shared = [&](const toml::node& node, const std::string& key) {
    row.set = shared.of_row(node, key);
  };
  const auto read_set = [&](const toml::node& node, const std::string& key) {
    own = toml_options(as_table(node, key), key + ".");
  };
  const auto read_protocol = [&](const toml::node& node, const std::string& key) {
    row.protocol = parse_protocol(toml_text(node, key), key);
  };
  const auto read_choice = [&](const toml::node& node, const std::string& key) {
    set_from_text(choice("choose_by", row.chosen_by,
                         {{"labels", ChosenBy::kLabels},
                          {"cut", ChosenBy::kCut},
                          {"confidence", ChosenBy::kConfidence},
                          {"agreement", ChosenBy::kAgreement},
                          {"rate", ChosenBy::kRate},
                          {"loss", ChosenBy::kLoss}},
                         ""),
                  toml_text(node, key), key);
  };
  const std::vector<Key> keys = {
      text_key("name", row.name),
      text_key("method", row.method),
      {"shared", read_shared},
      {"set", read_set},
      text_key("labels", row.labels),
      text_key("features", row.features),
      {"protocol", read_protocol},
      count_key("seeds", row.seeds, kMostSeeds),
      count_key("clusters", row.clusters, kMostClusters),
      {"sweep",
       [&](const toml::node& node, const std::string& key) { row.sweep = read_sweep(node, key); }},
      {"choose_by", read_choice},
      {"choose_from",
       [&](const toml::node& node, const std::string& key) {
         row.choose_from = read_names(node, key);
         const std::set<std::string> different(row.choose_from.begin(), row.choose_from.end());
         if (different.size() < 2 || different.size() < row.choose_from.size()) {
           throw InvalidArgument(message(key, ": must be two or more different rows"));
         }
       }},
      {"curve",
       [&](const toml::node& node, const std::string& key) { row.curve = read_curve(node, key); }},
      switch_key("settings_published", row.settings_published),
      {"published", [&](const toml::node& node,
                        const std::string& key) { row.published = read_published(node, key); }},
      text_key("note", row.note),
      switch_key("tuned_on_labels", row.tuned_on_labels),
      {"groups", [&](const toml::node& node, const std::string& key) {
         row.groups = read_names(node, key);
       }}};
  read_keys(table, keys, shown_as);
  row.set = overridden(std::move(row.set), own);
  return row;
}

/// The value of an option as it is checked: of "4k" in a table of trials any multiple will do.
std::string checked_value(const std::string& text, bool trials) {
  return trials ? value_for_clusters(text, 1) : text;
}

/// A curve is of one training, and of steps before its last.
void check_curve(const RecipeRow& row, const Clusterer& clusterer) {
  if (row.curve.empty()) return;
  const std::vector<std::string> stages = clusterer.learned_stages();
  if (stages.size() != 1 || !row.sweep.empty()) {
    throw InvalidArgument("curve is for a method with one training and without a sweep");
  }
  const std::int64_t steps =
      std::get<std::int64_t>(clusterer.find(stages.front() + ".steps").parameter.get());
  if (row.curve.back() >= steps) {
    throw InvalidArgument(
        message("curve: step ", row.curve.back(), ", must be before the last, ", steps));
  }
}

/// Coding rates are to be compared where the points are the same: not between trainings.
void check_swept(const std::string& key, const std::string& text, ChosenBy chosen_by,
                 Clusterer& clusterer) {
  const std::vector<std::string> before = clusterer.training_keys(1);
  if (key == kSweptSeed) {
    int seed = 0;
    set_from_text(parameter(key, seed, "").at_least(0).at_most(kMostSeeds), text, key);
  } else {
    clusterer.set(key, text);
  }
  const bool other_points =
      clusterer.learns() && (key == kSweptSeed || clusterer.training_keys(1) != before);
  if (other_points && chosen_by == ChosenBy::kRate) {
    throw InvalidArgument(message("choose_by = rate, but ", key,
                                  " changes the training: coding rates of different features are "
                                  "not to be compared, use loss"));
  }
}

void check_method(const RecipeRow& row, bool trials, const std::string& shown_as) {
  // A build without LibTorch still reads the recipe; the row says what is missing when it is run.
  if (asks_for_learning(row.method) && feature_learners().empty()) return;
  try {
    Clusterer clusterer(row.method);
    if (clusterer.learns() && !asks_for_learning(row.method)) {
      throw InvalidArgument(message("method ", row.method,
                                    " learns features and no clusters, must be ", row.method,
                                    "+CLUSTERER"));
    }
    for (const auto& [key, text] : row.set) clusterer.set(key, checked_value(text, trials));
    for (const SweptOption& option : row.sweep) {
      for (const std::string& text : option.values) {
        check_swept(option.key, text, row.chosen_by, clusterer);
      }
    }
    check_curve(row, clusterer);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(message(shown_as, ": ", error.what()));
  }
}

/// What a row may say depends on whether there is one data set or many.
void check_kind(const RecipeRow& row, bool trials, const std::string& shown_as) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument(message(shown_as, ": ", what));
  };
  if (!trials && !row.groups.empty()) refuse("groups are of a table of trials");
  const bool own_groups = row.published && !row.published->groups.empty();
  if (!trials && own_groups) refuse("published.groups are of a table of trials");
  if (!trials) return;
  if (row.published && !own_groups) refuse("published: no groups given, the table is of trials");
  if (!row.labels.empty() || !row.features.empty() || !row.sweep.empty()) {
    refuse("a table of trials takes a method alone, leave out labels, features and sweep");
  }
  if (row.seeds || row.clusters) {
    refuse("every trial has seed 0 and its own number of clusters, leave out seeds and clusters");
  }
  if (asks_for_learning(row.method)) {
    refuse(message("method ", row.method, " learns features, which a table of trials does not"));
  }
}

/// What a row that chooses among others may say.
void check_choosing(const RecipeRow& row, bool trials, const std::string& shown_as) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument(message(shown_as, ": ", what));
  };
  if (trials) refuse("choose_from is not for a table of trials");
  if (row.protocol == Protocol::kOracle) {
    refuse("choose_from chooses without labels, must not have protocol = \"oracle\"");
  }
  if (!row.method.empty() || !row.labels.empty() || !row.features.empty() || !row.set.empty() ||
      !row.sweep.empty() || !row.curve.empty() || row.seeds || row.clusters) {
    refuse(
        "choose_from takes rows as they are, leave out method, labels, features, set, sweep, "
        "curve, seeds and clusters");
  }
  if (!row.settings_published)
    refuse("choose_from and settings_published = false exclude each other");
  const auto by = {ChosenBy::kRate, ChosenBy::kConfidence, ChosenBy::kCut};
  if (std::ranges::find(by, row.chosen_by) == by.end()) {
    refuse("choose_from needs choose_by, which must be rate, confidence or cut");
  }
}

void check_row(const RecipeRow& row, bool trials, const std::string& shown_as) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument(message(shown_as, ": ", what));
  };
  if (row.name.empty()) refuse("a row has no name");
  check_kind(row, trials, shown_as);
  if (!row.settings_published && row.protocol != Protocol::kPaper) {
    refuse("settings_published = false is for protocol = \"paper\"");
  }
  if (!row.choose_from.empty()) return check_choosing(row, trials, shown_as);
  if (!row.settings_published) return;
  if (row.method.empty() == row.labels.empty()) {
    refuse("must have a method, or labels made elsewhere, and not both; or choose_from");
  }
  if (!row.labels.empty() && !(row.set.empty() && row.sweep.empty() && row.curve.empty())) {
    refuse("labels made elsewhere have no options, leave out set, sweep and curve");
  }
  if (!row.features.empty() && row.method.empty())
    refuse("features need a method that clusters them");
  if (!row.features.empty() && asks_for_learning(row.method)) {
    refuse(message("method ", row.method, " learns features itself, must be a clusterer"));
  }
  const bool by_labels = row.chosen_by == ChosenBy::kLabels;
  if (!by_labels && (row.sweep.empty() || row.protocol == Protocol::kOracle)) {
    refuse("choose_by is for the sweep of a row that is not of protocol \"oracle\"");
  }
  if (!row.sweep.empty() && by_labels && row.protocol != Protocol::kOracle) {
    refuse("a sweep chooses by the labels, must have protocol = \"oracle\" or another choose_by");
  }
  if (sweeps_seed(row) && row.seeds) {
    refuse("a sweep over seed runs each of them once, leave out seeds");
  }
  if (row.chosen_by == ChosenBy::kLoss && !asks_for_learning(row.method)) {
    refuse(message("choose_by = loss, but method ", row.method, " has no training"));
  }
  if (!row.method.empty()) check_method(row, trials, shown_as);
}

std::vector<RecipeRow> read_rows(const toml::node& node, const SharedOptions& shared, bool trials,
                                 const std::string& shown_as) {
  if (!node.is_array_of_tables()) {
    throw InvalidArgument(message(shown_as, ": must be [[row]] tables"));
  }
  std::vector<RecipeRow> rows;
  std::set<std::string> names;
  for (const toml::node& entry : *node.as_array()) {
    const std::string number = message(shown_as, " ", rows.size() + 1);
    RecipeRow row = read_row(*entry.as_table(), shared, number);
    const std::string named = row.name.empty() ? number : message(shown_as, " '", row.name, "'");
    check_row(row, trials, named);
    if (!names.insert(row.name).second) {
      throw InvalidArgument(message(shown_as, " '", row.name, "': the name is taken"));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// What the points of a row are learned by; nothing where they are those of the table, or where
/// this build cannot tell.
std::vector<std::string> training_of(const RecipeRow& row) {
  if (!asks_for_learning(row.method) || feature_learners().empty()) return {};
  Clusterer clusterer(row.method);
  for (const auto& [key, text] : row.set) clusterer.set(key, text);
  return clusterer.training_keys(1);
}

/// Rows are chosen among only where they answer the same question, and by the coding rate only
/// where it is of the same points.
void check_named_row(const Recipe& recipe, const RecipeRow& row, const RecipeRow& named,
                     const RecipeRow& first, const std::string& shown_as) {
  const auto require = [&](bool holds, const std::string& rule) {
    if (!holds) throw InvalidArgument(message(shown_as, ": ", rule));
  };
  require(!named.method.empty() && named.sweep.empty(),
          "must be a row with a method and without a sweep");
  require(named.protocol == row.protocol, "has another protocol");
  require(named.seeds.value_or(recipe.seeds) == first.seeds.value_or(recipe.seeds) &&
              named.clusters.value_or(recipe.clusters) == first.clusters.value_or(recipe.clusters),
          message("must have the seeds and clusters of '", first.name, "'"));
  require(row.chosen_by != ChosenBy::kRate ||
              (named.features == first.features && training_of(named) == training_of(first)),
          message("must have the points of '", first.name,
                  "', features included: coding rates of others are not to be compared"));
}

void check_choices(const Recipe& recipe, const std::string& shown_as) {
  for (const RecipeRow& row : recipe.rows) {
    const auto end = recipe.rows.begin() + (&row - recipe.rows.data());
    const RecipeRow* first = nullptr;
    for (const std::string& name : row.choose_from) {
      const std::string where =
          message(shown_as, ": row '", row.name, "': choose_from '", name, "'");
      const auto named = std::find_if(recipe.rows.begin(), end,
                                      [&](const RecipeRow& above) { return above.name == name; });
      if (named == end) throw InvalidArgument(message(where, ": no row above has this name"));
      if (first == nullptr) first = &*named;
      check_named_row(recipe, row, *named, *first, where);
    }
  }
}

void check_whole(const Recipe& recipe, const std::string& shown_as) {
  const auto require = [&](bool there, const char* key) {
    if (!there) throw InvalidArgument(message(shown_as, ": no ", key, " given"));
  };
  if (recipe.trials.empty()) {
    require(!recipe.data.empty(), "data");
    require(recipe.clusters > 0, "clusters");
  }
  require(!recipe.rows.empty(), "[[row]]");
}

/// Every trial has points, truth and number of clusters of its own, and one seed.
void check_trials(const Recipe& recipe, const toml::table& table, const std::string& shown_as) {
  if (recipe.trials.empty()) return;
  const std::vector<std::string> known = trial_family_names();
  if (std::ranges::find(known, recipe.trials) == known.end()) {
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    throw InvalidArgument(
        message(shown_as, ": trials = ", recipe.trials, ", must be one of ", names));
  }
  for (const char* key : {"data", "truth", "image_size", "color", "clusters", "seeds"}) {
    if (!table.contains(key)) continue;
    throw InvalidArgument(message(shown_as, ": ", key, " together with trials, must be left out"));
  }
}

}  // namespace

Recipe parse_recipe(const std::string& text, const std::string& name, const std::string& shown_as) {
  Recipe recipe = {.name = name, .title = name, .text = text};
  const auto read_size = [&](const toml::node& node, const std::string& key) {
    recipe.image_size = datasets::parse_image_size(toml_text(node, key), key);
  };
  const toml::table table = parse_toml(text, shown_as);
  const bool trials = table.contains("trials");
  // Before the rows, wherever it stands in the file.
  const SharedOptions shared = table.contains("shared")
                                   ? SharedOptions(*table.get("shared"), shown_as + ": shared")
                                   : SharedOptions();
  const std::vector<Key> keys = {text_key("title", recipe.title),
                                 text_key("note", recipe.note),
                                 text_key("trials", recipe.trials),
                                 text_key("data", recipe.data),
                                 text_key("truth", recipe.truth),
                                 {"image_size", read_size},
                                 switch_key("color", recipe.color),
                                 count_key("clusters", recipe.clusters, kMostClusters),
                                 count_key("seeds", recipe.seeds, kMostSeeds),
                                 {"shared", [](const toml::node&, const std::string&) {}},
                                 {"row", [&](const toml::node& node, const std::string& key) {
                                    recipe.rows = read_rows(node, shared, trials, key);
                                  }}};
  read_keys(table, keys, shown_as);
  check_whole(recipe, shown_as);
  check_choices(recipe, shown_as);
  check_trials(recipe, table, shown_as);
  return recipe;
}

bool sweeps_seed(const RecipeRow& row) {
  return std::ranges::find(row.sweep, kSweptSeed, &SweptOption::key) != row.sweep.end();
}

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  for (const BuiltInRecipe& recipe : built_in_recipes()) names.push_back(recipe.name);
  return names;
}

Recipe find_recipe(const std::string& name_or_file) {
  for (const BuiltInRecipe& recipe : built_in_recipes()) {
    if (recipe.name == name_or_file) {
      return parse_recipe(recipe.text, recipe.name, message("recipe ", recipe.name));
    }
  }
  const std::filesystem::path file = name_or_file;
  if (!std::filesystem::exists(file)) {
    std::string known;
    for (const std::string& name : recipe_names()) known += (known.empty() ? "" : ", ") + name;
    throw IoError(message("recipe ", name_or_file, ": no such file, and not one of ", known));
  }
  Recipe recipe =
      parse_recipe(read_text_file(file, "a recipe"), file.stem().string(), file.string());
  recipe.folder = file.parent_path();
  if (recipe.trials.empty() && !datasets::parse_dataset_name(recipe.data) &&
      std::filesystem::exists(recipe.folder / recipe.data)) {
    recipe.data = (recipe.folder / recipe.data).string();
  }
  return recipe;
}

}  // namespace subspace::pipelines
