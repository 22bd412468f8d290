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
      std::numeric_limits<double>::quiet_NaN();  ///< the stopping quantity, see method
  bool converged() const { return termination == Termination::kConverged; }
};

}  // namespace subspace
