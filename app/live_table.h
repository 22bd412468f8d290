// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>
#include <string>

#include <subspace/pipelines/settings.h>
#include <subspace/pipelines/table.h>

namespace subspace::app {

/// Shows a table on standard error while it grows: in place on a terminal, else a line for every
/// cell that is done. Quiet says nothing.
class LiveTable {
 public:
  explicit LiveTable(pipelines::Verbosity verbosity);
  /// Bound to this object.
  pipelines::TableHooks hooks();
  /// Takes what was drawn in place from the terminal, before the final table is printed.
  void wipe();

 private:
  void plan(const std::vector<pipelines::RowEstimate>& rows) const;
  void start(const std::string& row, std::uint64_t seed);
  void redraw(const pipelines::TableResults& results);
  void say_finished(const pipelines::TableResults& results);

  bool shown_ = true;
  bool terminal_ = false;
  int lines_ = 0;  ///< that the last drawing took
  std::string row_ = {};
  std::uint64_t seed_ = 0;
  bool running_ = false;
};

}  // namespace subspace::app
