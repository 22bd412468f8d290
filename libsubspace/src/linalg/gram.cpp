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

/// The pairs of tiles of the lower triangle of a symmetric matrix of order n, one work item each.
/// `multiply` makes the block of G at (row, column) of the size given.
template <typename Multiply>
void by_tile_pairs(Index n, const Context& context, Matrix& G, const Multiply& multiply) {
  const Index tiles = (n + kGramTile - 1) / kGramTile;
  for_tiles(context, tiles * (tiles + 1) / 2, 1, [&](const Tile& tile) {
    Index row_tile = 0;
    Index pair = tile.begin;
    while (pair > row_tile) pair -= ++row_tile;
    const Index row = row_tile * kGramTile;
    const Index column = pair * kGramTile;
    const Index rows = std::min(kGramTile, n - row);
    const Index columns = std::min(kGramTile, n - column);
    multiply(row, rows, column, columns, &G(row, column));
    if (row != column) mirror(G, row, rows, column, columns);
  });
}

}  // namespace

void fill_gram(const ConstMatrixRef& X, const Context& context, Matrix& G) {
  by_tile_pairs(X.cols(), context, G,
                [&](Index row, Index rows, Index column, Index columns, double* block) {
                  gemm({.transpose_a = true,
                        .m = rows,
                        .n = columns,
                        .k = X.rows(),
                        .a = X.col(row).data(),
                        .lda = X.outerStride(),
                        .b = X.col(column).data(),
                        .ldb = X.outerStride(),
                        .c = block,
                        .ldc = G.rows()});
                });
}

Matrix gram(const ConstMatrixRef& X, const Context& context) {
  Matrix G(X.cols(), X.cols());
  fill_gram(X, context, G);
  return G;
}

Matrix moment(const ConstMatrixRef& X, const Context& context) {
  Matrix M(X.rows(), X.rows());
  by_tile_pairs(X.rows(), context, M,
                [&](Index row, Index rows, Index column, Index columns, double* block) {
                  gemm({.transpose_b = true,
                        .m = rows,
                        .n = columns,
                        .k = X.cols(),
                        .a = X.data() + row,
                        .lda = X.outerStride(),
                        .b = X.data() + column,
                        .ldb = X.outerStride(),
                        .c = block,
                        .ldc = M.rows()});
                });
  return M;
}

}  // namespace subspace::linalg
