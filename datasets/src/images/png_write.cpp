// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <png.h>

#include <stdexcept>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/datasets/image.h>

namespace subspace::datasets {
namespace {

/// From planes, as ImageShape has them, to pixels, as PNG has them.
std::vector<std::uint8_t> interleave(const ImageShape& shape,
                                     std::span<const std::uint8_t> values) {
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  const auto channels = static_cast<std::size_t>(shape.channels);
  std::vector<std::uint8_t> out(values.size());
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t p = 0; p < pixels; ++p) out[p * channels + c] = values[c * pixels + p];
  }
  return out;
}

std::string encode(const ImageShape& shape, const std::vector<std::uint8_t>& pixels) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(shape.width);
  image.height = static_cast<png_uint_32>(shape.height);
  image.format = shape.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(message("encode_png: libpng: ", image.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string encode_png(const ImageShape& shape, std::span<const std::uint8_t> values) {
  if (shape.channels != 1 && shape.channels != 3) {
    throw InvalidArgument(message("encode_png: channels = ", shape.channels, ", must be 1 or 3"));
  }
  if (shape.height < 1 || shape.width < 1 ||
      static_cast<Index>(values.size()) != shape.num_values()) {
    throw InvalidArgument(message("encode_png: ", values.size(), " values for a picture of ",
                                  shape.height, " x ", shape.width, " x ", shape.channels,
                                  ", must be as many"));
  }
  return encode(shape, interleave(shape, values));
}

void save_png(const std::filesystem::path& path, const ImageShape& shape,
              std::span<const std::uint8_t> values) {
  write_file_atomically(path, encode_png(shape, values));
}

}  // namespace subspace::datasets
