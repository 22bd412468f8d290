// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <subspace/neighbors/knn.h>
#include <subspace/spectral/embedding.h>

#include "worlds.h"

namespace subspace::bench {
namespace {

/// Embedding of a 5-NN graph into 20 dimensions; arguments: points per subspace (of 20), threads.
void spectral_embedding_points(benchmark::State& state) {
  const Matrix X = noisy_subspaces(64, 20, static_cast<int>(state.range(0)));
  const SparseMatrix W = neighbor_graph(X, {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        spectral_embedding(W, 20, {}, 0, {.num_threads = static_cast<int>(state.range(1))}));
  }
  state.SetItemsProcessed(state.iterations() * X.cols());
}
BENCHMARK(spectral_embedding_points)
    ->ArgNames({"per_subspace", "threads"})
    ->ArgsProduct({{72, 360}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace subspace::bench
