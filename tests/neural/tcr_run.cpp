// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// tcr_run FOLDER STEPS: resumes the small run in FOLDER with a checkpoint after every step. A
// process of its own, so that a test can kill it.
#include <cstdlib>
#include <iostream>

#include <subspace/core/error.h>

#include "small_run.h"

int main(int argc, char** argv) try {
  namespace neural = subspace::neural;
  if (argc != 3) return 2;
  const neural::TrainingRun run = {
      .folder = argv[1], .seed = 3, .device = "cpu", .resume = true, .checkpoint_every = 1};
  const auto result = neural::train_tcr(
      neural::testing::small_images(), neural::testing::kSmallShape,
      neural::testing::small_options(std::atoi(argv[2])), run, {.num_threads = 1});
  // A kill must never leave a damaged checkpoint behind.
  for (const std::string& warning : result.warnings) std::cerr << warning << '\n';
  return result.warnings.empty() ? 0 : 1;
} catch (const subspace::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
