// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/choose.h"

#include <algorithm>
#include <map>
#include <utility>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

/// The cell of a row with the seed at hand, and what the rule thinks of it.
struct Candidate {
  const RowResult* row = nullptr;
  const Cell* cell = nullptr;
  Score score = {};
};

std::vector<const RowResult*> named_rows(const PlannedRow& planned,
                                         const std::vector<RowResult>& rows) {
  std::vector<const RowResult*> named;
  for (const std::string& name : planned.row->choose_from) {
    named.push_back(&*std::ranges::find(rows, name, &RowResult::name));
  }
  return named;
}

/// Of the rows that have this seed and a score for it.
std::vector<Candidate> candidates(const std::vector<const RowResult*>& rows, std::uint64_t seed,
                                  ChosenBy chosen_by) {
  std::vector<Candidate> found;
  for (const RowResult* row : rows) {
    for (const Cell& cell : row->cells) {
      if (cell.record.seed != seed) continue;
      const Score own = score({cell}, chosen_by);
      if (own) found.push_back({row, &cell, own});
    }
  }
  return found;
}

/// "nmce or tcr+spectral", each once.
std::string methods_of(const std::vector<const RowResult*>& rows) {
  std::vector<std::string> methods;
  for (const RowResult* row : rows) {
    if (std::ranges::find(methods, row->method) == methods.end()) methods.push_back(row->method);
  }
  std::string text;
  for (const std::string& method : methods) text += (text.empty() ? "" : " or ") + method;
  return text;
}

std::string choice_words(const RecipeRow& row, const std::map<std::string, int>& times,
                         std::size_t seeds) {
  std::string text = message("of ", row.choose_from.size(), " rows by ", rule_name(row.chosen_by),
                             seeds > 1 ? ", seed by seed: " : ": ");
  bool first = true;
  for (const std::string& name : row.choose_from) {  // in the order of the recipe
    if (!times.contains(name)) continue;
    text += message(first ? "" : ", ", name, seeds > 1 ? message(" (", times.at(name), ")") : "");
    first = false;
  }
  return text + "; the time is of what is shown alone";
}

RowState state_of(const std::vector<const RowResult*>& rows, const RowResult& result) {
  if (static_cast<int>(result.cells.size()) == result.seeds_wanted) return RowState::kDone;
  if (!result.cells.empty()) return RowState::kPartial;
  const bool failed = std::ranges::any_of(
      rows, [](const RowResult* row) { return row->state == RowState::kFailed; });
  return failed ? RowState::kFailed : RowState::kNotRun;
}

/// Why there may be nothing to choose from, or to choose by.
std::string first_message(const std::vector<const RowResult*>& rows, ChosenBy chosen_by) {
  for (const RowResult* row : rows) {
    if (!row->message.empty()) return message("row '", row->name, "': ", row->message);
    const std::vector<const Cell*> silent = silent_cells(row->cells, chosen_by);
    if (!silent.empty()) return silence_words(row->name, silent, chosen_by);
  }
  return {};
}

}  // namespace

RowResult choose_among_rows(const PlannedRow& planned, const std::vector<RowResult>& rows) {
  const RecipeRow& row = *planned.row;
  const std::vector<const RowResult*> named = named_rows(planned, rows);
  RowResult result = {.name = row.name,
                      .method = methods_of(named),
                      .protocol = row.protocol,
                      .note = row.note,
                      .tuned_on_labels = row.tuned_on_labels ||
                                         std::ranges::any_of(named, &RowResult::tuned_on_labels),
                      .published = row.published,
                      .message = first_message(named, row.chosen_by),
                      .seeds_wanted = named.front()->seeds_wanted};
  std::map<std::string, int> times;
  for (const Cell& cell : named.front()->cells) {
    const std::vector<Candidate> found = candidates(named, cell.record.seed, row.chosen_by);
    if (found.size() < named.size()) continue;
    const Candidate& best = *std::ranges::max_element(found, {}, &Candidate::score);
    // Those of a row are of its first seed.
    if (&cell == &named.front()->cells.front()) result.figures = best.row->figures;
    result.cells.push_back(*best.cell);
    ++times[best.row->name];
  }
  result.state = state_of(named, result);
  if (!result.cells.empty()) result.chosen = choice_words(row, times, result.cells.size());
  return result;
}

}  // namespace subspace::pipelines
