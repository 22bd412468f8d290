// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/assemble.h"

#include <algorithm>

#include <subspace/core/error.h>

#include "source_commit.h"
#include "table/rules.h"

namespace subspace::pipelines {
namespace {

/// Versions of the suite change less often than its results may: what another source computed is
/// kept, and said.
void warn_of_other_source(Record& record) {
  if (record.source_commit == source_commit()) return;
  record.outcome.warnings.push_back(
      message("computed by ",
              record.source_commit.empty() ? "an unknown commit" : "commit " + record.source_commit,
              ", not by that of the program that made this table"));
}

std::vector<Cell> finished_cells(const Recipe& recipe, const PlannedRow& planned,
                                 const PlannedVariant& variant, const TableEvaluator& evaluator) {
  std::vector<Cell> cells;
  for (const PlannedCell& cell : variant.cells) {
    if (!cell.stored) continue;
    Record record = cell.stored->record;
    evaluator.evaluate(record);
    if (!planned.row->method.empty()) warn_of_other_source(record);
    std::string command =
        shell_command(recipe, *planned.row, variant.variant, record, evaluator.file());
    cells.push_back({std::move(record), cell.hash, std::move(command)});
  }
  return cells;
}

std::optional<Figures> first_figures(const PlannedVariant& variant) {
  for (const PlannedCell& cell : variant.cells) {
    if (cell.stored && cell.stored->figures) return cell.stored->figures;
  }
  return std::nullopt;
}

/// A row may stand with some of its settings still to be computed: "12 of 48 settings".
std::string count_words(std::size_t computed, std::size_t wanted) {
  return computed == wanted ? message(wanted, " settings")
                            : message(computed, " of ", wanted, " settings");
}

std::string choice_words(const PlannedRow& planned, std::size_t computed,
                         const PlannedVariant& chosen, const Score& best, int ties) {
  const std::string settings = count_words(computed, planned.variants.size());
  const std::string how =
      best ? message("best of ", settings, " by ", rule_words(planned.row->chosen_by, *best))
           : message("nothing to choose by, first of ", settings);
  return message(how, ": ", chosen.variant.swept,
                 ties > 0 ? message(" (first of ", ties + 1, " that tie)") : "",
                 sweeps_seed(*planned.row) ? "; the time is of this one alone" : "");
}

/// Percent of points.
std::optional<double> mean_error(const std::vector<Cell>& cells) {
  const Score accuracy = mean_accuracy(cells);
  return accuracy ? std::optional(100.0 * (1.0 - *accuracy)) : std::nullopt;
}

SweptSetting swept_setting(const PlannedVariant& variant, const std::vector<Cell>& cells) {
  return {.settings = variant.variant.swept,
          .seeds = static_cast<int>(cells.size()),
          .error = mean_error(cells),
          .confidence = mean_signal(cells, "confidence"),
          .cut = mean_signal(cells, "cut")};
}

RowState state_of(const PlannedRow& planned, const RowResult& result) {
  if (!planned.row->settings_published) return RowState::kNoSettings;
  if (!planned.failure.empty()) return RowState::kFailed;
  if (result.cells.empty()) return RowState::kNotRun;
  const bool complete = std::ranges::all_of(planned.variants, [](const PlannedVariant& variant) {
    return std::ranges::all_of(variant.cells,
                               [](const PlannedCell& cell) { return cell.stored.has_value(); });
  });
  return complete ? RowState::kDone : RowState::kPartial;
}

}  // namespace

RowResult assemble_row(const Recipe& recipe, const PlannedRow& planned,
                       const TableEvaluator& evaluator) {
  const RecipeRow& row = *planned.row;
  RowResult result = {.name = row.name,
                      .method = row.method,
                      .protocol = row.protocol,
                      .note = row.note,
                      .tuned_on_labels = row.tuned_on_labels,
                      .published = row.published,
                      .message = planned.failure.empty() ? planned.interruption : planned.failure,
                      .seeds_wanted = planned.num_seeds};
  const PlannedVariant* best = nullptr;
  Score best_score;
  int ties = 0;
  bool can_choose = true;
  for (const PlannedVariant& variant : planned.variants) {
    std::vector<Cell> cells = finished_cells(recipe, planned, variant, evaluator);
    if (cells.empty()) continue;
    const auto silent = silent_cells(cells, row.chosen_by);
    if (!silent.empty() && can_choose) {
      can_choose = false;
      if (result.message.empty()) result.message = silence_words(row.name, silent, row.chosen_by);
    }
    const Score own = score(cells, row.chosen_by);
    if (planned.variants.size() > 1) result.sweep.push_back(swept_setting(variant, cells));
    if (best != nullptr && own && best_score && *own == *best_score) ++ties;
    if (best != nullptr && !(own && (!best_score || *own > *best_score))) continue;
    ties = 0;
    best_score = own;
    best = &variant;
    result.cells = std::move(cells);
  }
  if (best != nullptr) result.figures = first_figures(*best);
  if (best != nullptr && planned.variants.size() > 1) {
    result.chosen = choice_words(planned, result.sweep.size(), *best, best_score, ties);
    for (SweptSetting& setting : result.sweep) {
      setting.shown = setting.settings == best->variant.swept;
    }
  }
  result.state = state_of(planned, result);
  if (result.state == RowState::kDone && !can_choose) result.state = RowState::kPartial;
  return result;
}

}  // namespace subspace::pipelines
