// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Which columns may be neighbours: all, or only those at an acute angle to one another.
enum class Angles { kAll, kAcute };

/// The square G with G_ij = 1 where column i of the unit-column A, of any number of rows, is among
/// the `neighbors` nearest to column j in Euclidean distance, equal ones by index. Zero columns
/// neither have nor are neighbours. Work grows with the number of pairs that share a row or,
/// where a quarter of the entries are there, with that of all pairs, in blocks of products.
SparseMatrix nearest_columns(const SparseMatrix& A, int neighbors, const Context& context,
                             Angles angles = Angles::kAll);

}  // namespace subspace
