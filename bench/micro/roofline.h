// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <benchmark/benchmark.h>

namespace subspace::bench {

/// Floating-point operations a second of one thread in a general product of 1024 x 1024 matrices by
/// the dense back end, the best of a few: measured once, at the first use. Seconds are of the
/// processor, here and below, so that a busy machine does not enter.
double gemm_peak();

/// The counters of a row that needs `operations` (a multiply-add is two) an iteration: the rate,
/// and its share of the peak. The row must measure the processor time of the whole process: that of
/// all its threads.
void count_operations(benchmark::State& state, double operations);

}  // namespace subspace::bench
