// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/column_blocks.h"

#include <algorithm>

#include "linalg/sizes.h"

namespace subspace {

void ColumnBlock::append(const double* column, Index n) {
  const std::size_t before = rows.size();
  for (Index i = 0; i < n; ++i) {
    if (column[i] == 0.0) continue;
    rows.push_back(static_cast<int>(i));
    values.push_back(column[i]);
  }
  sizes.push_back(static_cast<Index>(rows.size() - before));
}

SparseMatrix assemble(const std::vector<ColumnBlock>& blocks, Index num_points,
                      const std::string& function, const std::string& hint) {
  Index nonzeros = 0;
  for (const ColumnBlock& block : blocks) nonzeros += static_cast<Index>(block.rows.size());
  check_sparse_size(function, nonzeros, hint);
  SparseMatrix C(num_points, num_points);
  C.resizeNonZeros(nonzeros);
  int* starts = C.outerIndexPtr();
  Index column = 0;
  Index position = 0;
  for (const ColumnBlock& block : blocks) {
    std::copy(block.rows.begin(), block.rows.end(), C.innerIndexPtr() + position);
    std::copy(block.values.begin(), block.values.end(), C.valuePtr() + position);
    for (const Index size : block.sizes) {
      starts[column++] = static_cast<int>(position);
      position += size;
    }
  }
  starts[num_points] = static_cast<int>(position);
  return C;
}

}  // namespace subspace
