// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/neural/encoder.h>
#include <subspace/neural/training.h>

#include "batches.h"
#include "checkpoint_file.h"
#include "measure.h"
#include "parameter_update.h"

namespace subspace::neural {

/// Network, optimiser and data of a run; knows nothing of files.
class SUBSPACE_API Trainer {
 public:
  /// `images` is (N, channels, height, width), float32, contiguous, on the CPU.
  Trainer(torch::Tensor images, const ImageShape& shape, const TrainingOptions& options,
          std::uint64_t seed, torch::Device device);

  /// One step; appends to the history. Throws NumericalError when the loss is not finite or the
  /// features have collapsed and stay so.
  void step(const Context& context);

  std::int64_t steps_done() const { return static_cast<std::int64_t>(history_.size()); }
  const std::vector<StepStats>& history() const { return history_; }

  /// Everything that a later step depends on. Throws NumericalError when a number is not finite.
  NamedArrays arrays() const;
  /// Throws DataError when they are those of another network.
  void restore(const NamedArrays& arrays);
  /// Takes the network of an earlier stage; see TrainingRun.
  void start_from(const NamedArrays& arrays, bool new_heads);

 private:
  WholeSetOrder whole_set_order() const;
  /// (V, m, channels, height, width) on the device.
  torch::Tensor make_views(const std::vector<Index>& chosen, const Context& context);
  /// Noise of the cluster assignments, (V, m, K); undefined where none is needed.
  torch::Tensor make_gumbel(const std::vector<Index>& chosen) const;
  ViewOutputs outputs_of(const torch::Tensor& views);
  /// Whether the coding rate of the latest steps was below `rate` in each of them.
  bool lasted_below(double rate) const;
  StepStats checked(const StepStats& stats, std::int64_t m) const;
  /// Both leave the gradient of the loss in the parameters.
  StepStats whole_gradient(const torch::Tensor& views, const torch::Tensor& gumbel);
  StepStats ghost_gradient(const torch::Tensor& views, const torch::Tensor& gumbel);
  /// The outputs of every micro-batch, without a graph.
  ViewOutputs gather_outputs(const torch::Tensor& views);

  torch::Tensor images_;
  torch::Tensor views_;  // memory of make_views(), kept from step to step
  ImageShape shape_;
  TrainingOptions options_;
  std::uint64_t seed_;
  torch::Device device_;
  Encoder encoder_;
  ParameterUpdate update_;
  std::vector<StepStats> history_;
};

}  // namespace subspace::neural
