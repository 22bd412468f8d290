// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <vector>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/pipelines/table.h>

#include "figures_json.h"
#include "record_json.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

constexpr char kResults[] = "results.json";
constexpr char kCells[] = "cells";
constexpr char kFeatures[] = "features";

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw IoError(message("cannot make the folder ", folder.string(), ": ", error.message()));
  }
}

/// The lock goes with the process, however that ends.
int lock(const fs::path& folder) {
  const fs::path file = folder / ".lock";
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor < 0) throw IoError(message(folder.string(), ": is not writable"));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    throw InvalidArgument(message(folder.string(), ": another process works in it"));
  }
  return descriptor;
}

bool holds_something(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder, ignored) && !fs::is_empty(folder, ignored);
}

/// What the folder holds of the names that a table writes. Empty folders are in nobody's way.
std::vector<std::string> held_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const char* name : {kCells, kFeatures}) {
    if (holds_something(folder / name)) names.emplace_back(name);
  }
  if (fs::exists(folder / kResults, ignored)) names.emplace_back(kResults);
  for (const char* name : kTableReports) {
    if (fs::exists(folder / name, ignored)) names.emplace_back(name);
  }
  return names;
}

/// Refuses a file that is not the results of the table `name`. Ours are written whole or not at
/// all, so one that cannot be read is another's, too.
void check_results(const fs::path& file, const std::string& name) {
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != kResultsSchema ||
      !json.value("name", Json()).is_string()) {
    throw InvalidArgument(message(file.string(), ": not the results of a table (schema ",
                                  kResultsSchema, "), use --out for another folder"));
  }
  const std::string held = json.at("name");
  if (held == name) return;
  throw InvalidArgument(
      message(file.parent_path().string(), " holds the table '", held, "', not '", name, "'"));
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
  const std::vector<std::string> held = held_names(folder);
  if (!resume && !held.empty()) {
    throw InvalidArgument(message(folder.string(), " holds ", held.front(),
                                  ", which a table writes: use --resume to go on with results "
                                  "there, or --out for another folder"));
  }
  if (std::ranges::find(held, kResults) != held.end()) {
    check_results(folder / kResults, name);
    return;
  }
  // Reports are written after results.json: without it they are another's.
  for (const char* report : kTableReports) {
    if (std::ranges::find(held, report) != held.end()) {
      throw InvalidArgument(message(folder.string(), " holds ", report, " and no ", kResults,
                                    ": it is not of a table, use --out for another folder"));
    }
  }
}

TableStore::TableStore(const fs::path& folder, const std::string& name, bool resume)
    : folder_(folder) {
  make_folder(folder_);
  lock_ = lock(folder_);
  try {
    check(folder_, name, resume);
  } catch (...) {
    close(lock_);
    throw;
  }
  make_folder(folder_ / kCells);
}

TableStore::~TableStore() { close(lock_); }

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
