// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace::datasets {

/// How the features of one sample make a picture: channel after channel, each row by row from the
/// top left, as LibTorch and the CIFAR files have it. Feature (c, y, x) is number
/// (c * height + y) * width + x.
struct ImageShape {
  static constexpr int kLongestSide = 1 << 15;  ///< larger ones are no pictures

  int channels = 1;  ///< 1: grey, 3: red, green, blue
  int height = 0;
  int width = 0;

  Index num_pixels() const { return Index{height} * width; }
  Index num_values() const { return channels * num_pixels(); }
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

/// Equally large 8-bit pictures, one after another, each in the order of ImageShape.
struct ImageStack {
  ImageShape shape = {};
  Index count = 0;
  std::vector<std::uint8_t> values = {};  ///< count * shape.num_values()

  std::span<const std::uint8_t> image(Index i) const {
    return std::span(values).subspan(static_cast<std::size_t>(i * shape.num_values()),
                                     static_cast<std::size_t>(shape.num_values()));
  }
  std::span<std::uint8_t> image(Index i) {
    return std::span(values).subspan(static_cast<std::size_t>(i * shape.num_values()),
                                     static_cast<std::size_t>(shape.num_values()));
  }
};

/// D x N points with values in [0, 1]: pixel / 255.
SUBSPACE_API Matrix to_points(const ImageStack& images);

/// SHA-256 of the pixels in the order above, without a header.
SUBSPACE_API std::string pixel_sha256(const ImageStack& images);

/// The bytes of an 8-bit grey or RGB .png of one picture. Throws InvalidArgument for other channels
/// than 1 or 3 and for values that do not fit the shape.
SUBSPACE_API std::string encode_png(const ImageShape& shape, std::span<const std::uint8_t> values);

/// Writes one picture as an 8-bit grey or RGB .png. The file appears whole or not at all.
SUBSPACE_API void save_png(const std::filesystem::path& path, const ImageShape& shape,
                           std::span<const std::uint8_t> values);

/// Pictures of points, one a column, none side longer than `longest_side`: larger ones are shrunk
/// and keep their proportions, by the mean of blocks where these fit, else by a filter as wide as
/// the change of scale. Values in [0, 1] become 0 to 255; others, whatever their range over all
/// points, are stretched to it (all equal: a middle grey). Throws InvalidArgument for a shape that
/// has not as many values as the points or other channels than 1 or 3.
SUBSPACE_API ImageStack small_images(const ConstMatrixRef& points, const ImageShape& shape,
                                     int longest_side);

/// Writes pictures as a .npy of uint8 and shape (N, C, H, W).
SUBSPACE_API void save_images(const std::filesystem::path& path, const ImageStack& images);

/// All pictures on one sheet, `columns` a row, `gap` grey pixels between them.
SUBSPACE_API ImageStack contact_sheet(const ImageStack& images, int columns, int gap = 2);

}  // namespace subspace::datasets
