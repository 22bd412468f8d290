// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <limits>

namespace subspace {

enum class Termination { kNotRun, kConverged, kIterationLimit, kStalled };

/// How an iterative solve ended. Numbers that were never computed are NaN.
struct SolveInfo {
  Termination termination = Termination::kNotRun;
  int iterations = 0;
  double residual =
      std::numeric_limits<double>::quiet_NaN();  ///< how far from a solution, see method
  /// Where the termination follows from something else than the residual: that; else NaN.
  double stopping_error = std::numeric_limits<double>::quiet_NaN();
  bool converged() const { return termination == Termination::kConverged; }
};

}  // namespace subspace
