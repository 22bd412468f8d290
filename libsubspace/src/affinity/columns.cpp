// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/columns.h"

#include "linalg/sizes.h"

namespace subspace {

SparseMatrix assemble(const std::vector<Column>& columns) {
  const Index n = static_cast<Index>(columns.size());
  SparseMatrix A(n, n);
  std::size_t stored = 0;
  for (const Column& column : columns) stored += column.size();
  check_sparse_size("make_affinity", static_cast<Index>(stored),
                    "keep fewer with top or neighbors");
  A.reserve(static_cast<Index>(stored));
  for (Index j = 0; j < n; ++j) {
    A.startVec(j);
    for (const Entry& entry : columns[static_cast<std::size_t>(j)]) {
      A.insertBack(entry.row, j) = entry.value;
    }
  }
  A.finalize();
  return A;
}

}  // namespace subspace
