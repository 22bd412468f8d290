// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/cluster/kmeans.h>

#include "worlds.h"

namespace subspace::bench {
namespace {

/// Points per second of 20 restarts on a k-dimensional cloud; arguments: k, threads.
void kmeans_points(benchmark::State& state) {
  const int k = static_cast<int>(state.range(0));
  const Matrix X = noisy_subspaces(k, 20, 72);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kmeans(X, k, {}, 0, {.num_threads = static_cast<int>(state.range(1))}));
  }
  state.SetItemsProcessed(state.iterations() * X.cols());
}
BENCHMARK(kmeans_points)
    ->ArgNames({"k", "threads"})
    ->ArgsProduct({{20, 100}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace subspace::bench
