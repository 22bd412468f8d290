// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "roofline.h"

#include <algorithm>
#include <ctime>

#include <subspace/core/types.h>

#include "linalg/linalg.h"

namespace subspace::bench {
namespace {

constexpr Index kSize = 1024;
constexpr int kTries = 7;

double measure() {
  const Matrix A = Matrix::Constant(kSize, kSize, 0.5);
  Matrix C(kSize, kSize);
  double shortest = 1e300;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const std::clock_t start = std::clock();
    linalg::gemm({.m = kSize,
                  .n = kSize,
                  .k = kSize,
                  .a = A.data(),
                  .lda = kSize,
                  .b = A.data(),
                  .ldb = kSize,
                  .c = C.data(),
                  .ldc = kSize});
    benchmark::DoNotOptimize(C.data());
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    shortest = std::min(shortest, taken);
  }
  return 2.0 * kSize * kSize * kSize / shortest;
}

}  // namespace

double gemm_peak() {
  static const double peak = measure();
  return peak;
}

void count_operations(benchmark::State& state, double operations) {
  using benchmark::Counter;
  const double share = operations / gemm_peak();
  state.counters["flops"] = Counter(operations, Counter::kIsIterationInvariantRate);
  state.counters["gemm_share"] = Counter(share, Counter::kIsIterationInvariantRate);
}

}  // namespace subspace::bench
