// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// The counts of a contingency table that are not zero: at most one a point, however many labels
/// there are (a dense table of 70 000 x 70 000 labels would take 39 GB).
struct SparseContingency {
  struct Entry {
    int row = 0;
    int column = 0;
    std::int64_t count = 0;
  };
  std::vector<Entry> entries = {};  ///< by row, then column
  std::vector<std::int64_t> row_sums = {};
  std::vector<std::int64_t> column_sums = {};
  std::int64_t total = 0;

  int num_rows() const { return static_cast<int>(row_sums.size()); }
  int num_columns() const { return static_cast<int>(column_sums.size()); }
  /// Every row has one column and every column one row: the same partition under other names.
  bool is_one_to_one() const {
    return entries.size() == row_sums.size() && entries.size() == column_sums.size();
  }
};

/// Rows are the distinct values of `labels` in increasing order, columns those of `truth`. Throws
/// DataError under the name `function` when the lengths differ or are zero.
SparseContingency sparse_contingency(const Labels& labels, const Labels& truth,
                                     const char* function);

/// Largest total count of a one-to-one matching of rows and columns. Only pairs with a count
/// matter, so this is a maximum-weight matching of a sparse bipartite graph: shortest augmenting
/// paths over the entries, where a row may also stay alone. O(rows x entries x log rows) at worst,
/// in practice far less.
std::int64_t best_matching(const SparseContingency& table);

/// Total count of the matching that takes the largest count first, both sides unused; among equal
/// counts the lowest row, then the lowest column.
std::int64_t greedy_matching(const SparseContingency& table);

/// Information in nats, in extended precision: the adjusted score is a quotient of differences that
/// vanish together as the clusters become single points.
using Nats = long double;

/// Expectation of the mutual information over random partitions with the sizes of this table
/// (generalised hypergeometric model).
Nats expected_mutual_information(const SparseContingency& table);

}  // namespace subspace
