// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <variant>
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

/// The same of methods whose C is full by nature (least squares, low rank). Its diagonal need not
/// be zero: where a method allows a point to represent itself, its header says so.
struct DenseSelfExpression {
  Matrix coefficients = {};            ///< N x N
  std::vector<SolveInfo> solves = {};  ///< one where all columns are one problem
};

/// What a method found; an empty SelfExpression where it has no coefficients.
using Representation = std::variant<SelfExpression, DenseSelfExpression>;

/// How each problem ended.
SUBSPACE_API const std::vector<SolveInfo>& solves(const Representation& representation);
/// Problems that did not reach their tolerance.
SUBSPACE_API Index num_unconverged(const std::vector<SolveInfo>& solves);
SUBSPACE_API Index num_unconverged(const Representation& representation);
/// The largest residual of all problems: the certificate of the whole; NaN when nothing was solved.
SUBSPACE_API double max_residual(const std::vector<SolveInfo>& solves);
SUBSPACE_API double max_residual(const Representation& representation);

}  // namespace subspace
