// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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
  std::error_code ignored;
  const fs::path results = folder / "results.json";
  const bool used = fs::exists(results, ignored) || holds_something(folder / "cells") ||
                    holds_something(folder / "features");
  if (used && !resume) {
    throw InvalidArgument(
        message(folder.string(),
                " holds results: use --resume to go on with them, or --out for another folder"));
  }
  if (!fs::exists(results, ignored)) return;
  std::ifstream in(results);
  const Json json = Json::parse(in, nullptr, false);
  const std::string held = json.is_object() ? json.value("name", name) : name;
  if (held != name) {
    throw InvalidArgument(
        message(folder.string(), " holds the table '", held, "', not '", name, "'"));
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
  make_folder(folder_ / "cells");
}

TableStore::~TableStore() { close(lock_); }

fs::path TableStore::cell_file(const std::string& hash) const {
  return folder_ / "cells" / (hash + ".json");
}

fs::path TableStore::features_folder(const std::string& hash) const {
  return folder_ / "features" / hash;
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
  write_file_atomically(folder_ / "results.json", to_json(results));
}

}  // namespace subspace::pipelines
