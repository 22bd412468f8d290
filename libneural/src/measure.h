// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <subspace/core/export.h>
#include <subspace/neural/training.h>

namespace subspace::neural {

/// What the network says of a batch.
struct ViewOutputs {
  torch::Tensor features = {};  ///< (V, m, p), not normalised
  torch::Tensor logits = {};    ///< (V, m, K); undefined without a cluster head
};

struct Measured {
  torch::Tensor loss = {};  ///< float64, with its graph
  StepStats stats = {};
};

/// The objective at these outputs. `gumbel` has the shape of the logits and is read by kNmce alone.
SUBSPACE_API Measured measure(const ViewOutputs& outputs, const torch::Tensor& gumbel,
                              const ObjectiveOptions& options);

}  // namespace subspace::neural
