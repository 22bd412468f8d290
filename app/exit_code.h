// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

namespace subspace::app {

/// What scripts may rely on.
enum ExitCode {
  kDone = 0,
  kInternal = 1,
  kUsage = 2,
  kBadData = 3,
  kNotConverged = 4,  ///< the result is written, unless the computation broke down
  kMemory = 5,
  kInterrupted = 130,
};

/// The code of the exception in flight, after one line about it on standard error.
int report_current_exception();

}  // namespace subspace::app
