// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// Whether tile_convolution() takes these planes: bfloat16 on a processor with a matrix unit for
/// it, channels of a pixel together, filters of 1x1 or 3x3 with the border that keeps the size.
SUBSPACE_API bool fits_tile_convolution(const torch::Tensor& planes,
                                        const torch::nn::Conv2dImpl& layer);

/// The values and gradients of a convolution of `planes` with the weights of `layer`, rounded to
/// bfloat16; the gradient of the weights is single. There are no second derivatives. The same bytes
/// for any number of threads.
SUBSPACE_API torch::Tensor tile_convolution(const torch::Tensor& planes,
                                            const torch::nn::Conv2dImpl& layer);

}  // namespace subspace::neural
