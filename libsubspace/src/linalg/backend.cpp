// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/backend.h>

#include <algorithm>
#include <chrono>

#include "linalg/linalg.h"

namespace subspace {
namespace {

double product_speed(const Matrix& A, Matrix& C) {
  using Clock = std::chrono::steady_clock;
  const Index n = A.rows();
  const auto begin = Clock::now();
  linalg::gemm({.m = n,
                .n = n,
                .k = n,
                .a = A.data(),
                .lda = n,
                .b = A.data(),
                .ldb = n,
                .c = C.data(),
                .ldc = n});
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return static_cast<double>(n * n * n) / std::max(seconds, 1e-9);
}

}  // namespace

std::string backend_name() { return linalg::backend(); }

double measure_product_speed() {
  constexpr Index kSide = 384;
  const Matrix A = Matrix::Constant(kSide, kSide, 0.5);
  Matrix C(kSide, kSide);
  double best = 0.0;
  for (int i = 0; i < 5; ++i) best = std::max(best, product_speed(A, C));
  return best;
}

}  // namespace subspace
