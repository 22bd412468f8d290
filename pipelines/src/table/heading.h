// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <span>
#include <vector>

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

inline Json left_out_json(const std::vector<LeftOutRow>& rows) {
  Json json = Json::array();
  for (const LeftOutRow& row : rows) {
    json.push_back({{"name", row.name}, {"protocol", protocol_name(row.protocol)}});
  }
  return json;
}

}  // namespace subspace::pipelines
