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

void bare_forward_backward(benchmark::State& state) {
  set_num_threads(available_threads());
  Encoder encoder(NetworkOptions{}, kShape, 1);
  encoder->train();
  const torch::Tensor images = noise(2 * state.range(0));
  for (auto _ : state) {
    encoder->zero_grad();
    encoder->forward(images).sum().backward();
  }
  state.SetItemsProcessed(state.iterations() * images.size(0));
}

void training_step(benchmark::State& state) {
  set_num_threads(available_threads());
  Trainer trainer(noise(state.range(0)), kShape, {}, 1, torch::kCPU);
  for (auto _ : state) trainer.step({});
  state.SetItemsProcessed(state.iterations() * 2 * state.range(0));
}

// Interleaved repetitions: a busy machine slows both alike.
BENCHMARK(bare_forward_backward)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(training_step)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace subspace::neural
