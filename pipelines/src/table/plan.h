// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/table.h>

namespace subspace::pipelines {

/// One setting of a row: the row's own, or one combination of its sweep.
struct Variant {
  std::vector<KeyText> set = {};
  std::uint64_t first_seed = 0;
  std::string swept = {};  ///< the combination in words; empty without a sweep
};

/// The settings a row is run with: one, or every combination of its sweep.
std::vector<Variant> variants(const RecipeRow& row);

/// Number of seeds of a row; one for a single file of labels.
int num_seeds(const Recipe& recipe, const RecipeRow& row, const TableOptions& options);

/// The first of them; 0 where a row has seeds of its own or none.
int first_seed(const RecipeRow& row, const TableOptions& options);

/// The rows that the options choose, by number. Throws InvalidArgument for a name that is no row.
std::vector<std::size_t> chosen_rows(const Recipe& recipe, const TableOptions& options);

/// "theirs_{seed}.npy" of a seed, relative to the recipe's folder.
std::filesystem::path file_of_seed(const Recipe& recipe, const std::string& pattern,
                                   std::uint64_t seed);

/// The method of a row with the options of a variant.
Clusterer make_clusterer(const RecipeRow& row, const Variant& variant);

/// Options of a method as text that tells any two apart.
std::string values_text(const NamedValues& values);

/// SHA-256 of the parts, cut to 24 digits: names a result for good.
std::string content_hash(const std::vector<std::string>& parts);

/// The command that does the same as the cell with this record; `truth` is the file its metrics
/// come from, if any.
std::string shell_command(const Recipe& recipe, const RecipeRow& row, const Variant& variant,
                          const Record& record, const std::string& truth);

}  // namespace subspace::pipelines
