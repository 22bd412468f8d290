// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neural/training_cost.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

constexpr ImageShape kShape = {.channels = 1, .height = 64, .width = 64};

TrainingOptions two_steps(const NetworkOptions& network) {
  TrainingOptions options = testing::small_options(2);
  options.network = network;
  return options;
}

/// By how much the resident set rises while a network is trained on `count` images.
double risen_memory(const TrainingOptions& options, int count) {
  const Matrix X = Matrix::NullaryExpr(kShape.num_pixels(), count, [](Index i, Index j) {
    return 0.5 + 0.5 * std::sin(0.01 * static_cast<double>((j + 3) * i));
  });
  const testing::ScratchFolder scratch;
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  restart_peak_memory();
  const std::int64_t before = peak_memory();
  train(X, kShape, options, run, {.num_threads = 1});
  return static_cast<double>(peak_memory() - before);
}

/// Whether the system forgets a peak when it is asked to.
bool peak_restarts() {
  risen_memory(two_steps({.filters = 16, .hidden = 64}), 128);
  const std::int64_t before = peak_memory();
  restart_peak_memory();
  return peak_memory() < before;
}

void expect_prediction(const TrainingOptions& options, int count) {
  risen_memory(options, 4);  // what stays of LibTorch's code and kernels is not of a step
  const double measured = risen_memory(options, count);
  const double predicted = step_bytes(options, kShape, count);
  EXPECT_LT(measured, 2.0 * predicted) << predicted;
  EXPECT_GT(measured, 0.5 * predicted) << predicted;
}

// Runs are refused by this prediction. The stem of 3 x 3 is overrated.
TEST(StepMemory, IsAsPredictedToAFactorOfTwo) {
  if (!peak_restarts()) GTEST_SKIP() << "the largest resident set cannot be started anew here";
  struct Case {
    NetworkOptions network = {};
    int count = 128;
  };
  const Case cases[] = {
      {{.backbone = Backbone::kResnet10, .filters = 16, .hidden = 64}},
      {{.filters = 16, .hidden = 64}},
      {{.filters = 16, .hidden = 64, .precision = Precision::kBFloat16}},
      {{.backbone = Backbone::kResnet10, .stem = Stem::k3x3, .filters = 16, .hidden = 64}, 32}};
  for (const auto& [network, count] : cases) expect_prediction(two_steps(network), count);
}

// The graph is that of one micro-batch, but the views of the whole batch are drawn at once. Many
// views, for the pictures themselves are held once more beside them.
TEST(StepMemory, OfMicroBatchesIsThatOfTheViewsOfAll) {
  if (!peak_restarts()) GTEST_SKIP() << "the largest resident set cannot be started anew here";
  TrainingOptions options =
      two_steps({.backbone = Backbone::kResnet10, .filters = 4, .hidden = 16, .features = 4});
  options.objective.objective = Objective::kMcr2;
  options.objective.views = 8;
  options.gradient = GradientMode::kGhostBn;
  options.micro_batch = 4;
  constexpr int kCount = 512;
  const double views = 8.0 * kCount * sizeof(float) * static_cast<double>(kShape.num_pixels());
  ASSERT_GT(views, 0.8 * step_bytes(options, kShape, kCount));
  expect_prediction(options, kCount);
}

// What --max-memory bounds is the whole program, not a step: the pictures in both precisions and
// LibTorch count, or a training by small micro-batches would pass a limit that it exceeds.
TEST(TrainingMemory, IsThatOfTheWholeProgram) {
  if (!peak_restarts()) GTEST_SKIP() << "the largest resident set cannot be started anew here";
  TrainingOptions options = two_steps({.backbone = Backbone::kResnet10, .filters = 16});
  options.gradient = GradientMode::kGhostBn;
  options.micro_batch = 16;
  constexpr int kCount = 2048;
  const double predicted = training_bytes(options, kShape, kCount);
  const double step = step_bytes(options, kShape, kCount);
  const double pictures = 12.0 * kCount * static_cast<double>(kShape.num_pixels());
  ASSERT_GT(predicted, step + pictures);
  risen_memory(options, kCount);
  const auto measured = static_cast<double>(peak_memory());
  EXPECT_LT(measured, 1.5 * predicted) << predicted;
  EXPECT_GT(measured, 0.5 * predicted) << predicted;
  const testing::ScratchFolder scratch;
  EXPECT_THROW(train(Matrix::Zero(kShape.num_pixels(), kCount), kShape, options,
                     {.folder = scratch / "run", .device = "cpu"},
                     {.max_memory = static_cast<std::int64_t>(step + 0.5 * pictures)}),
               ResourceError);
}

}  // namespace
}  // namespace subspace::neural
