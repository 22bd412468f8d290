// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// training_run FOLDER STEPS small|wide: resumes a run in FOLDER with a checkpoint after every step.
// A process of its own, so that a test can kill it. The wide run has two threads, and images and
// layers large enough for LibTorch to share them out.
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <subspace/core/error.h>

#include "small_run.h"

namespace subspace::neural::testing {
namespace {

TrainingResult run_wide(const TrainingRun& run, int steps) {
  const ImageShape shape = {.channels = 1, .height = 48, .width = 48};
  const Matrix X = Matrix::NullaryExpr(shape.num_pixels(), 40, [](Index i, Index j) {
    return 0.5 + 0.5 * std::sin(0.01 * static_cast<double>((j + 3) * i));
  });
  TrainingOptions options = small_options(steps);
  options.network.filters = 16;
  options.network.hidden = 256;
  return train(X, shape, options, run, {.num_threads = 2});
}

int run(const std::string& folder, int steps, const std::string& kind) {
  const TrainingRun run = {
      .folder = folder, .seed = 3, .device = "cpu", .resume = true, .checkpoint_every = 1};
  const TrainingResult result =
      kind == "wide"
          ? run_wide(run, steps)
          : train(small_images(), kSmallShape, small_options(steps), run, {.num_threads = 1});
  // A kill must never leave a damaged checkpoint behind.
  for (const std::string& warning : result.warnings) std::cerr << warning << '\n';
  return result.warnings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace subspace::neural::testing

int main(int argc, char** argv) try {
  if (argc != 4) return 2;
  return subspace::neural::testing::run(argv[1], std::atoi(argv[2]), argv[3]);
} catch (const subspace::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
