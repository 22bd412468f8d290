// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/results.h>

namespace subspace::pipelines {

/// What the program writes into the folder of a table beside what run_table() keeps there.
inline constexpr const char* kTableReports[] = {"report.html", "report.md", "results.csv",
                                                "table.tex"};

struct TableOptions {
  std::filesystem::path out = {};  ///< folder of the results, made when missing
  /// Go on with the results in the folder. Without it a folder that holds a file of a name that is
  /// written is refused; with it, one whose results.json is not that of this table.
  bool resume = false;
  Protocol protocol = Protocol::kLabelFree;
  std::vector<std::string> methods = {};  ///< names of rows or of methods; empty: all rows
  std::optional<int> seeds = {};          ///< instead of the recipe's
  int first_seed = 0;                     ///< of the seeds of every row that is run
  double budget_seconds = 0.0;            ///< begin nothing new after it; 0: no limit
  std::string truth = {};                 ///< instead of the recipe's
  std::string data_dir = {};
  std::string device = "auto";
  std::string command = {};  ///< that called, for the record
};

/// What one row will take.
struct RowEstimate {
  std::string name = {};
  int cells = 0;     ///< that are still to be run; of a table of trials, its trials
  int finished = 0;  ///< that were found in the folder
  Cost cost = {};    ///< seconds of all its cells, bytes of those that run at the same time
};

/// Told the rows that were chosen, before the first is run.
using PlanHook = std::function<void(const std::vector<RowEstimate>& rows)>;

/// What to tell while a table is run. Any may be empty.
struct TableHooks {
  PlanHook planned = {};
  std::function<void(const std::string& row, std::uint64_t seed)> started = {};
  std::function<void(const TableResults& results)> changed = {};
};

/// Runs what the recipe asks for and the folder does not hold yet; returns all of it. Every
/// finished cell is kept at once and under the hash of version, method, options, data and seed, so
/// a run that was killed goes on where it was, and results of other settings are never taken for
/// these. Networks are trained under `features/` of the folder and resumed likewise.
///
/// A row that fails says why, and the others are run all the same. The truth is read only to
/// evaluate labels that exist; metrics are computed from labels and truth whenever results are put
/// together. `results.json` of the folder always holds what there is.
///
/// Throws InvalidArgument for options, a folder with other results or files, or one that another
/// process works in, IoError and DataError for the data, Cancelled when the context says so.
SUBSPACE_API TableResults run_table(const Recipe& recipe, const TableOptions& options,
                                    const TableHooks& hooks = {}, const Context& context = {});

}  // namespace subspace::pipelines
