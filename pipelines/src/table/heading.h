// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>
#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/results.h>
#include <subspace/pipelines/table.h>

#include "json.h"
#include "source_commit.h"
#include "table/machine.h"

/// What the results of a table say of themselves, be they of one data set or of many trials.
namespace subspace::pipelines {

/// The file itself, or that in a folder.
inline std::filesystem::path results_file(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) ? path / "results.json" : path;
}

/// What `read` makes of results of this schema. Throws IoError under the name `shown_as`.
template <typename Read>
auto parse_results(const std::string& text, const std::string& schema, const std::string& shown_as,
                   const Read& read) {
  try {
    const Json json = Json::parse(text);
    const std::string found = json.at("schema");
    if (found != schema) throw DataError(message("schema '", found, "', must be ", schema));
    return read(json);
  } catch (const Json::exception& error) {
    throw IoError(message(shown_as, ": not the results of a table: ", error.what()));
  } catch (const Error& error) {
    throw IoError(message(shown_as, ": not the results of a table: ", error.what()));
  }
}

template <typename Results>
void fill_heading(Results& results, const Recipe& recipe, const TableOptions& options) {
  results.name = recipe.name;
  results.title = recipe.title;
  results.note = recipe.note;
  results.version = SUBSPACE_VERSION;
  results.source_commit = source_commit();
  results.recipe_sha256 = sha256(std::as_bytes(std::span(recipe.text)));
  results.recipe = recipe.text;
  results.command = options.command;
  results.machine = machine_info();
}

template <typename Results>
Json heading_json(const char* schema, const Results& results) {
  return {{"schema", schema},
          {"name", results.name},
          {"title", results.title},
          {"note", results.note},
          {"version", results.version},
          {"source_commit", results.source_commit},
          {"recipe", {{"sha256", results.recipe_sha256}, {"text", results.recipe}}},
          {"command", results.command},
          {"machine", json_object(results.machine)}};
}

/// The inverse of heading_json().
template <typename Results>
void read_heading(const Json& json, Results& results) {
  results.name = json.at("name");
  results.title = json.at("title");
  results.note = json.at("note");
  results.version = json.at("version");
  results.source_commit = json.at("source_commit");
  results.recipe_sha256 = json.at("recipe").at("sha256");
  results.recipe = json.at("recipe").at("text");
  results.command = json.at("command");
  results.machine = named_values(json.at("machine"));
}

/// Files of earlier versions do not name these rows.
inline std::vector<LeftOutRow> left_out_from_json(const Json& json) {
  std::vector<LeftOutRow> rows;
  for (const Json& row : json.value("left_out", Json::array())) {
    rows.push_back({row.at("name"), parse_protocol(row.at("protocol"), "protocol")});
  }
  return rows;
}

inline Json left_out_json(const std::vector<LeftOutRow>& rows) {
  Json json = Json::array();
  for (const LeftOutRow& row : rows) {
    json.push_back({{"name", row.name}, {"protocol", protocol_name(row.protocol)}});
  }
  return json;
}

}  // namespace subspace::pipelines
