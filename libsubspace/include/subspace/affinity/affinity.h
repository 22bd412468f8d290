// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

/// How coefficients become a symmetric non-negative affinity. Columns of C are the representations.
enum class AffinityKind {
  /// Keep the `top` largest |c| of each column, divide the column by its 2-norm, |.|,
  /// W = (A + A')/2: the form used with EnSC and SSC-OMP [You16].
  kUnitColumns,
  /// Divide each column by its largest |c|, |.|, W = A + A': the form used with SSC [Elh13].
  kMaxColumns,
  /// Columns to unit 2-norm, then the 0/1 graph of each column's `neighbors` nearest columns in
  /// Euclidean distance, equal ones by index, W = (G + G')/2: the form used with EnSC on MNIST
  /// [You16]. Zero columns neither have nor are neighbours.
  kNeighbors,
};

struct AffinityOptions {
  AffinityKind kind = AffinityKind::kUnitColumns;
  int top = 50;       ///< coefficients kept per column, ties to the lower index; 0 keeps all
  int neighbors = 3;  ///< for kNeighbors
};
SUBSPACE_API Parameters describe(AffinityOptions& options);

/// The affinity of self-expressive coefficients: symmetric to the bit, non-negative, zero diagonal,
/// no stored zeros. A diagonal of C is ignored: a point does not represent itself. Zero columns of
/// C give isolated vertices unless other points use them. Throws DataError when C is not square and
/// finite.
SUBSPACE_API SparseMatrix make_affinity(const SparseMatrix& C, const AffinityOptions& options,
                                        const Context& context = {});

}  // namespace subspace
