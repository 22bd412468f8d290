// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Pictures a second that one thread augments, by whole policies.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include <subspace/core/random.h>
#include <subspace/neural/augmentation.h>

namespace subspace::neural {
namespace {

void run_policy(benchmark::State& state, const AugmentationOptions& options,
                const ImageShape& shape) {
  const std::size_t count = 256;
  RandomStream random = stream(1, Stream::kTest);
  std::vector<float> images(count * static_cast<std::size_t>(shape.num_pixels()));
  for (float& value : images) value = static_cast<float>(random.uniform());
  std::vector<float> views(images.size());
  std::vector<Index> chosen(count);
  std::iota(chosen.begin(), chosen.end(), 0);
  ViewKey key = {.seed = 1};
  for (auto _ : state) {
    augment(options, shape, key, images, chosen, views, {.num_threads = 1});
    ++key.step;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void coil_policy(benchmark::State& state) {
  run_policy(state, coil_augmentation(), {.channels = 1, .height = 64, .width = 64});
}
void cifar_policy(benchmark::State& state) {
  run_policy(state, cifar_augmentation(), {.channels = 3, .height = 32, .width = 32});
}
void stl_policy(benchmark::State& state) {
  run_policy(state, stl_augmentation(), {.channels = 3, .height = 96, .width = 96});
}
BENCHMARK(coil_policy)->Unit(benchmark::kMillisecond);
BENCHMARK(cifar_policy)->Unit(benchmark::kMillisecond);
BENCHMARK(stl_policy)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace subspace::neural
