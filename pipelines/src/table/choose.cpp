// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/choose.h"

#include <algorithm>
#include <map>
#include <utility>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

/// The cell of a row with this seed and what the rule thinks of it.
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

Candidate candidate(const RowResult& row, std::uint64_t seed, ChosenBy chosen_by) {
  const auto cell =
      std::ranges::find_if(row.cells, [&](const Cell& own) { return own.record.seed == seed; });
  if (cell == row.cells.end()) return {};
  return {&row, &*cell, score({*cell}, chosen_by)};
}

std::vector<Candidate> candidates(const std::vector<const RowResult*>& rows, std::uint64_t seed,
                                  ChosenBy chosen_by) {
  std::vector<Candidate> found;
  for (const RowResult* row : rows) {
    const Candidate own = candidate(*row, seed, chosen_by);
    if (own.cell != nullptr) found.push_back(own);
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

std::string first_message(const std::vector<const RowResult*>& rows) {
  for (const RowResult* row : rows) {
    if (!row->message.empty()) return message("row '", row->name, "': ", row->message);
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
                      .message = first_message(named),
                      .seeds_wanted = planned.num_seeds};
  std::map<std::string, int> times;
  for (int seed = 0; seed < planned.num_seeds; ++seed) {
    const std::vector<Candidate> found =
        candidates(named, static_cast<std::uint64_t>(seed), row.chosen_by);
    if (found.size() < named.size()) continue;
    const auto silent = std::ranges::find(found, Score(), &Candidate::score);
    if (silent != found.end()) {
      result.message = message("row '", silent->row->name, "', seed ", seed,
                               ": has nothing to choose by; if an earlier version computed it, "
                               "remove cells/",
                               silent->cell->hash, ".json to have it computed anew");
      continue;
    }
    const Candidate& best = *std::ranges::max_element(found, {}, &Candidate::score);
    result.cells.push_back(*best.cell);
    if (result.cells.size() == 1) result.figures = best.row->figures;
    ++times[best.row->name];
  }
  result.state = state_of(named, result);
  if (!result.cells.empty()) result.chosen = choice_words(row, times, result.cells.size());
  return result;
}

}  // namespace subspace::pipelines
