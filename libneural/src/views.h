// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/neural/augmentation.h>

namespace subspace::neural {

/// Fills `views`, (chosen, channels, height, width), with one random view of each chosen image, or
/// point, of `images`; both in float32 and contiguous on the CPU.
SUBSPACE_API void draw_views(const AugmentationOptions& options, const ImageShape& shape,
                             const ViewKey& key, const torch::Tensor& images,
                             const std::vector<Index>& chosen, const torch::Tensor& views,
                             const Context& context);

/// Frees `images`, as above, of what the views are freed of at the end: an image as the network
/// shall see it when nothing is random.
void show_clean(const AugmentationOptions& options, const ImageShape& shape,
                const torch::Tensor& images);

}  // namespace subspace::neural
