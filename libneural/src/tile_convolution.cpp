// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tile_convolution.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>
#include <variant>

#include <subspace/core/instruction_sets.h>
#include <subspace/core/parallel.h>

#include "on_cpu.h"
#include "tile_kernels.h"
#include "tile_unit.h"

namespace subspace::neural {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using Kernels = TileKernels<TileUnit>;

constexpr auto kTogether = torch::MemoryFormat::ChannelsLast;

PlaneConvolution shape_of(const torch::Tensor& planes, const torch::Tensor& weights, int stride) {
  return {.channels_in = planes.size(1),
          .channels_out = weights.size(0),
          .height = static_cast<int>(planes.size(2)),
          .width = static_cast<int>(planes.size(3)),
          .size = static_cast<int>(weights.size(2)),
          .stride = stride};
}

const BFloat16* read(const torch::Tensor& planes) {
  return static_cast<const BFloat16*>(planes.const_data_ptr());
}
BFloat16* write(const torch::Tensor& planes) {
  return static_cast<BFloat16*>(planes.mutable_data_ptr());
}

torch::Tensor empty_planes(std::int64_t pictures, std::int64_t channels, int rows, int columns) {
  return torch::empty({pictures, channels, rows, columns},
                      on_cpu(torch::kBFloat16).memory_format(kTogether));
}

/// body(first item, items)
template <typename Body>
void for_runs(std::int64_t items, std::int64_t at_once, const Body& body) {
  for_tiles({.num_threads = at::get_num_threads()}, items, at_once,
            [&](const Tile& tile) { body(tile.begin, tile.size()); });
}

torch::Tensor weights_as_they_lie(const torch::Tensor& weights) {
  return weights.detach().contiguous(kTogether);
}

torch::Tensor planes_out(const PlaneConvolution& shape, const torch::Tensor& planes,
                         const torch::Tensor& weights) {
  const torch::Tensor result =
      empty_planes(planes.size(0), shape.channels_out, shape.rows_out(), shape.columns_out());
  const TileBuffer tiles = tiles_of_weights(shape, weights.const_data_ptr<float>());
  const MeetingTable meetings = meetings_by_out(shape);
  const BFloat16* from = read(planes);
  BFloat16* to = write(result);
  for_runs(planes.size(0), kPicturesOfTile, [&](std::int64_t first, std::int64_t count) {
    Kernels::convolve_planes(shape, meetings, tiles,
                             from + first * shape.pixels_in() * shape.channels_in, count,
                             to + first * shape.pixels_out() * shape.channels_out);
  });
  return result;
}

torch::Tensor gradient_by_planes(const PlaneConvolution& shape, const torch::Tensor& gradient,
                                 const torch::Tensor& weights) {
  const torch::Tensor result =
      empty_planes(gradient.size(0), shape.channels_in, shape.height, shape.width);
  const TileBuffer tiles = tiles_of_transposed_weights(shape, weights.const_data_ptr<float>());
  const MeetingTable meetings = meetings_by_in(shape);
  const BFloat16* from = read(gradient);
  BFloat16* to = write(result);
  for_runs(gradient.size(0), kPicturesOfTile, [&](std::int64_t first, std::int64_t count) {
    Kernels::convolve_back(shape, meetings, tiles,
                           from + first * shape.pixels_out() * shape.channels_out, count,
                           to + first * shape.pixels_in() * shape.channels_in);
  });
  return result;
}

/// The sum over the first dimension, each number's in this order: ATen promises none, and the bytes
/// must not depend on the number of threads.
torch::Tensor sum_of_parts(const torch::Tensor& parts) {
  constexpr std::int64_t kAtOnce = 4096;
  const torch::Tensor result = torch::empty(parts.sizes().slice(1), on_cpu(torch::kFloat32));
  const std::int64_t numbers = result.numel();
  const float* from = parts.const_data_ptr<float>();
  float* to = result.mutable_data_ptr<float>();
  for_runs(numbers, kAtOnce, [&](std::int64_t first, std::int64_t count) {
    std::copy_n(from + first, count, to + first);
    for (std::int64_t part = 1; part < parts.size(0); ++part) {
      const float* more = from + part * numbers;
      for (std::int64_t i = first; i < first + count; ++i) to[i] += more[i];
    }
  });
  return result;
}

torch::Tensor gradient_by_weights(const PlaneConvolution& shape, const torch::Tensor& planes,
                                  const torch::Tensor& gradient) {
  const std::int64_t pictures = planes.size(0);
  const std::int64_t sums = (pictures + kPicturesOfSum - 1) / kPicturesOfSum;
  const torch::Tensor parts =
      torch::empty({sums, shape.channels_out, shape.size, shape.size, shape.channels_in},
                   on_cpu(torch::kFloat32));
  const std::int64_t numbers = parts.numel() / sums;
  float* to = parts.mutable_data_ptr<float>();
  const BFloat16 *in = read(planes), *out = read(gradient);
  const MeetingTable meetings = meetings_by_tap(shape);
  for_runs(pictures, kPicturesOfSum, [&](std::int64_t first, std::int64_t count) {
    Kernels::weight_gradient(shape, meetings, in + first * shape.pixels_in() * shape.channels_in,
                             out + first * shape.pixels_out() * shape.channels_out, count,
                             to + first / kPicturesOfSum * numbers);
  });
  return sum_of_parts(parts).permute({0, 3, 1, 2});
}

class TileConvolution : public torch::autograd::Function<TileConvolution> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& planes,
                               const torch::Tensor& weights, std::int64_t stride) {
    context->save_for_backward({planes, weights});
    context->saved_data["stride"] = stride;
    return planes_out(shape_of(planes, weights, static_cast<int>(stride)), planes,
                      weights_as_they_lie(weights));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(), "tile_convolution: has no second derivatives");
    const variable_list saved = context->get_saved_variables();
    const auto stride = static_cast<int>(context->saved_data["stride"].toInt());
    const PlaneConvolution shape = shape_of(saved[0], saved[1], stride);
    const torch::Tensor gradient = gradients[0].contiguous(kTogether);
    variable_list result(3);
    if (context->needs_input_grad(0)) {
      result[0] = gradient_by_planes(shape, gradient, weights_as_they_lie(saved[1]));
    }
    if (context->needs_input_grad(1)) {
      result[1] = gradient_by_weights(shape, saved[0], gradient);
    }
    return result;
  }
};

/// Both of two options are this number.
bool are(const torch::ExpandingArray<2>& both, std::int64_t number) {
  return both->at(0) == number && both->at(1) == number;
}

}  // namespace

bool has_form_for_tiles(const torch::Tensor& planes, const torch::nn::Conv2dImpl& layer) {
  const auto& options = layer.options;
  const std::int64_t size = options.kernel_size()->at(0);
  const auto* padding = std::get_if<torch::ExpandingArray<2>>(&options.padding());
  const bool pads_zeros = std::holds_alternative<torch::enumtype::kZeros>(options.padding_mode());
  return (size == 1 || size == 3) && are(options.kernel_size(), size) && padding != nullptr &&
         are(*padding, size / 2) && pads_zeros && are(options.stride(), options.stride()->at(0)) &&
         are(options.dilation(), 1) && options.groups() == 1 && !layer.bias.defined() &&
         planes.scalar_type() == torch::kBFloat16 && planes.is_cpu() && planes.numel() > 0 &&
         planes.is_contiguous(kTogether) && layer.weight.scalar_type() == torch::kFloat32 &&
         planes.size(1) == layer.weight.size(1);
}

bool fits_tile_convolution(const torch::Tensor& planes, const torch::nn::Conv2dImpl& layer) {
  return has_bfloat16_tiles() && has_form_for_tiles(planes, layer);
}

torch::Tensor tile_convolution(const torch::Tensor& planes, const torch::nn::Conv2dImpl& layer) {
  return TileConvolution::apply(planes, layer.weight, layer.options.stride()->at(0));
}

}  // namespace subspace::neural
