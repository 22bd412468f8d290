// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// Convolution of stride 2, batch normalisation by the statistics of the batch, ReLU and
/// max-pooling 3 x 3 of stride 2, as one function of its parameters: the same values and gradients
/// as the four modules one after the other, up to rounding, without the planes between them. There
/// are no second derivatives. The running statistics of `norm` move on as in training. Pictures (n,
/// channels, height, width).
SUBSPACE_API torch::Tensor shrinking_stem(const torch::Tensor& pictures,
                                          torch::nn::Conv2dImpl& convolution,
                                          torch::nn::BatchNorm2dImpl& norm);

/// Whether shrinking_stem() takes these: single precision on the processor, odd filters of stride 2
/// that reach half over the border, a layer that is being trained, pictures that want no gradient.
SUBSPACE_API bool fits_shrinking_stem(const torch::Tensor& pictures,
                                      const torch::nn::Conv2dImpl& convolution,
                                      const torch::nn::BatchNorm2dImpl& norm);

}  // namespace subspace::neural
