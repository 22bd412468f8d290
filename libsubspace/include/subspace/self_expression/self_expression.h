// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

/// X ~ X C with a zero diagonal: column j represents point j by the others.
struct SelfExpression {
  SparseMatrix coefficients = {};      ///< N x N, zero diagonal
  std::vector<SolveInfo> solves = {};  ///< one per independent problem: N for EnSC
};

/// Problems that did not reach their tolerance.
SUBSPACE_API Index num_unconverged(const SelfExpression& representation);
/// The largest residual of all problems: the certificate of the whole; NaN when nothing was solved.
SUBSPACE_API double max_residual(const SelfExpression& representation);

}  // namespace subspace
