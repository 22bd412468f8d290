// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/augmentation.h>

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>

#include "picture_operations.h"
#include "view_draw.h"

namespace subspace::neural {
namespace {

enum class Jitter { kBrightness, kContrast, kSaturation, kHue };

/// Saturation has its place among the first two, then hue among three: with each place equally
/// likely, so are all 24 orders.
std::array<Jitter, 4> jitter_order(const ViewDraw& draw) {
  std::array<Jitter, 4> order = {Jitter::kBrightness, Jitter::kContrast, Jitter::kSaturation,
                                 Jitter::kHue};
  if (draw.contrast_first) std::swap(order[0], order[1]);
  std::rotate(order.begin() + draw.saturation_place, order.begin() + 2, order.begin() + 3);
  std::rotate(order.begin() + draw.hue_place, order.begin() + 3, order.end());
  return order;
}

void jitter(const ViewDraw& draw, const ImageShape& shape, std::span<float> view) {
  for (const Jitter operation : jitter_order(draw)) {
    switch (operation) {
      case Jitter::kBrightness:
        change_brightness(draw.brightness, view);
        break;
      case Jitter::kContrast:
        change_contrast(draw.contrast, shape, view);
        break;
      case Jitter::kSaturation:
        change_saturation(draw.saturation, shape, view);
        break;
      case Jitter::kHue:
        turn_hue(draw.hue, shape, view);
        break;
    }
  }
}

void move_pixels(const ViewDraw& draw, const ImageShape& shape, std::span<const float> image,
                 std::span<float> view, PictureWorkspace& work) {
  // The warp reads another picture than it writes.
  std::span<float> upright = view;
  if (draw.perspective) {
    work.copy.resize(view.size());
    upright = work.copy;
  }
  if (draw.crop) {
    resize_crop(draw.box, shape, image, upright, work);
  } else {
    std::ranges::copy(image, upright.begin());
  }
  if (draw.flip) flip_rows(shape, upright);
  if (draw.perspective) warp(draw.corners, shape, upright, view, work);
}

void apply(const ViewDraw& draw, const ImageShape& shape, std::span<const float> image,
           std::span<float> view, PictureWorkspace& work) {
  move_pixels(draw, shape, image, view, work);
  if (draw.jitter) jitter(draw, shape, view);
  if (draw.grey) make_grey(shape, view);
  if (draw.blur) blur(draw.blur_deviation, draw.blur_size, shape, view, work);
  if (draw.solarise) solarise(view);
  const auto stage = static_cast<std::uint32_t>(Stream::kAugmentation);
  add_noise(draw.noise, RandomStream(draw.noise_seed, stage), view);
}

void check_sizes(const char* function, const char* what, std::size_t each, std::size_t all,
                 std::span<const Index> chosen, std::size_t views) {
  if (each == 0 || all % each != 0 || views != chosen.size() * each) {
    throw DataError(message(function, ": ", all, " values and room for ", views, " do not fit ",
                            what, " of ", each));
  }
  const auto count = static_cast<Index>(all / each);
  for (const Index number : chosen) {
    if (number < 0 || number >= count) {
      throw DataError(
          message(function, ": chosen has ", number, ", must satisfy 0 <= number < ", count));
    }
  }
}

/// Calls `make` with the number of each chosen item, its values, the place of its view, and room
/// that the items of a tile share.
template <typename Make>
void for_chosen(std::size_t each, std::span<const float> all, std::span<const Index> chosen,
                std::span<float> views, const Context& context, const Make& make) {
  for_tiles(context, static_cast<Index>(chosen.size()), 16, [&](const Tile& tile) {
    PictureWorkspace work;
    for (auto i = static_cast<std::size_t>(tile.begin); i < static_cast<std::size_t>(tile.end);
         ++i) {
      const auto number = static_cast<std::size_t>(chosen[i]);
      make(static_cast<std::uint32_t>(number), all.subspan(number * each, each),
           views.subspan(i * each, each), work);
    }
  });
}

}  // namespace

void apply_view(const ViewDraw& draw, const ImageShape& shape, std::span<const float> image,
                std::span<float> view) {
  PictureWorkspace work;
  apply(draw, shape, image, view, work);
}

void augment(const AugmentationOptions& options, const ImageShape& shape, const ViewKey& key,
             std::span<const float> images, std::span<const Index> chosen, std::span<float> views,
             const Context& context) {
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  check_sizes("augment", "images", pixels, images.size(), chosen, views.size());
  check_augmentation(options, shape, "augment");
  for_chosen(pixels, images, chosen, views, context,
             [&](std::uint32_t number, std::span<const float> image, std::span<float> view,
                 PictureWorkspace& work) {
               apply(draw_view(options, shape, key, number), shape, image, view, work);
               normalise(options.normalise, shape, view);
             });
}

void augment_points(const AugmentationOptions& options, const ViewKey& key, Index dimension,
                    std::span<const float> points, std::span<const Index> chosen,
                    std::span<float> views, const Context& context) {
  const auto each = static_cast<std::size_t>(dimension);
  check_sizes("augment_points", "points", each, points.size(), chosen, views.size());
  AugmentationOptions copy = options;
  check(describe(copy), "augment_points");
  for_chosen(each, points, chosen, views, context,
             [&](std::uint32_t number, std::span<const float> point, std::span<float> view,
                 PictureWorkspace&) {
               std::ranges::copy(point, view.begin());
               add_noise(options.noise, stream_of(key, number, Lane::kPoint), view);
             });
}

}  // namespace subspace::neural
