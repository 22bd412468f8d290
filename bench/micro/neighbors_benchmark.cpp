// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/neighbors/knn.h>

#include "roofline.h"
#include "worlds.h"

namespace subspace::bench {
namespace {

/// Exact 5 nearest neighbours; arguments: points per subspace (of 20), threads. Counts the
/// distances, each once.
void nearest_neighbors_points(benchmark::State& state) {
  const Matrix X = noisy_subspaces(1024, 20, static_cast<int>(state.range(0)));
  gemm_peak();  // not inside the time of the first row
  for (auto _ : state) {
    benchmark::DoNotOptimize(nearest_neighbors(X, 5, Metric::kEuclidean,
                                               {.num_threads = static_cast<int>(state.range(1))}));
  }
  state.SetItemsProcessed(state.iterations() * X.cols());
  const auto n = static_cast<double>(X.cols());
  count_operations(state, n * n * static_cast<double>(X.rows()));
}
BENCHMARK(nearest_neighbors_points)
    ->ArgNames({"per_subspace", "threads"})
    ->ArgsProduct({{72, 200}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace subspace::bench
