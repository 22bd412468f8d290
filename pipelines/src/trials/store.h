// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <subspace/core/folder_lock.h>
#include <subspace/core/types.h>
#include <subspace/pipelines/trials.h>

#include "table/folder.h"

namespace subspace::pipelines {

/// What is kept of one trial of one row: nothing that depends on the truth.
struct StoredTrial {
  Labels labels = {};
  double seconds = 0.0;
  bool converged = false;
  std::string source_commit = {};
};

/// The folder of a table of trials: `trials.jsonl`, a line a finished trial, and `results.json`.
/// Held by one process at a time.
class TrialStore {
 public:
  static void check(const std::filesystem::path& folder, const std::string& name, bool resume);

  /// Makes the folder, checks it and reads what it holds. Lines that are damaged, as the last one
  /// of a run that was killed may be, are passed over: those trials are run again.
  TrialStore(const std::filesystem::path& folder, const std::string& name, bool resume);

  const StoredTrial* find(const std::string& hash) const;
  /// May be called by many threads; find() must not run meanwhile.
  void append(const std::string& hash, const std::string& trial, const StoredTrial& stored);
  void save_results(const TrialsResults& results) const;

 private:
  void read_lines();

  std::filesystem::path folder_;
  std::optional<FolderLock> lock_ = {};
  std::map<std::string, StoredTrial> held_ = {};
  std::mutex mutex_ = {};
  std::ofstream out_ = {};
};

}  // namespace subspace::pipelines
