// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/folder.h"

#include <algorithm>
#include <fstream>

#include <subspace/core/error.h>
#include <subspace/pipelines/table.h>

#include "json.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

constexpr char kResults[] = "results.json";

/// Empty folders are in nobody's way.
bool holds_something(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return false;
  return !fs::is_directory(path, ignored) || !fs::is_empty(path, ignored);
}

/// What the folder holds of the names that a table writes.
std::vector<std::string> held_names(const fs::path& folder, const FolderContent& content) {
  std::vector<std::string> names;
  for (const std::string& name : content.kept) {
    if (holds_something(folder / name)) names.push_back(name);
  }
  std::error_code ignored;
  if (fs::exists(folder / kResults, ignored)) names.emplace_back(kResults);
  for (const char* name : kTableReports) {
    if (fs::exists(folder / name, ignored)) names.emplace_back(name);
  }
  return names;
}

/// Refuses a file that is not the results of the table. Ours are written whole or not at all, so
/// one that cannot be read is another's, too.
void check_results(const fs::path& file, const FolderContent& content) {
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != content.schema ||
      !json.value("name", Json()).is_string()) {
    throw InvalidArgument(message(file.string(), ": not the results of a table (schema ",
                                  content.schema, "), use --out for another folder"));
  }
  const std::string held = json.at("name");
  if (held == content.name) return;
  throw InvalidArgument(message(file.parent_path().string(), " holds the table '", held, "', not '",
                                content.name, "'"));
}

}  // namespace

void check_folder(const fs::path& folder, const FolderContent& content, bool resume) {
  const std::vector<std::string> held = held_names(folder, content);
  if (!resume && !held.empty()) {
    throw InvalidArgument(message(folder.string(), " holds ", held.front(),
                                  ", which a table writes: use --resume to go on with results "
                                  "there, or --out for another folder"));
  }
  if (std::ranges::find(held, kResults) != held.end()) {
    check_results(folder / kResults, content);
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

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw IoError(message("cannot make the folder ", folder.string(), ": ", error.message()));
  }
}

}  // namespace subspace::pipelines
