// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/datasets/image.h>
#include <subspace/datasets/sha256.h>

namespace subspace::datasets {

Matrix to_points(const ImageStack& images) {
  using Bytes = Eigen::Map<const Eigen::Array<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic>>;
  const Bytes bytes(images.values.data(), images.shape.num_values(), images.count);
  return (bytes.cast<double>() / 255.0).matrix();
}

std::string pixel_sha256(const ImageStack& images) {
  return sha256(std::as_bytes(std::span(images.values)));
}

ImageStack contact_sheet(const ImageStack& images, int columns, int gap) {
  constexpr std::uint8_t kGapGrey = 40;
  const ImageShape& tile = images.shape;
  const int rows = static_cast<int>((images.count + columns - 1) / columns);
  ImageStack sheet;
  sheet.count = 1;
  sheet.shape = {tile.channels, rows * (tile.height + gap) + gap,
                 columns * (tile.width + gap) + gap};
  sheet.values.assign(static_cast<std::size_t>(sheet.shape.num_values()), kGapGrey);
  for (Index i = 0; i < images.count; ++i) {
    const Index top = gap + i / columns * (tile.height + gap);
    const Index left = gap + i % columns * (tile.width + gap);
    for (int c = 0; c < tile.channels; ++c) {
      for (int y = 0; y < tile.height; ++y) {
        const auto row = images.image(i).subspan(
            static_cast<std::size_t>((Index{c} * tile.height + y) * tile.width),
            static_cast<std::size_t>(tile.width));
        const Index at = (Index{c} * sheet.shape.height + top + y) * sheet.shape.width + left;
        std::ranges::copy(row, sheet.values.begin() + at);
      }
    }
  }
  return sheet;
}

}  // namespace subspace::datasets
