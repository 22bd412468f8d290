// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>
#include <subspace/pipelines/trials.h>

#include "json.h"
#include "table/heading.h"
#include "toml_text.h"

namespace subspace::pipelines {
namespace {

Trial trial_from_json(const Json& json) {
  return {.name = json.at("name"),
          .group = json.at("group"),
          .num_clusters = json.at("clusters"),
          .num_points = json.at("points"),
          .dimension = json.at("dimension")};
}

/// The published figures stand beside those of the groups; the last may be of all together.
std::optional<Published> published_from_json(const Json& row) {
  if (!row.contains("published")) return std::nullopt;
  Published published = {.source = row.at("published").at("source"),
                         .obtained = row.at("published").at("obtained")};
  for (const Json& group : row.at("groups")) {
    if (!group.contains("published_error")) continue;
    published.groups.emplace_back(group.at("group"), group.at("published_error"));
  }
  return published;
}

/// One entry a trial.
const Json& list_of(const Json& row, const char* key, std::size_t count) {
  const Json& list = row.at(key);
  if (list.is_array() && list.size() == count) return list;
  throw DataError(message(key, " of ", list.size(), " trials, must be of ", count));
}

std::vector<std::optional<TrialOutcome>> outcomes_from_json(const Json& row, std::size_t count) {
  const Json& errors = list_of(row, "errors", count);
  const Json& times = list_of(row, "milliseconds", count);
  const Json& converged = list_of(row, "converged", count);
  const Json& other_source = list_of(row, "other_source", count);
  std::vector<std::optional<TrialOutcome>> outcomes(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (errors[i].is_null()) continue;
    outcomes[i] = {.error = errors[i],
                   .seconds = times[i].get<double>() / 1000.0,
                   .converged = converged[i],
                   .other_source = other_source[i]};
  }
  return outcomes;
}

TrialsRow row_from_json(const Json& json, const TrialsResults& results) {
  TrialsRow row = {.name = json.at("name"),
                   .method = json.at("method"),
                   .protocol = parse_protocol(json.at("protocol"), "protocol"),
                   .note = json.at("note"),
                   .tuned_on_labels = json.at("tuned_on_labels"),
                   .published = published_from_json(json),
                   .state = parse_state(json.at("state")),
                   .message = json.at("message"),
                   .outcomes = outcomes_from_json(json, results.trials.size())};
  for (const auto& [key, value] : json.at("set").items()) row.set.emplace_back(key, value);
  for (const Json& group : json.at("groups")) {
    const std::string name = group.at("group");
    if (name != results.together) row.groups.push_back(name);
  }
  return row;
}

TrialsResults trials_of(const Json& json) {
  TrialsResults results;
  read_heading(json, results);
  results.family = json.at("family");
  results.groups = json.at("groups").get<std::vector<std::string>>();
  results.together = json.at("together");
  for (const Json& trial : json.at("trials")) results.trials.push_back(trial_from_json(trial));
  for (const Json& row : json.at("rows")) results.rows.push_back(row_from_json(row, results));
  results.left_out = left_out_from_json(json);
  return results;
}

}  // namespace

TrialsResults trials_from_json(const std::string& text, const std::string& shown_as) {
  return parse_results(text, kTrialsSchema, shown_as, trials_of);
}

bool holds_trials(const std::filesystem::path& path) {
  const Json json =
      Json::parse(read_text_file(results_file(path), "results of a table"), nullptr, false);
  return json.is_object() && json.contains("schema") && json.at("schema") == kTrialsSchema;
}

TrialsResults read_trials(const std::filesystem::path& path) {
  const std::filesystem::path file = results_file(path);
  return trials_from_json(read_text_file(file, "results of a table"), file.string());
}

}  // namespace subspace::pipelines
