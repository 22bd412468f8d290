// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>

namespace subspace::neural {

/// Whether planes of bfloat16 are better multiplied as numbers of single precision: in main memory,
/// on a processor that would have to emulate their products.
SUBSPACE_API bool needs_widening(const torch::Tensor& planes);

/// The values and gradients of a convolution of `planes` (bfloat16) with the weights of `layer`
/// rounded to bfloat16: products and sums in single precision, as the instructions for bfloat16
/// have them, rounded to bfloat16 at the end; the gradient of the weights is single. What is kept
/// for the gradient stays in bfloat16. There are no second derivatives.
SUBSPACE_API torch::Tensor widened_convolution(const torch::Tensor& planes,
                                               const torch::nn::Conv2dImpl& layer);

}  // namespace subspace::neural
