// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

#include "cluster/subspace_fit.h"

namespace subspace {

struct DescentOptions {
  SubspaceShapes shapes = {};
  int max_iterations = 100;
  /// End once no point clearly moves, where a further descent from the labels has the last word:
  /// nothing is fitted exactly there but the first time.
  bool rough = false;
};

struct DescentResult {
  Labels labels = {};
  Subspaces model = {};
  Vector residuals = {};
  std::vector<double> objective = {};  ///< root mean square residual after each assignment
  SolveInfo info = {};                 ///< without a residual
};

/// The descent of K-subspaces from labels 0 .. K-1. Points must be of moderate size: squares of
/// their lengths neither overflow nor underflow.
DescentResult descend(const ConstMatrixRef& X, Labels labels, const DescentOptions& options,
                      const Context& context);

/// How far labels and subspaces are from answering one another, see KSubspacesResult::info.
double stationarity(const ConstMatrixRef& X, const DescentResult& result, bool affine,
                    const Context& context);

}  // namespace subspace
