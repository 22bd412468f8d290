// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trials/store.h"

#include <span>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/sha256.h>

#include "json.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

constexpr char kTrials[] = "trials.jsonl";
constexpr char kChecksum[] = "sha256";

FolderContent content_of(const std::string& name) {
  return {.name = name, .schema = kTrialsSchema, .kept = {kTrials}};
}

std::string checksum(const Json& json) {
  const std::string text = json_text(json);
  return sha256(std::as_bytes(std::span(text)));
}

std::string line_of(const std::string& hash, const std::string& trial, const StoredTrial& stored) {
  Json json = {{"hash", hash},
               {"trial", trial},
               {"seconds", stored.seconds},
               {"converged", stored.converged},
               {"source_commit", stored.source_commit},
               {"labels", stored.labels}};
  json[kChecksum] = checksum(json);
  return json_text(json);
}

/// Nothing for a line that is not whole.
std::optional<std::pair<std::string, StoredTrial>> parse_line(const std::string& line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains(kChecksum)) return std::nullopt;
  const Json kept = json.at(kChecksum);
  json.erase(kChecksum);
  if (kept != checksum(json)) return std::nullopt;
  StoredTrial stored = {.labels = json.at("labels").get<Labels>(),
                        .seconds = json.at("seconds"),
                        .converged = json.at("converged"),
                        .source_commit = json.at("source_commit")};
  return std::pair(json.at("hash").get<std::string>(), std::move(stored));
}

}  // namespace

void TrialStore::check(const fs::path& folder, const std::string& name, bool resume) {
  check_folder(folder, content_of(name), resume);
}

TrialStore::TrialStore(const fs::path& folder, const std::string& name, bool resume)
    : folder_(folder) {
  make_folder(folder_);
  lock_.emplace(folder_);
  check(folder_, name, resume);
  read_lines();
}

void TrialStore::read_lines() {
  const fs::path file = folder_ / kTrials;
  bool whole = true;  // the last line ends
  {
    std::ifstream in(file, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      whole = !in.eof();
      if (auto held = parse_line(line)) held_[held->first] = std::move(held->second);
    }
  }
  out_.open(file, std::ios::binary | std::ios::app);
  if (!whole) out_ << "\n";
  if (!out_) throw IoError(message(file.string(), ": cannot be written"));
}

const StoredTrial* TrialStore::find(const std::string& hash) const {
  const auto held = held_.find(hash);
  return held == held_.end() ? nullptr : &held->second;
}

void TrialStore::append(const std::string& hash, const std::string& trial,
                        const StoredTrial& stored) {
  const std::string line = line_of(hash, trial, stored);
  const std::lock_guard guard(mutex_);
  out_ << line << std::flush;
  if (!out_) throw IoError(message((folder_ / kTrials).string(), ": cannot be written"));
  held_[hash] = stored;
}

void TrialStore::save_results(const TrialsResults& results) const {
  write_file_atomically(folder_ / "results.json", to_json(results));
}

}  // namespace subspace::pipelines
