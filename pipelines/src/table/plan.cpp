// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/plan.h"

#include <algorithm>
#include <iomanip>
#include <span>
#include <variant>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/registry.h>
#include <subspace/pipelines/shell_word.h>

#include "later_options.h"

namespace subspace::pipelines {
namespace {

constexpr std::string_view kSeed = "{seed}";

bool means(const RecipeRow& row, const std::string& word) {
  return row.name == word || row.method == word;
}

void check_names(const Recipe& recipe, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const RecipeRow& row : recipe.rows) {
    known.push_back(row.name);
    if (!row.method.empty()) known.push_back(row.method);
  }
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) != known.end()) continue;
    const std::string nearest = nearest_name(word, known);
    throw InvalidArgument(
        message("--methods ", word, ": table ", recipe.name, " has no row or method of this name",
                nearest.empty() ? std::string() : message("; did you mean '", nearest, "'?")));
  }
}

const RecipeRow& row_of(const Recipe& recipe, const std::string& name) {
  return *std::ranges::find(recipe.rows, name, &RecipeRow::name);
}

/// One file of labels is one result, and a sweep over seeds runs each of them once.
bool takes_seeds(const RecipeRow& row) {
  const bool one_file = !row.labels.empty() && row.labels.find(kSeed) == std::string::npos;
  return !one_file && !sweeps_seed(row);
}

/// With each row those it chooses among, which it stands below.
void add_named(const Recipe& recipe, std::vector<bool>& chosen) {
  for (std::size_t i = 0; i < recipe.rows.size(); ++i) {
    if (!chosen[i]) continue;
    for (const std::string& name : recipe.rows[i].choose_from) {
      chosen[static_cast<std::size_t>(&row_of(recipe, name) - recipe.rows.data())] = true;
    }
  }
}

}  // namespace

std::vector<Variant> variants(const RecipeRow& row) {
  std::vector<Variant> all = {{.set = row.set}};
  for (const SweptOption& option : row.sweep) {
    std::vector<Variant> longer;
    for (const Variant& variant : all) {
      for (const std::string& value : option.values) {
        Variant next = variant;
        if (option.key == kSweptSeed) {
          next.first_seed = std::stoull(value);
        } else {
          next.set.emplace_back(option.key, value);
        }
        next.swept += message(next.swept.empty() ? "" : ", ", option.key, " = ", value);
        longer.push_back(std::move(next));
      }
    }
    all = std::move(longer);
  }
  return all;
}

int num_seeds(const Recipe& recipe, const RecipeRow& row, const TableOptions& options) {
  if (!takes_seeds(row)) return 1;
  if (options.seeds) return *options.seeds;
  return row.seeds.value_or(recipe.seeds);
}

int first_seed(const RecipeRow& row, const TableOptions& options) {
  return takes_seeds(row) ? options.first_seed : 0;
}

std::vector<std::size_t> chosen_rows(const Recipe& recipe, const TableOptions& options) {
  check_names(recipe, options.methods);
  std::vector<bool> wanted;
  for (const RecipeRow& row : recipe.rows) {
    const bool named = std::ranges::any_of(
        options.methods, [&](const std::string& word) { return means(row, word); });
    wanted.push_back(row.protocol == options.protocol && (named || options.methods.empty()));
  }
  add_named(recipe, wanted);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) chosen.push_back(i);
  }
  if (chosen.empty()) {
    throw InvalidArgument(message("table ", recipe.name, " has no such row under protocol ",
                                  protocol_name(options.protocol), ", see --protocol"));
  }
  return chosen;
}

std::filesystem::path file_of_seed(const Recipe& recipe, const std::string& pattern,
                                   std::uint64_t seed) {
  std::string text = pattern;
  for (auto at = text.find(kSeed); at != std::string::npos; at = text.find(kSeed)) {
    text.replace(at, kSeed.size(), std::to_string(seed));
  }
  return recipe.folder / text;
}

Clusterer make_clusterer(const RecipeRow& row, const Variant& variant) {
  Clusterer clusterer(row.method);
  for (const auto& [key, text] : variant.set) clusterer.set(key, text);
  return clusterer;
}

std::string values_text(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    const auto print = [&](const auto& held) { return message(std::setprecision(17), held); };
    const std::string shown = std::visit(print, value);
    if (!is_as_before(name, shown)) text += message(name, "=", shown, "\n");
  }
  return text;
}

std::string content_hash(const std::vector<std::string>& parts) {
  std::string text;
  // Lengths first, so that no two lists of parts make the same text.
  for (const std::string& part : parts) text += message(part.size(), ":", part, "\n");
  return sha256(std::as_bytes(std::span(text))).substr(0, 24);
}

std::string shell_command(const Recipe& recipe, const RecipeRow& row, const Variant& variant,
                          const Record& record, const std::string& truth) {
  const std::uint64_t seed = record.seed;
  if (!row.labels.empty()) {
    const bool named = datasets::parse_dataset_name(recipe.data).has_value();
    const std::string carried = named ? std::string("TRUTH") : shell_word(recipe.data);
    return message("subspace evaluate ",
                   shell_word(file_of_seed(recipe, row.labels, seed).string()), " ",
                   truth.empty() ? carried : shell_word(truth));
  }
  const std::string input =
      row.features.empty() ? recipe.data : file_of_seed(recipe, row.features, seed).string();
  std::string text =
      message("subspace cluster ", shell_word(input), " -k ",
              row.clusters.value_or(recipe.clusters), " --method ", shell_word(row.method));
  for (const auto& [key, value] : variant.set)
    text += message(" --set ", shell_word(key + "=" + value));
  if (recipe.image_size && row.features.empty()) {
    text += message(" --image-size ", recipe.image_size->height, "x", recipe.image_size->width);
  }
  if (recipe.color && row.features.empty()) text += " --color";
  if (!truth.empty()) text += message(" --truth ", shell_word(truth));
  // What is learned depends on these two in its last digits.
  if (asks_for_learning(row.method))
    text += message(" --threads ", record.threads, " --device ", record.device);
  return message(text, " --seed ", seed);
}

}  // namespace subspace::pipelines
