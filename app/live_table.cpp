// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "live_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <subspace/core/error.h>

#include "summary.h"
#include "table_text.h"

namespace subspace::app {

using pipelines::Cell;
using pipelines::RowResult;
using pipelines::TableResults;

namespace {

/// Lines that wrap would take more room than is wiped.
std::string cut_to_terminal(const std::string& text) {
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const std::size_t width = known ? size.ws_col - 1U : 79U;
  std::istringstream in(text);
  std::string cut;
  for (std::string line; std::getline(in, line);) cut += line.substr(0, width) + "\n";
  return cut;
}

}  // namespace

LiveTable::LiveTable(pipelines::Verbosity verbosity)
    : shown_(verbosity != pipelines::Verbosity::kQuiet), terminal_(isatty(STDERR_FILENO) != 0) {}

pipelines::TableHooks LiveTable::hooks() {
  if (!shown_) return {};
  return {.planned = [this](const auto& rows) { plan(rows); },
          .started = [this](const std::string& row, std::uint64_t seed) { start(row, seed); },
          .changed =
              [this](const TableResults& results) {
                terminal_ ? redraw(results) : say_finished(results);
              }};
}

void LiveTable::plan(const std::vector<pipelines::RowEstimate>& rows) const {
  std::fprintf(stderr, "%s%s\n", terminal_ ? "\r\033[K" : "", estimate_text(rows).c_str());
}

void LiveTable::start(const std::string& row, std::uint64_t seed) {
  row_ = row;
  seed_ = seed;
  running_ = true;
}

void LiveTable::wipe() {
  if (lines_ == 0) return;
  std::fprintf(stderr, "\r\033[K\033[%dA\033[J", lines_);
  std::fflush(stderr);
  lines_ = 0;
}

void LiveTable::redraw(const TableResults& results) {
  const std::string text = cut_to_terminal(table_text(results));
  std::fputs("\r\033[K", stderr);  // the line of the progress bar
  wipe();
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  lines_ = static_cast<int>(std::ranges::count(text, '\n'));
}

void LiveTable::say_finished(const TableResults& results) {
  if (!running_) return;
  running_ = false;
  for (const RowResult& row : results.rows) {
    if (row.name != row_) continue;
    for (const Cell& cell : row.cells) {
      if (cell.record.seed != seed_) continue;
      const std::string error =
          cell.record.metrics
              ? message(": error ", fixed(100.0 * (1.0 - cell.record.metrics->acc), 2), " %")
              : "";
      // Of labels made elsewhere the time is not known.
      const std::string time =
          row.method.empty() ? "" : ", " + duration_text(cell.record.outcome.seconds.total);
      std::fprintf(stderr, "%s\n", message(row_, ", seed ", seed_, error, time).c_str());
    }
  }
}

}  // namespace subspace::app
