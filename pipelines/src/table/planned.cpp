// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/planned.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

/// Go into every hash; raised when methods answer differently, or a network would be another one,
/// though version and options stay.
constexpr char kCellFormat[] = "cell-2";
constexpr char kTrainingFormat[] = "cell-1";

std::string file_hash(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file)) throw IoError(message(file.string(), ": cannot be read"));
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  return sha256(std::as_bytes(std::span(bytes)));
}

class Planner {
 public:
  Planner(const Recipe& recipe, const TableInput& input, const TableStore& store)
      : recipe_(recipe), input_(input), store_(store) {}

  void fill(PlannedRow& planned) const {
    for (Variant& variant : variants(*planned.row)) {
      PlannedVariant next = {.variant = std::move(variant)};
      for (int seed = 0; seed < planned.num_seeds; ++seed) {
        const auto later = static_cast<std::uint64_t>(planned.first_seed + seed);
        next.cells.push_back(plan_cell(planned, next.variant, next.variant.first_seed + later));
      }
      planned.variants.push_back(std::move(next));
    }
  }

 private:
  PlannedCell plan_cell(const PlannedRow& planned, const Variant& variant,
                        std::uint64_t seed) const {
    const RecipeRow& row = *planned.row;
    PlannedCell cell = {.seed = seed};
    std::vector<std::string> parts = {kCellFormat, SUBSPACE_VERSION, input_.hash,
                                      std::to_string(planned.num_clusters), std::to_string(seed)};
    for (const std::string& file : {row.labels, row.features}) {
      parts.push_back(file.empty() ? "" : file_hash(file_of_seed(recipe_, file, seed)));
    }
    if (!row.method.empty()) {
      const Clusterer clusterer = make_clusterer(row, variant);
      parts.insert(parts.end(), {row.method, values_text(clusterer.values()), backend_name()});
      if (clusterer.learns()) {
        cell.trainings = training_hashes(clusterer, planned.num_clusters, seed);
        parts.push_back(input_.training);
      }
    }
    for (const int step : row.curve) parts.push_back(message("curve ", step));
    // A setting of a sweep leaves nothing to look at, so it is no substitute for a row of its own.
    if (!variant.swept.empty()) parts.emplace_back("swept");
    cell.hash = content_hash(parts);
    cell.stored = store_.load(cell.hash);
    return cell;
  }

  /// Rows that differ only after a training share it.
  std::vector<std::string> training_hashes(const Clusterer& clusterer, int num_clusters,
                                           std::uint64_t seed) const {
    std::vector<std::string> hashes;
    for (const std::string& key : clusterer.training_keys(num_clusters)) {
      hashes.push_back(content_hash({kTrainingFormat, SUBSPACE_VERSION, input_.hash,
                                     std::to_string(seed), key, input_.training}));
    }
    return hashes;
  }

  const Recipe& recipe_;
  const TableInput& input_;
  const TableStore& store_;
};

/// Whichever row trains a network that several share keeps what all of them ask for. A curve is of
/// a first training; the stages that others let follow it keep nothing.
void share_kept_steps(std::vector<PlannedRow>& rows) {
  std::map<std::string, std::set<int>> asked;
  const auto for_cells = [&](const auto& visit) {
    for (PlannedRow& planned : rows) {
      for (PlannedVariant& variant : planned.variants) {
        for (PlannedCell& cell : variant.cells) {
          if (!cell.trainings.empty()) visit(*planned.row, cell);
        }
      }
    }
  };
  for_cells([&](const RecipeRow& row, const PlannedCell& cell) {
    asked[cell.trainings.front()].insert(row.curve.begin(), row.curve.end());
  });
  for_cells([&](const RecipeRow&, PlannedCell& cell) {
    const std::set<int>& steps = asked[cell.trainings.front()];
    cell.kept_steps.assign(steps.begin(), steps.end());
  });
}

Cost cost_of(const PlannedRow& planned, const Variant& variant, const TableInput& input,
             const Context& context) {
  try {
    return make_clusterer(*planned.row, variant)
        .cost({input.points.X, input.points.image}, planned.num_clusters, context);
  } catch (const DataError&) {
    return {};  // the row says what is wrong with the data when it is run
  }
}

}  // namespace

std::vector<PlannedRow> plan_rows(const Recipe& recipe, const TableOptions& options,
                                  const TableInput& input, const TableStore& store) {
  const std::vector<std::size_t> chosen = chosen_rows(recipe, options);
  const Planner planner(recipe, input, store);
  std::vector<PlannedRow> rows;
  for (std::size_t i = 0; i < recipe.rows.size(); ++i) {
    const RecipeRow& row = recipe.rows[i];
    PlannedRow planned = {.row = &row,
                          .chosen = std::ranges::find(chosen, i) != chosen.end(),
                          .num_clusters = row.clusters.value_or(recipe.clusters)};
    const TableOptions of_row = planned.chosen ? options : TableOptions{};
    planned.first_seed = first_seed(row, of_row);
    planned.num_seeds = num_seeds(recipe, row, of_row);
    if (asks_for_learning(row.method) && feature_learners().empty()) {
      planned.interruption = "needs LibTorch, which this build does not have";
      rows.push_back(std::move(planned));
      continue;
    }
    try {
      if (row.settings_published && row.choose_from.empty()) planner.fill(planned);
    } catch (const Error& error) {
      planned.failure = error.what();
      planned.variants.clear();
    }
    rows.push_back(std::move(planned));
  }
  share_kept_steps(rows);
  return rows;
}

RowEstimate estimate(const PlannedRow& planned, const TableInput& input,
                     std::set<std::string>& counted, const Context& context) {
  RowEstimate sum = {.name = planned.row->name};
  for (const PlannedVariant& variant : planned.variants) {
    for (const PlannedCell& cell : variant.cells) {
      (cell.stored ? sum.finished : sum.cells) += 1;
      if (cell.stored || planned.row->method.empty()) continue;
      const Cost cost = cost_of(planned, variant.variant, input, context);
      sum.cost.seconds += cost.seconds;
      for (std::size_t i = 0; i < cost.training_seconds.size(); ++i) {
        const bool shared = !counted.insert(cell.trainings[i]).second;
        if (shared) sum.cost.seconds -= cost.training_seconds[i];
      }
      // The points and the program itself are there already.
      sum.cost.bytes = std::max(sum.cost.bytes, cost.bytes + static_cast<double>(peak_memory()));
    }
  }
  return sum;
}

}  // namespace subspace::pipelines
