// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace subspace::pipelines {

/// What a table, of one data set or of trials, keeps in its folder.
struct FolderContent {
  std::string name = {};               ///< of the table
  std::string schema = {};             ///< of its results.json
  std::vector<std::string> kept = {};  ///< files and folders beside results.json and the reports
};

/// Throws InvalidArgument if the folder holds something of a name that a table writes, unless
/// `resume` is set and it is what this table left there. Changes nothing.
void check_folder(const std::filesystem::path& folder, const FolderContent& content, bool resume);

/// Throws IoError where it cannot be made.
void make_folder(const std::filesystem::path& folder);

}  // namespace subspace::pipelines
