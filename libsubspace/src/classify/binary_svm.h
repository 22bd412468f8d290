// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

struct BinarySvmProblem {
  const Matrix& points;  ///< the appended feature included
  Vector signs = {};     ///< y_j, 1 or -1
  double penalty = 1.0;
  double tolerance = 0.0;
  int max_iterations = 0;
};

struct BinarySvm {
  Vector weights = {};
  SolveInfo info = {};  ///< residual: duality gap over the objective
};

/// min_w 1/2 |w|^2 + C sum_j max(0, 1 - y_j w'z_j)^2 by Newton's method with exact line search.
BinarySvm solve_binary_svm(const BinarySvmProblem& problem, const Context& context);

/// Points whose outer products are summed at a time.
inline constexpr Index kSupportBlock = 8192;

}  // namespace subspace
