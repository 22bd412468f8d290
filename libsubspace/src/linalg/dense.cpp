// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/parallel.h>

#include "linalg/linalg.h"

namespace subspace::linalg {
namespace {

constexpr Index kPanel = 192;
constexpr Index kColumns = 128;

/// The rows below the panel: A21 = A21 L11'^-1.
void solve_below(Matrix& A, Index begin, Index end, const Context& context) {
  for_tiles(context, A.rows() - end, kPanel, [&](const Tile& tile) {
    triangular_solve({.from_right = true,
                      .transpose = true,
                      .m = tile.size(),
                      .n = end - begin,
                      .t = &A(begin, begin),
                      .ldt = A.outerStride(),
                      .b = &A(end + tile.begin, begin),
                      .ldb = A.outerStride()});
  });
}

/// What is left: the lower triangle of A22 -= A21 A21', by tiles of columns.
void update_rest(Matrix& A, Index begin, Index end, const Context& context) {
  const Index rest = A.rows() - end;
  for_tiles(context, rest, kPanel, [&](const Tile& tile) {
    gemm({.transpose_b = true,
          .m = rest - tile.begin,
          .n = tile.size(),
          .k = end - begin,
          .a = &A(end + tile.begin, begin),
          .lda = A.outerStride(),
          .b = &A(end + tile.begin, begin),
          .ldb = A.outerStride(),
          .c = &A(end + tile.begin, end + tile.begin),
          .ldc = A.outerStride(),
          .alpha = -1.0,
          .beta = 1.0});
  });
}

}  // namespace

bool cholesky(Matrix& A, const Context& context) {
  for (Index begin = 0; begin < A.rows(); begin += kPanel) {
    const Index end = std::min(begin + kPanel, A.rows());
    if (!cholesky_block(&A(begin, begin), end - begin, A.outerStride())) return false;
    if (end == A.rows()) break;
    solve_below(A, begin, end, context);
    update_rest(A, begin, end, context);
  }
  return true;
}

void solve_factor(const Matrix& L, bool transpose, Matrix& B, const Context& context) {
  for_tiles(context, B.cols(), kColumns, [&](const Tile& tile) {
    triangular_solve({.transpose = transpose,
                      .m = B.rows(),
                      .n = tile.size(),
                      .t = L.data(),
                      .ldt = L.outerStride(),
                      .b = B.col(tile.begin).data(),
                      .ldb = B.outerStride()});
  });
}

Matrix multiply(const ConstMatrixRef& A, bool transpose_a, const ConstMatrixRef& B,
                bool transpose_b, const Context& context) {
  const Index inner = transpose_a ? A.rows() : A.cols();
  Matrix C(transpose_a ? A.cols() : A.rows(), transpose_b ? B.rows() : B.cols());
  const bool by_rows = C.rows() > C.cols();
  for_tiles(context, by_rows ? C.rows() : C.cols(), kColumns, [&](const Tile& tile) {
    const Index row = by_rows ? tile.begin : 0;
    const Index column = by_rows ? 0 : tile.begin;
    gemm({.transpose_a = transpose_a,
          .transpose_b = transpose_b,
          .m = by_rows ? tile.size() : C.rows(),
          .n = by_rows ? C.cols() : tile.size(),
          .k = inner,
          .a = A.data() + (transpose_a ? row * A.outerStride() : row),
          .lda = A.outerStride(),
          .b = B.data() + (transpose_b ? column : column * B.outerStride()),
          .ldb = B.outerStride(),
          .c = &C(row, column),
          .ldc = C.outerStride()});
  });
  return C;
}

}  // namespace subspace::linalg
