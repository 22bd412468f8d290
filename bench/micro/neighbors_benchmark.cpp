// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/neighbors/knn.h>

#include "worlds.h"

namespace subspace::bench {
namespace {

/// Exact 5 nearest neighbours; arguments: points per subspace (of 20), threads. Also reports the
/// rate of the multiply-adds a plain N x N x D product would need.
void nearest_neighbors_points(benchmark::State& state) {
  const Matrix X = noisy_subspaces(1024, 20, static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(nearest_neighbors(X, 5, Metric::kEuclidean,
                                               {.num_threads = static_cast<int>(state.range(1))}));
  }
  state.SetItemsProcessed(state.iterations() * X.cols());
  const double flops = 2.0 * static_cast<double>(X.cols()) * static_cast<double>(X.cols()) *
                       static_cast<double>(X.rows());
  state.counters["flop/s"] = benchmark::Counter(
      flops, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}
BENCHMARK(nearest_neighbors_points)
    ->ArgNames({"per_subspace", "threads"})
    ->ArgsProduct({{72, 200}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace subspace::bench
