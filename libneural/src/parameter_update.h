// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/neural/encoder.h>
#include <subspace/neural/optimizer.h>

#include "checkpoint_file.h"

namespace subspace::neural {

/// Scales the gradients as LARS wants them before a step of plain SGD, see optimizer.h.
SUBSPACE_API void scale_gradients(const std::vector<torch::Tensor>& parameters,
                                  const OptimizerOptions& options, double learning_rate);

/// The optimiser of a training and its state. Moves the parameters of an encoder that take a
/// gradient.
class SUBSPACE_API ParameterUpdate {
 public:
  ParameterUpdate(const EncoderImpl& encoder, const OptimizerOptions& options);

  void zero_grad();
  void step(double learning_rate);

  /// The state under "optimizer/", of the parameters that have been stepped.
  void put(NamedArrays& arrays) const;
  void get(const NamedArrays& arrays);

 private:
  using Named = std::vector<std::pair<std::string, torch::Tensor>>;

  OptimizerOptions options_;
  Named rest_;  // all that is trained but the cluster head, where that has a rate of its own
  Named head_;
  std::unique_ptr<torch::optim::Optimizer> of_rest_;
  std::unique_ptr<torch::optim::Optimizer> of_head_;  // null unless head_ holds something
};

}  // namespace subspace::neural
