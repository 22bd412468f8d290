// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/results.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <subspace/core/error.h>

#include "base64.h"
#include "figures_json.h"
#include "record_json.h"
#include "table/heading.h"
#include "toml_text.h"

namespace subspace::pipelines {
namespace {

template <typename Enum>
using Words = std::vector<std::pair<std::string, Enum>>;

const Words<Protocol> kProtocols = {{"label-free", Protocol::kLabelFree},
                                    {"paper", Protocol::kPaper},
                                    {"oracle", Protocol::kOracle}};
const Words<RowState> kStates = {{"done", RowState::kDone},
                                 {"partial", RowState::kPartial},
                                 {"not run", RowState::kNotRun},
                                 {"no settings published", RowState::kNoSettings},
                                 {"failed", RowState::kFailed}};

template <typename Enum>
std::string word_of(const Words<Enum>& words, Enum value) {
  return std::ranges::find(words, value, &std::pair<std::string, Enum>::second)->first;
}

Json published_json(const Published& published) {
  return {
      {"error", published.error}, {"source", published.source}, {"obtained", published.obtained}};
}

Json cell_json(const Cell& cell) {
  return {{"hash", cell.hash}, {"command", cell.command}, {"record", record_json(cell.record)}};
}

Cell cell_from_json(const Json& json) {
  return {record_from_json(json.at("record")), json.at("hash"), json.at("command")};
}

Json swept_json(const SweptSetting& setting) {
  Json json = {{"settings", setting.settings}, {"seeds", setting.seeds}, {"shown", setting.shown}};
  if (setting.error) json["error"] = *setting.error;
  if (setting.confidence) json["confidence"] = *setting.confidence;
  if (setting.cut) json["cut"] = *setting.cut;
  return json;
}

SweptSetting swept_from_json(const Json& json) {
  const auto number = [&](const char* name) {
    return json.contains(name) ? std::optional(json.at(name).get<double>()) : std::nullopt;
  };
  return {.settings = json.at("settings"),
          .seeds = json.at("seeds"),
          .error = number("error"),
          .confidence = number("confidence"),
          .cut = number("cut"),
          .shown = json.at("shown")};
}

Json row_json(const RowResult& row) {
  Json json = {{"name", row.name},
               {"method", row.method},
               {"protocol", protocol_name(row.protocol)},
               {"note", row.note},
               {"tuned_on_labels", row.tuned_on_labels},
               {"state", word_of(kStates, row.state)},
               {"message", row.message},
               {"seeds_wanted", row.seeds_wanted}};
  if (!row.chosen.empty()) json["chosen"] = row.chosen;
  if (row.published) json["published"] = published_json(*row.published);
  json["cells"] = Json::array();
  for (const Cell& cell : row.cells) json["cells"].push_back(cell_json(cell));
  for (const SweptSetting& setting : row.sweep) json["sweep"].push_back(swept_json(setting));
  if (row.figures) json["figures"] = figures_json(*row.figures);
  return json;
}

RowResult row_from_json(const Json& json) {
  RowResult row = {.name = json.at("name"),
                   .method = json.at("method"),
                   .protocol = parse_protocol(json.at("protocol"), "protocol"),
                   .note = json.at("note"),
                   .chosen = json.value("chosen", ""),
                   .tuned_on_labels = json.value("tuned_on_labels", false),
                   .state = parse_state(json.at("state")),
                   .message = json.at("message"),
                   .seeds_wanted = json.at("seeds_wanted")};
  if (json.contains("published")) {
    const Json& published = json.at("published");
    row.published = {published.at("error"), published.at("source"), published.at("obtained")};
  }
  for (const Json& cell : json.at("cells")) row.cells.push_back(cell_from_json(cell));
  if (json.contains("sweep")) {
    for (const Json& setting : json.at("sweep")) row.sweep.push_back(swept_from_json(setting));
  }
  if (json.contains("figures")) row.figures = figures_from_json(json.at("figures"));
  return row;
}

Json data_json(const TableData& data) {
  Json json = {{"input", input_json(data.input)},
               {"num_clusters", data.num_clusters},
               {"truth", data.truth},
               {"redistributable", data.redistributable}};
  if (data.truth_info) json["truth_info"] = truth_json(*data.truth_info);
  if (const auto& sheet = data.thumbnails) {
    json["thumbnails"] = {{"count", sheet->count},
                          {"columns", sheet->columns},
                          {"width", sheet->width},
                          {"height", sheet->height},
                          {"png", to_base64(sheet->png)}};
  }
  return json;
}

TableData data_from_json(const Json& json) {
  TableData data = {.input = input_from_json(json.at("input")),
                    .num_clusters = json.at("num_clusters"),
                    .truth = json.at("truth").get<Labels>(),
                    .redistributable = json.at("redistributable")};
  if (json.contains("truth_info")) data.truth_info = truth_from_json(json.at("truth_info"));
  if (json.contains("thumbnails")) {
    const Json& sheet = json.at("thumbnails");
    data.thumbnails = {sheet.at("count"), sheet.at("columns"), sheet.at("width"),
                       sheet.at("height"), from_base64(sheet.at("png").get<std::string>())};
  }
  return data;
}

TableResults table_from_json(const Json& json) {
  TableResults results;
  read_heading(json, results);
  results.data = data_from_json(json.at("data"));
  for (const Json& row : json.at("rows")) results.rows.push_back(row_from_json(row));
  results.left_out = left_out_from_json(json);
  return results;
}

}  // namespace

std::string state_name(RowState state) { return word_of(kStates, state); }

RowState parse_state(const std::string& text) {
  const auto found = std::ranges::find(kStates, text, &std::pair<std::string, RowState>::first);
  if (found == kStates.end()) throw DataError(message("state '", text, "' of a row is unknown"));
  return found->second;
}

std::string protocol_name(Protocol protocol) { return word_of(kProtocols, protocol); }

Protocol parse_protocol(const std::string& text, const std::string& shown_as) {
  const auto found = std::ranges::find(kProtocols, text, &std::pair<std::string, Protocol>::first);
  if (found == kProtocols.end()) {
    throw InvalidArgument(
        message(shown_as, " = ", text, ", must be one of label-free, paper, oracle"));
  }
  return found->second;
}

Spread spread(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [min, max] = std::ranges::minmax(values);
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.count = static_cast<int>(values.size()),
          .mean = mean,
          .sd = values.size() > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0,
          .min = min,
          .max = max};
}

std::string to_json(const TableResults& results) {
  Json json = heading_json(kResultsSchema, results);
  json["data"] = data_json(results.data);
  json["rows"] = Json::array();
  for (const RowResult& row : results.rows) json["rows"].push_back(row_json(row));
  json["left_out"] = left_out_json(results.left_out);
  return json_text(json);
}

TableResults results_from_json(const std::string& text, const std::string& shown_as) {
  return parse_results(text, kResultsSchema, shown_as, table_from_json);
}

TableResults read_results(const std::filesystem::path& path) {
  const std::filesystem::path file = results_file(path);
  return results_from_json(read_text_file(file, "results of a table"), file.string());
}

}  // namespace subspace::pipelines
