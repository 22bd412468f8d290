// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/pipelines/trials.h>

#include "exit_code.h"
#include "live_table.h"
#include "log.h"
#include "run_table.h"
#include "session.h"
#include "summary.h"

namespace subspace::app {
namespace {

using pipelines::RowState;
using pipelines::TrialsResults;
using pipelines::TrialsRow;

void write_reports(const TrialsResults& results, const std::filesystem::path& folder) {
  for (const char* name : pipelines::kTableReports) {
    pipelines::write_report(results, folder / name);
  }
}

/// Published iterations stop early by design: that is told in the table and is no failure.
int warn_about_rows(const TrialsResults& results) {
  int code = kDone;
  int unfinished = 0;
  for (const TrialsRow& row : results.rows) {
    if (row.state == RowState::kFailed) {
      log_warning(message("row ", row.name, " failed: ", row.message));
      code = kNotConverged;
    }
    unfinished += row.state == RowState::kPartial || row.state == RowState::kNotRun ? 1 : 0;
  }
  if (unfinished > 0)
    log_warning(message(counted(unfinished, "row"), " not finished: --resume goes on"));
  return code;
}

}  // namespace

int run_trials(const pipelines::Recipe& recipe, pipelines::TableOptions options,
               const pipelines::RunSettings& settings) {
  options.command = command_line();
  LiveTable live(settings.verbosity);
  TrialsResults results;
  {
    const Session session(settings);
    const pipelines::TrialFamily family =
        pipelines::load_trials(recipe.trials, options.data_dir, session.context());
    results =
        pipelines::run_trials(recipe, family, options, live.hooks().planned, session.context());
  }
  write_reports(results, options.out);
  if (settings.verbosity != pipelines::Verbosity::kQuiet) {
    print_result(message(pipelines::text_report(results),
                         "\nReport: ", (options.out / "report.html").string(), "\n"));
  }
  return warn_about_rows(results);
}

}  // namespace subspace::app
