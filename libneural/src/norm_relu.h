// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// relu(norm(x) + added), `added` of the shape of x or undefined: batch normalisation by the
/// statistics of the batch while `norm` is trained, by its running ones otherwise. The values and
/// gradients of the modules one after the other, up to rounding. In training, in single precision
/// on a processor with the channels of a pixel together, it is done in one function of few passes;
/// everything else is left to LibTorch.
SUBSPACE_API torch::Tensor norm_relu(const torch::Tensor& x, torch::nn::BatchNorm2dImpl& norm,
                                     const torch::Tensor& added = {});

/// As batch normalisation does in training: towards a mean and a variance over `count` values, the
/// variance without bias.
void move_running_statistics(const torch::Tensor& mean, const torch::Tensor& variance, double count,
                             torch::nn::BatchNorm2dImpl& norm);

}  // namespace subspace::neural
