// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

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

}  // namespace subspace
