// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/store.h"

#include <fstream>
#include <span>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/sha256.h>

#include "figures_json.h"
#include "record_json.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

constexpr char kResults[] = "results.json";
constexpr char kCells[] = "cells";
constexpr char kFeatures[] = "features";

FolderContent content_of(const std::string& name) {
  return {.name = name, .schema = kResultsSchema, .kept = {kCells, kFeatures}};
}

std::string checksum(const Json& json) {
  const std::string text = json_text(json);
  return sha256(std::as_bytes(std::span(text)));
}

/// Takes the checksum out of what it is of.
std::string take_checksum(Json& json) {
  const auto held = json.find("sha256");
  if (held == json.end() || !held->is_string()) return {};
  const std::string text = *held;
  json.erase(held);
  return text;
}

}  // namespace

void TableStore::check(const fs::path& folder, const std::string& name, bool resume) {
  check_folder(folder, content_of(name), resume);
}

TableStore::TableStore(const fs::path& folder, const std::string& name, bool resume)
    : folder_(folder) {
  make_folder(folder_);
  lock_.emplace(folder_);
  check(folder_, name, resume);
  make_folder(folder_ / kCells);
}

fs::path TableStore::cell_file(const std::string& hash) const {
  return folder_ / kCells / (hash + ".json");
}

fs::path TableStore::features_folder(const std::string& hash) const {
  return folder_ / kFeatures / hash;
}

std::optional<StoredCell> TableStore::load(const std::string& hash) const {
  std::ifstream in(cell_file(hash));
  Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const std::string kept = take_checksum(json);
  if (kept != checksum(json)) return std::nullopt;
  try {
    StoredCell cell = {record_from_json(json.at("record")), {}};
    if (json.contains("figures")) cell.figures = figures_from_json(json.at("figures"));
    return cell;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const DataError&) {
    return std::nullopt;
  }
}

void TableStore::save(const std::string& hash, const StoredCell& cell) const {
  Json json = {{"record", record_json(cell.record)}};
  if (cell.figures) json["figures"] = figures_json(*cell.figures);
  json["sha256"] = checksum(json);
  write_file_atomically(cell_file(hash), json_text(json));
}

void TableStore::save_results(const TableResults& results) const {
  write_file_atomically(folder_ / kResults, to_json(results));
}

}  // namespace subspace::pipelines
