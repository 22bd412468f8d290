// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// What a step of training costs beside the bare forward and backward of the same network: the
// augmentation, the loss and the optimiser may add 10 %.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/neural/runtime.h>

#include "trainer.h"

namespace subspace::neural {
namespace {

constexpr ImageShape kShape = {.channels = 1, .height = 64, .width = 64};

torch::Tensor noise(std::int64_t count) {
  RandomStream random = stream(1, Stream::kTest);
  torch::Tensor images = torch::empty({count, kShape.channels, kShape.height, kShape.width});
  float* values = images.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < images.numel(); ++i)
    values[i] = static_cast<float>(random.uniform());
  return images;
}

void bare_forward_backward(benchmark::State& state, Precision precision) {
  set_num_threads(available_threads());
  Encoder encoder(NetworkOptions{.precision = precision}, kShape, 1);
  encoder->train();
  const torch::Tensor images = noise(2 * state.range(0));
  for (auto _ : state) {
    encoder->zero_grad();
    encoder->forward(images).sum().backward();
  }
  state.SetItemsProcessed(state.iterations() * images.size(0));
}

void training_step(benchmark::State& state, Precision precision) {
  set_num_threads(available_threads());
  TrainingOptions options;
  options.network.precision = precision;
  Trainer trainer(noise(state.range(0)), kShape, options, 1, torch::kCPU);
  for (auto _ : state) trainer.step({});
  state.SetItemsProcessed(state.iterations() * 2 * state.range(0));
}

// Interleaved repetitions: a busy machine slows all of them alike.
#define SUBSPACE_BENCHMARK(function, name, precision) \
  BENCHMARK_CAPTURE(function, name, precision)        \
      ->Arg(256)                                      \
      ->Unit(benchmark::kMillisecond)                 \
      ->UseRealTime()
SUBSPACE_BENCHMARK(bare_forward_backward, float32, Precision::kFloat32);
SUBSPACE_BENCHMARK(training_step, float32, Precision::kFloat32);
SUBSPACE_BENCHMARK(bare_forward_backward, bfloat16, Precision::kBFloat16);
SUBSPACE_BENCHMARK(training_step, bfloat16, Precision::kBFloat16);

}  // namespace
}  // namespace subspace::neural
