// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "views.h"

#include <torch/torch.h>

#include <span>

namespace subspace::neural {
namespace {

std::span<float> values_of(const torch::Tensor& tensor) {
  return {tensor.mutable_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

void draw_views(const AugmentationOptions& options, const ImageShape& shape, const ViewKey& key,
                const torch::Tensor& images, const std::vector<Index>& chosen,
                const torch::Tensor& views, const Context& context) {
  if (shape.is_picture()) {
    augment(options, shape, key, values_of(images), chosen, values_of(views), context);
  } else {
    augment_points(options, key, shape.num_pixels(), values_of(images), chosen, values_of(views),
                   context);
  }
}

void show_clean(const AugmentationOptions& options, const ImageShape& shape,
                const torch::Tensor& images) {
  if (shape.is_picture()) normalise(options.normalise, shape, values_of(images));
}

}  // namespace subspace::neural
