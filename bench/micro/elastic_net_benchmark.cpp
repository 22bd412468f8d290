// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/self_expression/elastic_net.h>

#include "roofline.h"
#include "worlds.h"

namespace subspace::bench {
namespace {

/// Points per second of EnSC; arguments: points per subspace (of 20), threads, streamed or stored
/// Gram. Counts the Gram matrix once, though streaming computes it in every round.
void elastic_net_points(benchmark::State& state) {
  const Matrix X = noisy_subspaces(256, 20, static_cast<int>(state.range(0)));
  // Just less than a stored Gram matrix asks for, four times its size.
  const auto too_little = static_cast<std::int64_t>(32 * X.cols() * X.cols() - 1);
  const Context context{.num_threads = static_cast<int>(state.range(1)),
                        .max_memory = state.range(2) != 0 ? too_little : 0};
  gemm_peak();  // not inside the time of the first row
  for (auto _ : state) benchmark::DoNotOptimize(elastic_net(X, {}, context));
  state.SetItemsProcessed(state.iterations() * X.cols());
  const auto n = static_cast<double>(X.cols());
  count_operations(state, n * n * static_cast<double>(X.rows()));
}
BENCHMARK(elastic_net_points)
    ->ArgNames({"per_subspace", "threads", "streamed"})
    ->ArgsProduct({{50, 100}, {1, 2}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace subspace::bench
