// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ridge_inverse.h"

#include <cmath>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

constexpr Index kTile = 64;

/// By tiles: at thousands of points a factorisation takes seconds, and a wish to stop must not wait
/// for its end.
void factor(Matrix& A, const Context& context) {
  if (linalg::cholesky(A, context)) return;
  throw NumericalError(message("ridge: a ", A.rows(), " x ", A.cols(),
                               " matrix must be positive definite and is not"));
}

}  // namespace

RidgeInverse RidgeInverse::of_gram(Matrix G, double weight, Index summed, const Context& context) {
  const Index n = G.rows();
  Matrix L = std::move(G);
  L *= weight;
  L.topLeftCorner(summed, summed).array() += 1.0;
  L.diagonal().array() += 1.0;
  factor(L, context);
  RidgeInverse result;
  result.inverse_ = Matrix::Identity(n, n);
  for_tiles(context, n, kTile, [&](const Tile& tile) {
    double* columns = result.inverse_.col(tile.begin).data();
    linalg::solve_lower(L, false, columns, n, tile.size());
    linalg::solve_lower(L, true, columns, n, tile.size());
  });
  return result;
}

RidgeInverse RidgeInverse::of_points(const ConstMatrixRef& X, double weight, Index summed,
                                     const Context& context) {
  if (is_dense(X.rows(), X.cols())) {
    return of_gram(linalg::gram(X, context), weight, summed, context);
  }
  RidgeInverse result;
  Matrix& F = result.factor_;
  F.resize(X.rows() + (summed > 0 ? 1 : 0), X.cols());
  F.topRows(X.rows()) = std::sqrt(weight) * X;
  if (summed > 0) {
    F.row(X.rows()).setZero();
    F.row(X.rows()).head(summed).setOnes();
  }
  Matrix L = linalg::moment(F, context);
  L.diagonal().array() += 1.0;
  factor(L, context);
  for_tiles(context, F.cols(), kTile, [&](const Tile& tile) {
    linalg::solve_lower(L, false, F.col(tile.begin).data(), F.rows(), tile.size());
  });
  return result;
}

double RidgeInverse::bytes_of_points(Index dimension, Index num_points) {
  if (is_dense(dimension, num_points)) return matrix_bytes(2.0, num_points, num_points);
  return matrix_bytes(1.0, dimension + 1, num_points + dimension);
}

void RidgeInverse::apply(const double* in, Index columns, double* out, Vector& work) const {
  if (factor_.size() == 0) {
    const Index n = inverse_.rows();
    linalg::gemm({.m = n,
                  .n = columns,
                  .k = n,
                  .a = inverse_.data(),
                  .lda = n,
                  .b = in,
                  .ldb = n,
                  .c = out,
                  .ldc = n});
    return;
  }
  const Index rows = factor_.rows();
  const Index n = factor_.cols();
  work.resize(std::max(work.size(), rows * columns));
  linalg::gemm({.m = rows,
                .n = columns,
                .k = n,
                .a = factor_.data(),
                .lda = rows,
                .b = in,
                .ldb = n,
                .c = work.data(),
                .ldc = rows});
  std::copy_n(in, n * columns, out);
  linalg::gemm({.transpose_a = true,
                .m = n,
                .n = columns,
                .k = rows,
                .a = factor_.data(),
                .lda = rows,
                .b = work.data(),
                .ldb = rows,
                .c = out,
                .ldc = n,
                .alpha = -1.0,
                .beta = 1.0});
}

}  // namespace subspace
