// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/cluster/kmeans.h>

#include "roofline.h"
#include "worlds.h"

namespace subspace::bench {
namespace {

/// Points per second of 20 restarts on a k-dimensional cloud; arguments: k, threads. Counts the
/// distances of all points from the centres that a restart begins with, not its iterations.
void kmeans_points(benchmark::State& state) {
  const int k = static_cast<int>(state.range(0));
  const Matrix X = noisy_subspaces(k, 20, 72);
  const KMeansOptions options{.restarts = 20};
  gemm_peak();  // not inside the time of the first row
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kmeans(X, k, options, 0, {.num_threads = static_cast<int>(state.range(1))}));
  }
  state.SetItemsProcessed(state.iterations() * X.cols());
  count_operations(state, options.restarts * 2.0 * static_cast<double>(X.size()) * k);
}
BENCHMARK(kmeans_points)
    ->ArgNames({"k", "threads"})
    ->ArgsProduct({{20, 100}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace subspace::bench
