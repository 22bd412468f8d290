// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "checkpoint_file.h"

#include <fstream>
#include <sstream>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in || !content) throw IoError("cannot be read");
  return std::move(content).str();
}

void move_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw IoError(
        message("cannot move ", from.string(), " to ", to.string(), ": ", error.message()));
  }
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder) : folder_(std::move(folder)) {}

bool CheckpointFolder::has_any() const { return fs::exists(newest()) || fs::exists(previous()); }

std::optional<CheckpointFolder::Loaded> CheckpointFolder::load() {
  std::vector<std::string> refusals;
  for (const fs::path& file : {newest(), previous()}) {
    if (!fs::exists(file)) continue;
    try {
      Checkpoint checkpoint = from_bytes(read_file(file));
      for (std::string& refusal : refusals) refusal += "; went back to " + file.string();
      newest_is_damaged_ = !refusals.empty();
      return Loaded{std::move(checkpoint), file, std::move(refusals)};
    } catch (const Error& error) {
      refusals.push_back(message(file.string(), ": ", error.what()));
    }
  }
  if (refusals.empty()) return std::nullopt;
  std::string all;
  for (const std::string& refusal : refusals) all += (all.empty() ? "" : "; ") + refusal;
  throw IoError(message("no checkpoint can be used: ", all));
}

void CheckpointFolder::save(const Checkpoint& checkpoint) {
  remove_leftovers();
  const fs::path next = folder_ / "checkpoint.next.zip";
  write_file_atomically(next, to_bytes(checkpoint));
  // A damaged newest one must not push out the good one before it.
  if (fs::exists(newest()) && !newest_is_damaged_) move_file(newest(), previous());
  move_file(next, newest());
  newest_is_damaged_ = false;
}

/// Temporaries of a process that was killed while it wrote.
void CheckpointFolder::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("checkpoint.next.zip.tmp-")) fs::remove(entry.path(), ignored);
  }
}

FoundCheckpoint find_checkpoint(const fs::path& folder) {
  auto loaded = CheckpointFolder(folder).load();
  if (!loaded) throw IoError(message(folder.string(), " holds no checkpoint"));
  return {loaded->checkpoint.info, loaded->file, loaded->warnings};
}

}  // namespace subspace::neural
