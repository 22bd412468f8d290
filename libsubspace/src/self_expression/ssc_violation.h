// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/parallel.h>
#include <subspace/core/types.h>

namespace subspace {

/// Inner products of atoms, which are the points or begin with them: their Gram matrix where there
/// is one, else the atoms.
struct Products {
  const Matrix* gram = nullptr;
  const ConstMatrixRef* atoms = nullptr;
  Index num_atoms() const { return gram != nullptr ? gram->cols() : atoms->cols(); }

  /// Q = A'(A_T - A C) for the atoms A, the points T of a tile and their coefficients C; Q and C
  /// are atoms x tile.
  void correlate(const Tile& tile, const Matrix& C, Matrix& Q, Matrix& residuals) const;
};

/// The largest violation of the optimality conditions of SSC by the coefficients c of a point, see
/// ssc(); q = X'(x - X c). Where `summed` is above zero the first coefficients, so many, sum to
/// one: all of them, or those of the points where other atoms follow. The multiplier of that is the
/// one that fits the support best.
double ssc_violation(const double* q, const double* c, Index n, Index point, double weight,
                     Index summed);

}  // namespace subspace
