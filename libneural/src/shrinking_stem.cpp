// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "shrinking_stem.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include <subspace/core/parallel.h>

#include "norm_relu.h"
#include "on_cpu.h"
#include "stem_kernels.h"

namespace subspace::neural {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Pictures whose sums are added up together: fixed, so that the sums do not depend on the number
/// of threads.
constexpr std::int64_t kChunk = 8;

StemShape shape_of(const torch::Tensor& pictures, const torch::Tensor& weight) {
  return {.channels = static_cast<int>(pictures.size(1)),
          .height = static_cast<int>(pictures.size(2)),
          .width = static_cast<int>(pictures.size(3)),
          .size = static_cast<int>(weight.size(2)),
          .filters = static_cast<int>(weight.size(0))};
}

/// body(workspace, picture, chunk) for each picture, a workspace a chunk.
template <typename Body>
void for_pictures(const torch::Tensor& pictures, const StemShape& shape, const Body& body) {
  const std::int64_t size = pictures[0].numel();
  const float* values = pictures.const_data_ptr<float>();
  const Context context = {.num_threads = at::get_num_threads()};
  for_tiles(context, pictures.size(0), kChunk, [&](const Tile& tile) {
    StemWorkspace workspace(shape);
    for (Index i = tile.begin; i < tile.end; ++i) {
      workspace.load(values + i * size);
      body(workspace, i, tile.index);
    }
  });
}

std::int64_t num_chunks(const torch::Tensor& pictures) {
  return (pictures.size(0) + kChunk - 1) / kChunk;
}

/// Sums over all places of the batch of products of two taps, T x T, and of taps, T, in double.
struct TapMoments {
  torch::Tensor products = {};
  torch::Tensor sums = {};
  double places = 0.0;
};

TapMoments tap_moments(const torch::Tensor& pictures, const StemShape& shape) {
  const std::int64_t taps = shape.taps();
  const torch::Tensor products =
      torch::zeros({num_chunks(pictures), taps, taps}, on_cpu(torch::kFloat64));
  const torch::Tensor sums = torch::zeros({num_chunks(pictures), taps}, on_cpu(torch::kFloat64));
  auto* product = products.mutable_data_ptr<double>();
  auto* sum = sums.mutable_data_ptr<double>();
  for_pictures(pictures, shape, [&](StemWorkspace& workspace, std::int64_t, std::int64_t chunk) {
    workspace.add_moments(product + chunk * taps * taps, sum + chunk * taps);
  });
  const torch::Tensor lower = sum_of_rows(products);
  return {lower + lower.tril(-1).t(), sum_of_rows(sums),
          static_cast<double>(shape.pixels()) * static_cast<double>(pictures.size(0))};
}

/// Filters as T x F, in double.
torch::Tensor as_columns(const torch::Tensor& weight) {
  return weight.contiguous().flatten(1).t().to(torch::kFloat64);
}

/// Padded with zeros to the width of the kernels, in single precision.
torch::Tensor padded(const torch::Tensor& values, const StemShape& shape) {
  return torch::constant_pad_nd(values, {0, shape.padded_filters() - shape.filters})
      .to(torch::kFloat32)
      .contiguous();
}

/// With taps x_t and filters w, y_f = sum_t w_tf x_t has over M places
///     mean_f = w_f's / M,   var_f = w_f'G w_f / M - mean_f^2,   s = sum x,  G = sum x x',
/// so that the statistics need no y.
BatchStatistics statistics(const TapMoments& moments, const torch::Tensor& columns, double eps) {
  BatchStatistics found = {.count = moments.places};
  found.mean = torch::mv(columns.t(), moments.sums) / moments.places;
  const torch::Tensor squares = (columns * torch::mm(moments.products, columns)).sum(0);
  found.variance = (squares / moments.places - found.mean.square()).clamp_min(0.0);
  found.inverse = (found.variance + eps).rsqrt();
  return found;
}

class ShrinkingStem : public torch::autograd::Function<ShrinkingStem> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& pictures,
                               const torch::Tensor& weight, const torch::Tensor& gamma,
                               const torch::Tensor& beta, const TapMoments& moments,
                               const BatchStatistics& found) {
    const StemShape shape = shape_of(pictures, weight);
    const auto [scale, shift] = scale_and_shift(found, gamma, beta);
    const torch::Tensor weights = padded(as_columns(weight), shape);
    const torch::Tensor scales = padded(scale, shape);
    const torch::Tensor shifts = padded(shift, shape);
    const std::int64_t count = pictures.size(0);
    const torch::Tensor pooled =
        torch::empty({count, shape.pooled_rows(), shape.pooled_columns(), shape.filters},
                     on_cpu(torch::kFloat32));
    const torch::Tensor winners = torch::empty(pooled.sizes(), on_cpu(torch::kUInt8));
    const auto size = static_cast<std::int64_t>(shape.pooled_pixels()) * shape.filters;
    auto* out = pooled.mutable_data_ptr<float>();
    auto* winner = winners.mutable_data_ptr<std::uint8_t>();
    const float* w = weights.const_data_ptr<float>();
    const float* a = scales.const_data_ptr<float>();
    const float* b = shifts.const_data_ptr<float>();
    for_pictures(pictures, shape, [&](StemWorkspace& workspace, std::int64_t i, std::int64_t) {
      workspace.forward(w, a, b, out + i * size, winner + i * size);
    });
    // ReLU of the kernel takes what is no number for nothing; a network that broke must be seen to.
    if (!torch::isfinite(scale + shift + weight.sum()).all().item<bool>()) {
      pooled.fill_(std::numeric_limits<float>::quiet_NaN());
    }
    context->save_for_backward({pictures, weight, gamma, winners, moments.products, moments.sums,
                                found.mean, found.inverse});
    context->saved_data["places"] = moments.places;
    return pooled.permute({0, 3, 1, 2});
  }

  /// With dz the gradient before ReLU, b_f = sum dz_f and P_tf = sum x_t dz_f over all places:
  ///     dbeta = b,   dgamma_f = (w_f'P_f - mean_f b_f) / sd_f,
  ///     dw_tf = gamma_f / sd_f (P_tf - b_f s_t / M - dgamma_f (G w_f - mean_f s)_t / (sd_f M)).
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(), "shrinking_stem: has no second derivatives");
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &pictures = saved[0], &weight = saved[1], &winners = saved[3];
    const torch::Tensor &G = saved[4], &s = saved[5], &mean = saved[6], &inverse = saved[7];
    const double places = context->saved_data["places"].toDouble();
    const auto [P, b] = correlate(pictures, winners, gradients[0], shape_of(pictures, weight));
    const torch::Tensor columns = as_columns(weight);
    const torch::Tensor dgamma = ((columns * P).sum(0) - mean * b) * inverse;
    const torch::Tensor centred = torch::mm(G, columns) - torch::outer(s, mean);
    const torch::Tensor dw =
        (P - torch::outer(s, b) / places - centred * (dgamma * inverse / places)) *
        (saved[2].to(torch::kFloat64) * inverse);
    return {torch::Tensor(),
            dw.t().reshape(weight.sizes()).to(torch::kFloat32),
            dgamma.to(torch::kFloat32),
            b.to(torch::kFloat32),
            torch::Tensor(),
            torch::Tensor()};
  }

 private:
  /// P (T x F) and b (F), in double.
  static std::pair<torch::Tensor, torch::Tensor> correlate(const torch::Tensor& pictures,
                                                           const torch::Tensor& winners,
                                                           const torch::Tensor& gradient,
                                                           const StemShape& shape) {
    const torch::Tensor by_pixel = gradient.permute({0, 2, 3, 1}).contiguous();
    const std::int64_t chunks = num_chunks(pictures);
    const std::int64_t filters = shape.padded_filters();
    const torch::Tensor products =
        torch::zeros({chunks, shape.taps(), filters}, on_cpu(torch::kFloat32));
    const torch::Tensor sums = torch::zeros({chunks, filters}, on_cpu(torch::kFloat64));
    const auto size = static_cast<std::int64_t>(shape.pooled_pixels()) * shape.filters;
    const float* dz = by_pixel.const_data_ptr<float>();
    const auto* winner = winners.const_data_ptr<std::uint8_t>();
    auto* product = products.mutable_data_ptr<float>();
    auto* sum = sums.mutable_data_ptr<double>();
    for_pictures(
        pictures, shape, [&](StemWorkspace& workspace, std::int64_t i, std::int64_t chunk) {
          workspace.add_gradients(dz + i * size, winner + i * size,
                                  product + chunk * shape.taps() * filters, sum + chunk * filters);
        });
    return {sum_of_rows(products).narrow(1, 0, shape.filters),
            sum_of_rows(sums).narrow(0, 0, shape.filters)};
  }
};

}  // namespace

bool fits_shrinking_stem(const torch::Tensor& pictures, const torch::nn::Conv2dImpl& convolution,
                         const torch::nn::BatchNorm2dImpl& norm) {
  const torch::Tensor& weight = convolution.weight;
  const std::int64_t size = weight.size(2);
  const auto& options = convolution.options;
  const auto* padding = std::get_if<torch::ExpandingArray<2>>(&options.padding());
  const auto all = [](const torch::ExpandingArray<2>& pair, std::int64_t value) {
    return pair->at(0) == value && pair->at(1) == value;
  };
  const bool shrinks = size % 2 == 1 && weight.size(3) == size && all(options.stride(), 2) &&
                       all(options.dilation(), 1) && options.groups() == 1 && !options.bias() &&
                       padding != nullptr && all(*padding, size / 2);
  return shrinks && trains_plainly(norm) && pictures.is_cpu() &&
         pictures.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
         !pictures.requires_grad() && pictures.size(0) > 0;
}

torch::Tensor shrinking_stem(const torch::Tensor& pictures, torch::nn::Conv2dImpl& convolution,
                             torch::nn::BatchNorm2dImpl& norm) {
  const torch::Tensor whole = pictures.contiguous();
  const StemShape shape = shape_of(whole, convolution.weight);
  TapMoments moments;
  BatchStatistics found;
  {
    const torch::NoGradGuard no_graph;
    moments = tap_moments(whole, shape);
    found = statistics(moments, as_columns(convolution.weight), norm.options.eps());
    move_running_statistics(found, norm);
  }
  return ShrinkingStem::apply(whole, convolution.weight, norm.weight, norm.bias, moments, found);
}

}  // namespace subspace::neural
