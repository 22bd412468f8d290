// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/resample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/text.h"

namespace subspace::datasets {
namespace {

constexpr int kLongestSide = ImageShape::kLongestSide;

/// value / 255, the division done once for each of the 256 values.
const std::array<double, 256>& unit_values() {
  static const auto table = [] {
    std::array<double, 256> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 255.0;
    return values;
  }();
  return table;
}

/// The sum of the channels first .. first + count - 1.
std::vector<int> sum_planes(std::span<const std::uint8_t> values, const ImageShape& shape,
                            int first, int count) {
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  std::vector<int> sum(pixels, 0);
  for (int c = first; c < first + count; ++c) {
    const auto plane = values.subspan(static_cast<std::size_t>(c) * pixels, pixels);
    for (std::size_t p = 0; p < pixels; ++p) sum[p] += plane[p];
  }
  return sum;
}

}  // namespace

Resampler::Resampler(const std::string& origin, const ImageShape& stored,
                     const LoadOptions& options)
    : stored_(stored), shape_(stored) {
  const auto is_side = [](int side) { return side >= 1 && side <= kLongestSide; };
  if (!is_side(stored.height) || !is_side(stored.width)) {
    throw_io_error(origin, ": pictures of ", stored.height, " x ", stored.width,
                   ", expected sides of 1 to ", kLongestSide, " pixels");
  }
  if (!options.color) shape_.channels = 1;
  if (options.image_size) {
    shape_.height = options.image_size->height;
    shape_.width = options.image_size->width;
  }
  if (!is_side(shape_.height) || !is_side(shape_.width)) {
    throw InvalidArgument(message("image_size = ", shape_.height, "x", shape_.width,
                                  ", must have sides of 1 to ", kLongestSide));
  }
  by_blocks_ = stored.height % shape_.height == 0 && stored.width % shape_.width == 0;
  if (by_blocks_) return;
  rows_ = triangle(stored.height, shape_.height);
  columns_ = triangle(stored.width, shape_.width);
}

/// Output i looks at input (i + 1/2) * scale; pixels are taken at their centres j + 1/2.
Resampler::Filter Resampler::triangle(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(scale, 1.0);
  Filter filter;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(std::floor(centre - reach)));
    const int last = std::min(from - 1, static_cast<int>(std::ceil(centre + reach)));
    std::vector<double> weights;
    double sum = 0.0;
    for (int j = first; j <= last; ++j) {
      weights.push_back(std::max(0.0, 1.0 - std::abs(j + 0.5 - centre) / reach));
      sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    filter.first.push_back(first);
    filter.weights.push_back(std::move(weights));
  }
  return filter;
}

/// Sums are whole numbers, so that each mean is rounded once.
void Resampler::block_means(const std::vector<int>& plane, double divisor, double* out) const {
  const int block_height = stored_.height / shape_.height;
  const int block_width = stored_.width / shape_.width;
  divisor *= static_cast<double>(block_height) * block_width;
  for (int y = 0; y < shape_.height; ++y) {
    for (int x = 0; x < shape_.width; ++x) {
      std::int64_t sum = 0;
      for (int i = 0; i < block_height; ++i) {
        const Index row = Index{y} * block_height + i;
        const int* in = plane.data() + row * stored_.width + Index{x} * block_width;
        for (int j = 0; j < block_width; ++j) sum += in[j];
      }
      *out++ = static_cast<double>(sum) / divisor;
    }
  }
}

void Resampler::filtered(const std::vector<int>& plane, double divisor, double* out) const {
  std::vector<double> narrow(static_cast<std::size_t>(Index{stored_.height} * shape_.width));
  for (Index y = 0; y < stored_.height; ++y) {
    for (Index x = 0; x < shape_.width; ++x) {
      const auto& weights = columns_.weights[static_cast<std::size_t>(x)];
      const int* in =
          plane.data() + y * stored_.width + columns_.first[static_cast<std::size_t>(x)];
      double sum = 0.0;
      for (std::size_t tap = 0; tap < weights.size(); ++tap) sum += weights[tap] * in[tap];
      narrow[static_cast<std::size_t>(y * shape_.width + x)] = sum;
    }
  }
  for (Index y = 0; y < shape_.height; ++y) {
    const auto& weights = rows_.weights[static_cast<std::size_t>(y)];
    const double* in = narrow.data() + rows_.first[static_cast<std::size_t>(y)] * shape_.width;
    for (Index x = 0; x < shape_.width; ++x) {
      double sum = 0.0;
      for (std::size_t tap = 0; tap < weights.size(); ++tap) {
        sum += weights[tap] * in[static_cast<Index>(tap) * shape_.width + x];
      }
      *out++ = sum / divisor;
    }
  }
}

std::uint64_t Resampler::working_bytes() const {
  if (stored_ == shape_) return 0;
  const Index plane = stored_.num_pixels() * Index{sizeof(int)};
  const Index narrow =
      by_blocks_ ? 0 : Index{stored_.height} * shape_.width * Index{sizeof(double)};
  return static_cast<std::uint64_t>(plane + narrow);
}

void Resampler::apply(std::span<const std::uint8_t> values, double* out) const {
  if (stored_ == shape_) {
    const auto& table = unit_values();
    for (const std::uint8_t value : values) *out++ = table[value];
    return;
  }
  const int merged = stored_.channels / shape_.channels;
  for (int c = 0; c < shape_.channels; ++c) {
    const auto plane = sum_planes(values, stored_, c * merged, merged);
    const double divisor = 255.0 * merged;
    by_blocks_ ? block_means(plane, divisor, out) : filtered(plane, divisor, out);
    out += shape_.num_pixels();
  }
}

}  // namespace subspace::datasets
