// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/linalg.h"

#include <vector>

#include <subspace/core/parallel.h>

namespace subspace::linalg {
namespace {

constexpr Index kGramTile = 240;

void mirror(Matrix& G, Index row, Index rows, Index column, Index columns) {
  G.block(column, row, columns, rows) = G.block(row, column, rows, columns).transpose();
}

}  // namespace

Matrix gram(const ConstMatrixRef& X, const Context& context) {
  const Index n = X.cols();
  Matrix G(n, n);
  const Index tiles = (n + kGramTile - 1) / kGramTile;
  // Pairs of tiles of the lower triangle, one work item each.
  for_tiles(context, tiles * (tiles + 1) / 2, 1, [&](const Tile& tile) {
    Index row_tile = 0;
    Index pair = tile.begin;
    while (pair > row_tile) pair -= ++row_tile;
    const Index row = row_tile * kGramTile;
    const Index column = pair * kGramTile;
    const Index rows = std::min(kGramTile, n - row);
    const Index columns = std::min(kGramTile, n - column);
    gemm({.transpose_a = true,
          .m = rows,
          .n = columns,
          .k = X.rows(),
          .a = X.col(row).data(),
          .lda = X.outerStride(),
          .b = X.col(column).data(),
          .ldb = X.outerStride(),
          .c = &G(row, column),
          .ldc = G.outerStride()});
    if (row != column) mirror(G, row, rows, column, columns);
  });
  return G;
}

}  // namespace subspace::linalg
