// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/neural/encoder.h>
#include <subspace/neural/tcr.h>

#include "checkpoint_file.h"

namespace subspace::neural {

/// The images of a step: all of them in order, or a batch of the epoch's permutation. A function of
/// its arguments alone.
SUBSPACE_API std::vector<Index> images_of_step(Index num_images, int batch, std::uint64_t seed,
                                               std::int64_t step);

/// The learning rate of a step.
SUBSPACE_API double learning_rate(const TcrOptions& options, std::int64_t step);

/// Network, optimiser and data of a run; knows nothing of files.
class SUBSPACE_API TcrTrainer {
 public:
  /// `images` is (N, channels, height, width), float32, contiguous, on the CPU.
  TcrTrainer(torch::Tensor images, const ImageShape& shape, const TcrOptions& options,
             std::uint64_t seed, torch::Device device);

  /// One step of Adam; appends to the history. Throws NumericalError when the loss is not finite or
  /// the features have collapsed.
  void step(const Context& context);

  std::int64_t steps_done() const { return static_cast<std::int64_t>(history_.size()); }
  const std::vector<StepStats>& history() const { return history_; }

  /// Everything that a later step depends on. Throws NumericalError when a number is not finite.
  NamedArrays arrays() const;
  /// Throws DataError when they are those of another network.
  void restore(const NamedArrays& arrays);

 private:
  torch::Tensor make_views(const Context& context);

  torch::Tensor images_;
  torch::Tensor views_;  // memory of make_views(), kept from step to step
  ImageShape shape_;
  TcrOptions options_;
  std::uint64_t seed_;
  torch::Device device_;
  Encoder encoder_;
  torch::optim::Adam optimizer_;
  std::vector<StepStats> history_;
};

}  // namespace subspace::neural
