// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include "picture_operations.h"

namespace subspace::neural {
namespace {

std::size_t plane_size(const ImageShape& shape) {
  return static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
}

/// Between two neighbours: the first, and the share of the second.
struct Between {
  int first = 0;
  float share = 0.0F;
};

/// Where place `i` of `size` lies among the centres of `part` pixels stretched to that size; the
/// outermost stand for what is beyond them.
Between stretched(int i, int part, int size) {
  const double at = std::clamp((i + 0.5) * part / size - 0.5, 0.0, part - 1.0);
  const int first = std::min(static_cast<int>(at), std::max(0, part - 2));
  return {first, static_cast<float>(at - first)};
}

/// Stretches the rows of the box, one after the other, to the full width.
void stretch_rows(const CropBox& box, int width, const float* in, float* out,
                  PictureWorkspace& work) {
  const std::ptrdiff_t right = box.width > 1 ? 1 : 0;
  for (int row = 0; row < box.height; ++row, out += width) {
    const float* from = in + std::ptrdiff_t{box.top + row} * width + box.left;
    for (int x = 0; x < width; ++x) {
      const float* tap = from + work.at[static_cast<std::size_t>(x)];
      const float share = work.weight[static_cast<std::size_t>(x)];
      out[x] = (1.0F - share) * tap[0] + share * tap[right];
    }
  }
}

void blend_rows(float share, int width, const float* upper, const float* lower, float* out) {
  for (int x = 0; x < width; ++x) out[x] = (1.0F - share) * upper[x] + share * lower[x];
}

/// Mirrored about the outermost pixels, which are not repeated.
int reflected(int i, int size) {
  if (i < 0) return -i;
  return i < size ? i : 2 * (size - 1) - i;
}

void gaussian(double deviation, int num_taps, std::vector<float>& kernel) {
  const int radius = num_taps / 2;
  const auto density = [&](int i) { return std::exp(-0.5 * (i / deviation) * (i / deviation)); };
  double sum = 0.0;
  for (int i = -radius; i <= radius; ++i) sum += density(i);
  kernel.clear();
  for (int i = -radius; i <= radius; ++i) kernel.push_back(static_cast<float>(density(i) / sum));
}

void add_scaled(float scale, int width, const float* in, float* out) {
  for (int x = 0; x < width; ++x) out[x] += scale * in[x];
}

/// Down the columns, from `in` to `out`.
void blur_columns(const ImageShape& shape, const std::vector<float>& kernel, const float* in,
                  float* out) {
  const int radius = static_cast<int>(kernel.size()) / 2;
  for (int y = 0; y < shape.height; ++y, out += shape.width) {
    std::fill_n(out, shape.width, 0.0F);
    for (int k = -radius; k <= radius; ++k) {
      add_scaled(kernel[static_cast<std::size_t>(k + radius)], shape.width,
                 in + std::ptrdiff_t{reflected(y + k, shape.height)} * shape.width, out);
    }
  }
}

/// Along the rows, in place, through a row with its borders.
void blur_rows(const ImageShape& shape, const std::vector<float>& kernel, float* image,
               std::vector<float>& bordered) {
  const int radius = static_cast<int>(kernel.size()) / 2;
  bordered.resize(static_cast<std::size_t>(shape.width + 2 * radius));
  for (int y = 0; y < shape.height; ++y, image += shape.width) {
    for (int x = -radius; x < shape.width + radius; ++x) {
      bordered[static_cast<std::size_t>(x + radius)] = image[reflected(x, shape.width)];
    }
    std::fill_n(image, shape.width, 0.0F);
    for (std::size_t k = 0; k < kernel.size(); ++k) {
      add_scaled(kernel[k], shape.width, bordered.data() + k, image);
    }
  }
}

/// Where one output pixel comes from: four neighbours and their weights.
struct Source {
  std::array<std::ptrdiff_t, 4> at = {};
  std::array<float, 4> weight = {};
};

/// floor() for values above -1, without a call.
int floor_above_minus_one(double value) { return static_cast<int>(value) - (value < 0.0 ? 1 : 0); }

/// Bilinear weights at (x, y), measured from the top left corner of the top left pixel; all zero
/// outside the picture. Inside, beyond the outermost centres, the border pixel stands for the
/// missing neighbour.
Source source_at(const ImageShape& shape, double x, double y) {
  if (!(x >= 0.0 && x < shape.width && y >= 0.0 && y < shape.height)) return {};
  const int left = floor_above_minus_one(x - 0.5);
  const int top = floor_above_minus_one(y - 0.5);
  const auto fx = static_cast<float>(x - 0.5 - left);
  const auto fy = static_cast<float>(y - 0.5 - top);
  const int first = std::max(left, 0);
  const int second = std::min(left + 1, shape.width - 1);
  const std::ptrdiff_t upper = std::ptrdiff_t{std::max(top, 0)} * shape.width;
  const std::ptrdiff_t lower = std::ptrdiff_t{std::min(top + 1, shape.height - 1)} * shape.width;
  return {{upper + first, upper + second, lower + first, lower + second},
          {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy}};
}

float sample(const Source& source, const float* in) {
  return source.weight[0] * in[source.at[0]] + source.weight[1] * in[source.at[1]] +
         source.weight[2] * in[source.at[2]] + source.weight[3] * in[source.at[3]];
}

/// Where the pixels of row `y` come from.
void trace_row(const std::array<double, 8>& coefficients, double y, std::vector<double>& xs,
               std::vector<double>& ys) {
  const auto [a, b, c, d, e, f, g, h] = coefficients;
  for (std::size_t column = 0; column < xs.size(); ++column) {
    const double x = static_cast<double>(static_cast<int>(column)) + 0.5;
    const double depth = g * x + h * y + 1.0;
    xs[column] = (a * x + b * y + c) / depth;
    ys[column] = (d * x + e * y + f) / depth;
  }
}

}  // namespace

void flip_rows(const ImageShape& shape, std::span<float> image) {
  for (auto row = image.begin(); row != image.end(); row += shape.width) {
    std::reverse(row, row + shape.width);
  }
}

void resize_crop(const CropBox& box, const ImageShape& shape, std::span<const float> image,
                 std::span<float> view, PictureWorkspace& work) {
  const int width = shape.width;
  const std::size_t plane = plane_size(shape);
  work.rows.resize(plane);
  work.at.resize(static_cast<std::size_t>(width));
  work.weight.resize(static_cast<std::size_t>(width));
  for (int x = 0; x < width; ++x) {
    const Between between = stretched(x, box.width, width);
    work.at[static_cast<std::size_t>(x)] = between.first;
    work.weight[static_cast<std::size_t>(x)] = between.share;
  }
  const std::ptrdiff_t below = box.height > 1 ? width : 0;
  for (std::size_t channel = 0; channel < image.size(); channel += plane) {
    stretch_rows(box, width, image.data() + channel, work.rows.data(), work);
    for (int y = 0; y < shape.height; ++y) {
      const Between between = stretched(y, box.height, shape.height);
      const float* upper = work.rows.data() + std::ptrdiff_t{between.first} * width;
      blend_rows(between.share, width, upper, upper + below,
                 view.data() + channel + std::ptrdiff_t{y} * width);
    }
  }
}

void warp(const Corners& corners, const ImageShape& shape, std::span<const float> image,
          std::span<float> view, PictureWorkspace& work) {
  const std::array<double, 8> coefficients = homography(corners, resting_corners(shape));
  const std::size_t plane = plane_size(shape);
  const auto width = static_cast<std::size_t>(shape.width);
  work.x.resize(width);
  work.y.resize(width);
  for (std::size_t row = 0; row < plane; row += width) {
    trace_row(coefficients, static_cast<double>(row / width) + 0.5, work.x, work.y);
    for (std::size_t x = 0; x < width; ++x) {
      const Source source = source_at(shape, work.x[x], work.y[x]);
      for (std::size_t channel = 0; channel < image.size(); channel += plane) {
        view[channel + row + x] = sample(source, image.data() + channel);
      }
    }
  }
}

void blur(double deviation, int num_taps, const ImageShape& shape, std::span<float> image,
          PictureWorkspace& work) {
  gaussian(deviation, num_taps, work.weight);
  const std::size_t plane = plane_size(shape);
  work.copy.resize(plane);
  for (std::size_t channel = 0; channel < image.size(); channel += plane) {
    float* values = image.data() + channel;
    std::copy_n(values, plane, work.copy.data());
    blur_columns(shape, work.weight, work.copy.data(), values);
    blur_rows(shape, work.weight, values, work.rows);
  }
}

}  // namespace subspace::neural
