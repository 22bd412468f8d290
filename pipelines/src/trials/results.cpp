// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <limits>

#include <subspace/pipelines/trials.h>

#include "json.h"
#include "table/heading.h"

namespace subspace::pipelines {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::optional<double> published_error(const TrialsRow& row, const std::string& group) {
  if (!row.published) return std::nullopt;
  for (const auto& [name, error] : row.published->groups) {
    if (name == group) return error;
  }
  return std::nullopt;
}

/// The trials of all groups where `every` is set.
GroupSummary summarize_group(const TrialsResults& results, const TrialsRow& row,
                             const std::string& group, bool every) {
  GroupSummary summary = {.group = group, .published = published_error(row, group)};
  std::vector<double> errors;
  for (std::size_t i = 0; i < results.trials.size(); ++i) {
    if (!every && results.trials[i].group != group) continue;
    ++summary.wanted;
    if (!row.outcomes[i]) continue;
    errors.push_back(row.outcomes[i]->error);
    summary.seconds += row.outcomes[i]->seconds;
    summary.unconverged += row.outcomes[i]->converged ? 0 : 1;
  }
  summary.done = static_cast<int>(errors.size());
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const Spread all = spread(errors);
  summary.mean = errors.empty() ? nothing : all.mean;
  summary.median = errors.empty() ? nothing : median(errors);
  summary.max = errors.empty() ? nothing : all.max;
  return summary;
}

Json summary_json(const GroupSummary& summary) {
  Json json = {{"group", summary.group},         {"trials", summary.wanted},
               {"done", summary.done},           {"mean_error", summary.mean},
               {"median_error", summary.median}, {"max_error", summary.max},
               {"seconds", summary.seconds},     {"unconverged", summary.unconverged}};
  if (summary.published) json["published_error"] = *summary.published;
  return json;
}

/// A list over all trials, null where the row has no result.
template <typename Value>
Json over_trials(const TrialsRow& row, const Value& value) {
  Json list = Json::array();
  for (const auto& outcome : row.outcomes) list.push_back(outcome ? Json(value(*outcome)) : Json());
  return list;
}

Json row_json(const TrialsResults& results, const TrialsRow& row) {
  Json json = {{"name", row.name},
               {"method", row.method},
               {"set", Json::object()},
               {"protocol", protocol_name(row.protocol)},
               {"note", row.note},
               {"tuned_on_labels", row.tuned_on_labels},
               {"state", state_name(row.state)},
               {"message", row.message}};
  for (const auto& [key, text] : row.set) json["set"][key] = text;
  if (row.published) {
    json["published"] = {{"source", row.published->source}, {"obtained", row.published->obtained}};
  }
  json["groups"] = Json::array();
  for (const GroupSummary& summary : summarize(results, row)) {
    json["groups"].push_back(summary_json(summary));
  }
  json["errors"] = over_trials(row, [](const TrialOutcome& each) { return each.error; });
  json["converged"] = over_trials(row, [](const TrialOutcome& each) { return each.converged; });
  json["other_source"] =
      over_trials(row, [](const TrialOutcome& each) { return each.other_source; });
  // Thousandths are all that a clock on a busy machine means.
  json["milliseconds"] = over_trials(row, [](const TrialOutcome& each) {
    return static_cast<std::int64_t>(1000.0 * each.seconds + 0.5);
  });
  return json;
}

Json trial_json(const Trial& trial) {
  return {{"name", trial.name},
          {"group", trial.group},
          {"clusters", trial.num_clusters},
          {"points", trial.num_points},
          {"dimension", trial.dimension}};
}

}  // namespace

std::vector<GroupSummary> summarize(const TrialsResults& results, const TrialsRow& row) {
  std::vector<GroupSummary> summaries;
  for (const std::string& group : results.groups) {
    if (std::ranges::find(row.groups, group) == row.groups.end()) continue;
    summaries.push_back(summarize_group(results, row, group, false));
  }
  if (!results.together.empty() && summaries.size() == results.groups.size()) {
    summaries.push_back(summarize_group(results, row, results.together, true));
  }
  return summaries;
}

std::string to_json(const TrialsResults& results) {
  Json json = heading_json(kTrialsSchema, results);
  json["family"] = results.family;
  json["groups"] = results.groups;
  json["together"] = results.together;
  json["rows"] = Json::array();
  for (const TrialsRow& row : results.rows) json["rows"].push_back(row_json(results, row));
  json["left_out"] = left_out_json(results.left_out);
  json["trials"] = Json::array();
  for (const Trial& trial : results.trials) json["trials"].push_back(trial_json(trial));
  return json_text(json);
}

}  // namespace subspace::pipelines
