// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/column_blocks.h"

#include <algorithm>
#include <numeric>

#include "linalg/sizes.h"

namespace subspace {

void ColumnBlock::append(const std::vector<int>& support, const std::vector<double>& coefficients,
                         std::vector<int>& order) {
  order.resize(support.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return support[static_cast<std::size_t>(a)] < support[static_cast<std::size_t>(b)];
  });
  for (const int k : order) {
    rows.push_back(support[static_cast<std::size_t>(k)]);
    values.push_back(coefficients[static_cast<std::size_t>(k)]);
  }
  sizes.push_back(static_cast<Index>(support.size()));
}

void ColumnBlock::append(const ColumnBlock& other) {
  rows.insert(rows.end(), other.rows.begin(), other.rows.end());
  values.insert(values.end(), other.values.begin(), other.values.end());
  sizes.insert(sizes.end(), other.sizes.begin(), other.sizes.end());
}

void ColumnBlock::append(const double* column, Index n) {
  const std::size_t before = rows.size();
  for (Index i = 0; i < n; ++i) {
    if (column[i] == 0.0) continue;
    rows.push_back(static_cast<int>(i));
    values.push_back(column[i]);
  }
  sizes.push_back(static_cast<Index>(rows.size() - before));
}

SparseMatrix assemble(const std::vector<ColumnBlock>& blocks, Index num_rows, Index num_columns,
                      const std::string& function, const std::string& hint) {
  Index nonzeros = 0;
  for (const ColumnBlock& block : blocks) nonzeros += static_cast<Index>(block.rows.size());
  check_sparse_size(function, nonzeros, hint);
  SparseMatrix C(num_rows, num_columns);
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
  starts[num_columns] = static_cast<int>(position);
  return C;
}

}  // namespace subspace
