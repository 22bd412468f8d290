// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/datasets/image.h>

#include "images/resample.h"

namespace subspace::datasets {
namespace {

void check_arguments(const ConstMatrixRef& points, const ImageShape& shape, int longest_side) {
  if (shape.channels != 1 && shape.channels != 3) {
    throw InvalidArgument(message("small_images: channels = ", shape.channels, ", must be 1 or 3"));
  }
  if (shape.height < 1 || shape.width < 1 || points.rows() != shape.num_values()) {
    throw InvalidArgument(message("small_images: points of ", points.rows(),
                                  " values for pictures of ", shape.height, " x ", shape.width,
                                  " x ", shape.channels, ", must be as many"));
  }
  if (longest_side < 1) {
    throw InvalidArgument(
        message("small_images: longest_side = ", longest_side, ", must satisfy 1 <= longest_side"));
  }
}

/// The size within a square of `longest_side`, never enlarged.
ImageSize fitted_size(const ImageShape& shape, int longest_side) {
  const int longest = std::max(shape.height, shape.width);
  if (longest <= longest_side) return {shape.height, shape.width};
  const auto shrunk = [&](int side) {
    return std::max(1, static_cast<int>(std::lround(1.0 * side * longest_side / longest)));
  };
  return {shrunk(shape.height), shrunk(shape.width)};
}

std::uint8_t to_byte(double unit_value) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(unit_value, 0.0, 1.0)));
}

/// The map from values to [0, 1] that all points share.
class UnitRange {
 public:
  explicit UnitRange(const ConstMatrixRef& points) {
    if (points.size() == 0) return;
    const double low = points.minCoeff();
    const double high = points.maxCoeff();
    if (low >= 0.0 && high <= 1.0) return;
    // Halves, for the difference of two large numbers may overflow.
    low_ = low;
    half_range_ = 0.5 * high - 0.5 * low;
  }
  double operator()(double value) const {
    if (half_range_ == 0.0) return 0.5;
    return (0.5 * value - 0.5 * low_) / half_range_;
  }

 private:
  double low_ = 0.0;
  double half_range_ = 0.5;
};

}  // namespace

ImageStack small_images(const ConstMatrixRef& points, const ImageShape& shape, int longest_side) {
  check_arguments(points, shape, longest_side);
  const Resampler resampler(
      "small_images", shape,
      {.image_size = fitted_size(shape, longest_side), .color = shape.channels == 3});
  const UnitRange unit(points);
  ImageStack images = {.shape = resampler.shape(), .count = points.cols(), .values = {}};
  images.values.resize(static_cast<std::size_t>(images.count * images.shape.num_values()));
  std::vector<std::uint8_t> stored(static_cast<std::size_t>(shape.num_values()));
  std::vector<double> small(static_cast<std::size_t>(images.shape.num_values()));
  for (Index i = 0; i < images.count; ++i) {
    const auto point = points.col(i);
    std::transform(point.begin(), point.end(), stored.begin(),
                   [&unit](double value) { return to_byte(unit(value)); });
    resampler.apply(stored, small.data());
    std::transform(small.begin(), small.end(), images.image(i).begin(), to_byte);
  }
  return images;
}

}  // namespace subspace::datasets
