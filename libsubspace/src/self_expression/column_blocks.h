// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// Columns of a sparse matrix as one tile of a parallel loop produces them.
struct ColumnBlock {
  std::vector<int> rows = {};  ///< ascending in each column
  std::vector<double> values = {};
  std::vector<Index> sizes = {};  ///< one per column of the tile

  /// Appends one column, sorted by row; `order` is the caller's to keep, so that nothing is
  /// allocated from column to column.
  void append(const std::vector<int>& support, const std::vector<double>& coefficients,
              std::vector<int>& order);
  /// Appends the columns of another block.
  void append(const ColumnBlock& other);
  /// The nonzero entries of a full column.
  void append(const double* column, Index n);
};

/// The matrix of all columns, tile after tile. Throws ResourceError "function: ... ; hint" when it
/// has more entries than a sparse matrix can count.
SparseMatrix assemble(const std::vector<ColumnBlock>& blocks, Index num_rows, Index num_columns,
                      const std::string& function, const std::string& hint);

}  // namespace subspace
