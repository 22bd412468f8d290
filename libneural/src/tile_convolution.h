// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// Whether tiles can take these planes, on a processor that has them: bfloat16 in main memory,
/// channels of a pixel together, filters of 1x1 or 3x3 with the border of zeros that keeps the
/// size.
SUBSPACE_API bool has_form_for_tiles(const torch::Tensor& planes,
                                     const torch::nn::Conv2dImpl& layer);

/// Whether tile_convolution() takes these planes: they have the form, and this process can multiply
/// tiles.
SUBSPACE_API bool fits_tile_convolution(const torch::Tensor& planes,
                                        const torch::nn::Conv2dImpl& layer);

/// The values and gradients of a convolution of `planes` with the weights of `layer`, rounded to
/// bfloat16; the gradient of the weights is single. There are no second derivatives. The same bytes
/// for any number of threads.
SUBSPACE_API torch::Tensor tile_convolution(const torch::Tensor& planes,
                                            const torch::nn::Conv2dImpl& layer);

}  // namespace subspace::neural
