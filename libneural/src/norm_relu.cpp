// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_relu.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>
#include <optional>

#include <subspace/core/parallel.h>

#include "norm_kernels.h"
#include "on_cpu.h"

namespace subspace::neural {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kTogether = torch::MemoryFormat::ChannelsLast;

/// Pixels whose sums are added up together: fixed, so that sums do not depend on the number of
/// threads.
constexpr std::int64_t kChunk = 512;

/// The pixels of all pictures, and how many values each has.
struct Plane {
  std::int64_t pixels = 0;
  std::int64_t channels = 0;
  explicit Plane(const torch::Tensor& x)
      : pixels(x.size(0) * x.size(2) * x.size(3)), channels(x.size(1)) {}
  std::int64_t chunks() const { return (pixels + kChunk - 1) / kChunk; }
};

/// body(chunk, first value, pixels)
template <typename Body>
void for_chunks(const Plane& plane, const Body& body) {
  // at::parallel_for() is a plain loop in files that are compiled without OpenMP.
  for_tiles({.num_threads = at::get_num_threads()}, plane.pixels, kChunk,
            [&](const Tile& tile) { body(tile.index, tile.begin * plane.channels, tile.size()); });
}

/// One row of sums a chunk.
class ChunkSums {
 public:
  explicit ChunkSums(const Plane& plane)
      : rows_(torch::zeros({plane.chunks(), plane.channels}, on_cpu(torch::kFloat32))),
        data_(rows_.mutable_data_ptr<float>()),
        channels_(plane.channels) {}
  float* row(std::int64_t chunk) const { return data_ + chunk * channels_; }
  torch::Tensor total() const { return sum_of_rows(rows_); }

 private:
  torch::Tensor rows_;
  float* data_;
  std::int64_t channels_;
};

torch::Tensor single(const torch::Tensor& values) {
  return values.to(torch::kFloat32).contiguous();
}

const float* read(const torch::Tensor& tensor) { return tensor.const_data_ptr<float>(); }

/// Calls body(value) with a value of the type that the planes of x are stored as.
template <typename Body>
void with_type_of(const torch::Tensor& x, const Body& body) {
  if (x.scalar_type() == torch::kBFloat16) {
    body(BFloat16{});
  } else {
    body(float{});
  }
}

template <typename T>
const T* read_as(T, const torch::Tensor& planes) {
  return static_cast<const T*>(planes.const_data_ptr());
}

template <typename T>
T* write_as(T, const torch::Tensor& planes) {
  return static_cast<T*>(planes.mutable_data_ptr());
}

/// A value near the mean of each channel, from the first pixels: sums of squares around it keep
/// their digits in single precision.
torch::Tensor near_mean(const torch::Tensor& x) {
  const Plane plane(x);
  const std::int64_t pixels = std::min(kChunk, plane.pixels);
  const torch::Tensor zero = torch::zeros({plane.channels}, on_cpu(torch::kFloat32));
  const torch::Tensor sums = torch::zeros({plane.channels}, on_cpu(torch::kFloat32));
  const torch::Tensor squares = torch::zeros({plane.channels}, on_cpu(torch::kFloat32));
  with_type_of(x, [&](auto type) {
    add_channel_moments(read_as(type, x), pixels, plane.channels, read(zero),
                        sums.mutable_data_ptr<float>(), squares.mutable_data_ptr<float>());
  });
  return sums / static_cast<double>(pixels);
}

BatchStatistics statistics(const torch::Tensor& x, double eps) {
  const Plane plane(x);
  const torch::Tensor shift = near_mean(x);
  const ChunkSums sums(plane);
  const ChunkSums squares(plane);
  const float* around = read(shift);
  with_type_of(x, [&](auto type) {
    const auto* values = read_as(type, x);
    for_chunks(plane, [&](std::int64_t chunk, std::int64_t first, std::int64_t pixels) {
      add_channel_moments(values + first, pixels, plane.channels, around, sums.row(chunk),
                          squares.row(chunk));
    });
  });
  BatchStatistics found = {.count = static_cast<double>(plane.pixels)};
  const torch::Tensor offset = sums.total() / found.count;
  found.mean = shift.to(torch::kFloat64) + offset;
  found.variance = (squares.total() / found.count - offset.square()).clamp_min(0.0);
  found.inverse = (found.variance + eps).rsqrt();
  return found;
}

class NormRelu : public torch::autograd::Function<NormRelu> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& gamma, const torch::Tensor& beta,
                               const std::optional<torch::Tensor>& added,
                               const BatchStatistics& found) {
    const Plane plane(x);
    const auto [scale, shift] = scale_and_shift(found, gamma, beta);
    const torch::Tensor out = torch::empty_like(x, kTogether);
    const float *a = read(scale), *b = read(shift);
    with_type_of(x, [&](auto type) {
      auto* result = write_as(type, out);
      const auto* values = read_as(type, x);
      const auto* more = added ? read_as(type, *added) : nullptr;
      for_chunks(plane, [&](std::int64_t, std::int64_t first, std::int64_t pixels) {
        normalise_and_cut(values + first, more == nullptr ? nullptr : more + first, pixels,
                          plane.channels, a, b, result + first);
      });
    });
    context->save_for_backward({x, gamma, out, found.mean, found.inverse});
    context->saved_data["added"] = added.has_value();
    return out;
  }

  /// With g the gradient that ReLU lets pass, over M pixels, and xhat = (x - mean) / sd:
  ///     dbeta = sum g,   dgamma = sum g xhat,
  ///     dx = gamma / sd (g - dbeta / M - xhat dgamma / M),   dadded = g.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(), "norm_relu: has no second derivatives");
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &out = saved[2], &mean = saved[3], &inverse = saved[4];
    const Plane plane(x);
    const torch::Tensor gradient = gradients[0].contiguous(kTogether);
    const torch::Tensor cut = torch::empty_like(x, kTogether);
    const ChunkSums sums(plane);
    const ChunkSums products(plane);
    const torch::Tensor center = single(mean);
    const float* around = read(center);
    with_type_of(x, [&](auto type) {
      const auto *g = read_as(type, gradient), *y = read_as(type, out), *values = read_as(type, x);
      auto* passed = write_as(type, cut);
      for_chunks(plane, [&](std::int64_t chunk, std::int64_t first, std::int64_t pixels) {
        cut_gradient(g + first, y + first, values + first, pixels, plane.channels, around,
                     passed + first, sums.row(chunk), products.row(chunk));
      });
    });
    const torch::Tensor dbeta = sums.total();
    const torch::Tensor dgamma = products.total() * inverse;
    const bool has_added = context->saved_data["added"].toBool();
    const torch::Tensor dx = has_added ? torch::empty_like(x, kTogether) : cut;
    combine(plane, cut, x, saved[1].to(torch::kFloat64) * inverse, dbeta, dgamma * inverse, mean,
            dx);
    return {dx, dgamma.to(torch::kFloat32), dbeta.to(torch::kFloat32),
            has_added ? cut : torch::Tensor(), torch::Tensor()};
  }

 private:
  static void combine(const Plane& plane, const torch::Tensor& cut, const torch::Tensor& x,
                      const torch::Tensor& factor, const torch::Tensor& dbeta,
                      const torch::Tensor& slope, const torch::Tensor& mean,
                      const torch::Tensor& dx) {
    const auto count = static_cast<double>(plane.pixels);
    const torch::Tensor of_cut = single(factor);
    const torch::Tensor of_x = single(-factor * slope / count);
    const torch::Tensor constant = single(factor * (slope * mean - dbeta) / count);
    const float *a = read(of_cut), *b = read(of_x), *c = read(constant);
    with_type_of(x, [&](auto type) {
      const auto *g = read_as(type, cut), *values = read_as(type, x);
      auto* result = write_as(type, dx);
      for_chunks(plane, [&](std::int64_t, std::int64_t first, std::int64_t pixels) {
        combine_gradient(g + first, values + first, pixels, plane.channels, a, b, c,
                         result + first);
      });
    });
  }
};

bool is_plain(const torch::Tensor& x) {
  const bool known = x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16;
  return known && x.is_cpu() && x.is_contiguous(kTogether) && x.numel() > 0;
}

}  // namespace

bool trains_plainly(const torch::nn::BatchNorm2dImpl& norm) {
  return norm.is_training() && norm.options.affine() && norm.options.track_running_stats() &&
         norm.options.momentum().has_value();
}

void move_running_statistics(const BatchStatistics& found, torch::nn::BatchNorm2dImpl& norm) {
  const torch::NoGradGuard no_graph;
  const double momentum = norm.options.momentum().value();
  const double unbiased = found.count / std::max(1.0, found.count - 1.0);
  norm.num_batches_tracked.add_(1);
  norm.running_mean.lerp_(found.mean.to(torch::kFloat32), momentum);
  norm.running_var.lerp_((found.variance * unbiased).to(torch::kFloat32), momentum);
}

ScaleAndShift scale_and_shift(const BatchStatistics& found, const torch::Tensor& gamma,
                              const torch::Tensor& beta) {
  const torch::Tensor scale = gamma.to(torch::kFloat64) * found.inverse;
  return {single(scale), single(beta.to(torch::kFloat64) - found.mean * scale)};
}

torch::Tensor sum_of_rows(const torch::Tensor& rows) {
  const torch::Tensor wide = rows.to(torch::kFloat64).contiguous();
  const std::int64_t size = wide.numel() / wide.size(0);
  const torch::Tensor sums = torch::zeros({size}, on_cpu(torch::kFloat64));
  auto* sum = sums.mutable_data_ptr<double>();
  const auto* row = wide.const_data_ptr<double>();
  for (std::int64_t r = 0; r < rows.size(0); ++r, row += size) {
    for (std::int64_t i = 0; i < size; ++i) sum[i] += row[i];
  }
  return sums.view(rows.sizes().slice(1));
}

torch::Tensor norm_relu(const torch::Tensor& x, torch::nn::BatchNorm2dImpl& norm,
                        const torch::Tensor& added) {
  const bool fits = !added.defined() || (is_plain(added) && added.sizes() == x.sizes() &&
                                         added.scalar_type() == x.scalar_type());
  const bool plain = trains_plainly(norm) && is_plain(x) && fits;
  if (!plain) {
    const torch::Tensor normalised = norm.forward(x);
    return added.defined() ? normalised.add(added).relu_() : normalised.relu_();
  }
  BatchStatistics found;
  {
    const torch::NoGradGuard no_graph;
    found = statistics(x, norm.options.eps());
    move_running_statistics(found, norm);
  }
  const auto more = added.defined() ? std::optional(added) : std::nullopt;
  return NormRelu::apply(x, norm.weight, norm.bias, more, found);
}

}  // namespace subspace::neural
