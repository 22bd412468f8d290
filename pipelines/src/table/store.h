// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <subspace/core/folder_lock.h>
#include <subspace/pipelines/results.h>

#include "table/folder.h"

namespace subspace::pipelines {

/// What is kept of one cell: everything that does not depend on the truth.
struct StoredCell {
  Record record = {};
  std::optional<Figures> figures = {};
};

/// The folder of a table: `cells/HASH.json`, `features/HASH/` of trained networks, `results.json`.
/// Held by one process at a time.
class TableStore {
 public:
  /// Throws InvalidArgument if the folder holds something of a name that a table writes, unless
  /// `resume` is set and it is what the table `name` left there. Changes nothing.
  static void check(const std::filesystem::path& folder, const std::string& name, bool resume);

  /// Makes the folder and checks it. Throws InvalidArgument if another process works in it;
  /// IoError.
  TableStore(const std::filesystem::path& folder, const std::string& name, bool resume);

  /// Nothing if it was not kept, or is damaged: it is then run again.
  std::optional<StoredCell> load(const std::string& hash) const;
  void save(const std::string& hash, const StoredCell& cell) const;
  void save_results(const TableResults& results) const;
  std::filesystem::path features_folder(const std::string& hash) const;

 private:
  std::filesystem::path cell_file(const std::string& hash) const;
  std::filesystem::path folder_;
  std::optional<FolderLock> lock_ = {};
};

}  // namespace subspace::pipelines
