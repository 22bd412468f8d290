// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Columns handled by one task of a parallel loop.
inline constexpr Index kColumnTile = 512;

/// A sparse column while it is edited.
struct Entry {
  int row = 0;
  double value = 0.0;
};
using Column = std::vector<Entry>;

inline bool lower_row(const Entry& a, const Entry& b) { return a.row < b.row; }

/// The square matrix of these columns, each sorted by row.
SparseMatrix assemble(const std::vector<Column>& columns);

/// Which columns may be neighbours: all, or only those at an acute angle to one another.
enum class Angles { kAll, kAcute };

/// The square G with G_ij = 1 where column i of the unit-column A, of any number of rows, is among
/// the `neighbors` nearest to column j in Euclidean distance, equal ones by index. Zero columns
/// neither have nor are neighbours. Work grows with the number of pairs that share a row, memory
/// beyond the result with N per task.
SparseMatrix nearest_columns(const SparseMatrix& A, int neighbors, const Context& context,
                             Angles angles = Angles::kAll);

}  // namespace subspace
