// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trials/plan.h"

#include <algorithm>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/parameters.h>
#include <subspace/core/version.h>

#include "trials/families.h"

namespace subspace::pipelines {
namespace {

/// Goes into every hash; raised when methods answer differently though version and options stay.
constexpr char kTrialFormat[] = "trial-1";

std::string hash_of(const RecipeRow& row, const Trial& trial) {
  return content_hash({kTrialFormat, SUBSPACE_VERSION, backend_name(), row.method,
                       values_text(make_clusterer(row, trial).values()),
                       std::to_string(trial.num_clusters), trial.hash});
}

void check_groups(const std::vector<std::string>& words, const TrialFamily& family,
                  const std::string& shown_as) {
  std::vector<std::string> known = family.groups;
  if (!family.together.empty()) known.push_back(family.together);
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) != known.end()) continue;
    const std::string nearest = nearest_name(word, known);
    throw InvalidArgument(
        message(shown_as, " '", word, "': trials ", family.name, " have no such group",
                nearest.empty() ? std::string() : message("; did you mean '", nearest, "'?")));
  }
}

void check_row_groups(const RecipeRow& row, const TrialFamily& family) {
  check_groups(row.groups, family, message("row '", row.name, "': groups"));
  if (!row.published) return;
  std::vector<std::string> named;
  for (const auto& [group, error] : row.published->groups) named.push_back(group);
  check_groups(named, family, message("row '", row.name, "': published.groups"));
}

bool is_run_on(const RecipeRow& row, const Trial& trial) {
  return row.groups.empty() || std::ranges::find(row.groups, trial.group) != row.groups.end();
}

}  // namespace

Clusterer make_clusterer(const RecipeRow& row, const Trial& trial) {
  Clusterer clusterer(row.method);
  for (const auto& [key, text] : row.set) {
    clusterer.set(key, value_for_clusters(text, trial.num_clusters));
  }
  return clusterer;
}

std::vector<PlannedTrials> plan_trials(const Recipe& recipe, const TrialFamily& family,
                                       const TableOptions& options) {
  const std::vector<std::size_t> chosen = chosen_rows(recipe, options);
  std::vector<PlannedTrials> rows;
  for (std::size_t i = 0; i < recipe.rows.size(); ++i) {
    const RecipeRow& row = recipe.rows[i];
    check_row_groups(row, family);
    PlannedTrials planned = {.row = &row, .chosen = std::ranges::find(chosen, i) != chosen.end()};
    for (std::size_t trial = 0; trial < family.trials.size() && row.settings_published; ++trial) {
      if (!is_run_on(row, family.trials[trial])) continue;
      planned.trials.push_back(trial);
      planned.hashes.push_back(hash_of(row, family.trials[trial]));
    }
    rows.push_back(std::move(planned));
  }
  return rows;
}

Cost cost_of(const PlannedTrials& planned, std::size_t number, const TrialFamily& family,
             const Context& context) {
  const Trial& trial = family.trials[planned.trials[number]];
  const Matrix unset(trial.dimension, trial.num_points);  // a cost knows no values
  return make_clusterer(*planned.row, trial).cost({unset}, trial.num_clusters, context);
}

/// Trials run side by side, one a thread, so their seconds add up as those of runs that have all
/// threads to themselves, and their memory as that of as many of the largest as there is room for.
RowEstimate estimate(const PlannedTrials& planned, const std::vector<std::size_t>& left,
                     const TrialFamily& family, const Context& context) {
  RowEstimate sum = {.name = planned.row->name,
                     .cells = static_cast<int>(left.size()),
                     .finished = static_cast<int>(planned.trials.size() - left.size())};
  if (left.empty()) return sum;
  const auto at_once = std::min<std::size_t>(left.size(), resolve_threads(context));
  Context shared = context;
  shared.num_threads = static_cast<int>(at_once);
  Context single = context;
  single.num_threads = 1;
  double largest = 0.0;
  for (const std::size_t number : left) {
    sum.cost.seconds += cost_of(planned, number, family, shared).seconds;
    largest = std::max(largest, cost_of(planned, number, family, single).bytes);
  }
  const double room = std::max(largest, allowed_memory(context));
  sum.cost.bytes =
      std::min(static_cast<double>(at_once) * largest, room) + static_cast<double>(peak_memory());
  return sum;
}

}  // namespace subspace::pipelines
