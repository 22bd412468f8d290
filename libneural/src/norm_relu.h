// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// relu(norm(x) + added), `added` of the shape of x or undefined: batch normalisation by the
/// statistics of the batch while `norm` is trained, by its running ones otherwise. The values and
/// gradients of the modules one after the other, up to rounding. In training, on a processor with
/// the channels of a pixel together, in single precision or with planes of bfloat16 (statistics and
/// parameters then stay single), it is done in one function of few passes; everything else is left
/// to LibTorch. There are no second derivatives.
SUBSPACE_API torch::Tensor norm_relu(const torch::Tensor& x, torch::nn::BatchNorm2dImpl& norm,
                                     const torch::Tensor& added = {});

/// Mean and variance of each channel over all pixels of a batch, in double.
struct BatchStatistics {
  torch::Tensor mean = {};
  torch::Tensor variance = {};  ///< with bias: over the number of pixels
  torch::Tensor inverse = {};   ///< 1 / sqrt(variance + eps)
  double count = 0.0;           ///< of pixels
};

/// Whether `norm` normalises by the batch, scales, and keeps running statistics by a momentum.
bool trains_plainly(const torch::nn::BatchNorm2dImpl& norm);

/// As batch normalisation does in training: the running variance is the one without bias.
void move_running_statistics(const BatchStatistics& found, torch::nn::BatchNorm2dImpl& norm);

/// norm(x) = x scale + shift, in single precision.
struct ScaleAndShift {
  torch::Tensor scale = {};
  torch::Tensor shift = {};
};
ScaleAndShift scale_and_shift(const BatchStatistics& found, const torch::Tensor& gamma,
                              const torch::Tensor& beta);

/// Sums over the first dimension, in double and in its order.
torch::Tensor sum_of_rows(const torch::Tensor& rows);

}  // namespace subspace::neural
