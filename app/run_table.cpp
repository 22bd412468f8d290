// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "run_table.h"

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>
#include <subspace/pipelines/shell_word.h>

#include "exit_code.h"
#include "interrupt.h"
#include "live_table.h"
#include "log.h"
#include "training_process.h"
#include "session.h"
#include "summary.h"
#include "table_text.h"

namespace subspace::app {
namespace {

using pipelines::Cell;
using pipelines::RowResult;
using pipelines::RowState;
using pipelines::TableResults;

void write_reports(const TableResults& results, const std::filesystem::path& folder) {
  for (const char* name : pipelines::kTableReports) {
    pipelines::write_report({results}, folder / name);
  }
}

int warn_about_rows(const TableResults& results) {
  int code = kDone;
  int unfinished = 0;
  for (const RowResult& row : results.rows) {
    const bool converged = std::ranges::all_of(
        row.cells, [](const Cell& cell) { return cell.record.outcome.converged; });
    if (row.state == RowState::kFailed)
      log_warning(message("row ", row.name, " failed: ", row.message));
    if (!converged) log_warning(message("row ", row.name, ": not converged, see its certificate"));
    if (row.state == RowState::kFailed || !converged) code = kNotConverged;
    unfinished += row.state == RowState::kPartial || row.state == RowState::kNotRun ? 1 : 0;
  }
  if (unfinished > 0)
    log_warning(message(counted(unfinished, "row"), " not finished: --resume goes on"));
  return code;
}

}  // namespace

std::string command_line() {
  std::string text = "subspace";
  for (const char* const* word = arguments() + 1; *word != nullptr; ++word) {
    text += message(" ", pipelines::shell_word(*word));
  }
  return text;
}

int run_table(const pipelines::Recipe& recipe, pipelines::TableOptions options,
              const pipelines::RunSettings& settings) {
  if (std::ranges::any_of(
          recipe.rows, [](const auto& row) { return pipelines::asks_for_learning(row.method); })) {
    wait_for_checkpoints();
  }
  options.command = command_line();
  LiveTable live(settings.verbosity);
  TableResults results;
  {
    const Session session(settings);
    results = pipelines::run_table(recipe, options, live.hooks(), session.context());
  }
  live.wipe();
  write_reports(results, options.out);
  if (settings.verbosity != pipelines::Verbosity::kQuiet) {
    print_result(
        message(table_text(results), "\nReport: ", (options.out / "report.html").string(), "\n"));
  }
  return warn_about_rows(results);
}

}  // namespace subspace::app
