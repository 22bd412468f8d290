// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/backend.h>

#include <time.h>

#include <algorithm>

#include "linalg/linalg.h"

namespace subspace {
namespace {

/// Of this thread alone: a machine that is busy with something else may stop it for longer than all
/// of the products take.
double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double product_speed(const Matrix& A, Matrix& C) {
  const Index n = A.rows();
  const double begin = processor_seconds();
  linalg::gemm({.m = n,
                .n = n,
                .k = n,
                .a = A.data(),
                .lda = n,
                .b = A.data(),
                .ldb = n,
                .c = C.data(),
                .ldc = n});
  const double seconds = processor_seconds() - begin;
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
