// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/augmentation.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>

namespace subspace::neural {
namespace {

/// A whole number of 0 .. floor(scale * (side / 2)), as torchvision's RandomPerspective draws it.
double draw_inset(RandomStream& random, double scale, int side) {
  const auto most = static_cast<std::uint64_t>(scale * (side / 2));
  return static_cast<double>(random.below(most + 1));
}

Corners draw_corners(RandomStream& random, double scale, const ImageShape& shape) {
  Corners corners = resting_corners(shape);
  for (Corner& corner : corners) {
    const double dx = draw_inset(random, scale, shape.width);
    const double dy = draw_inset(random, scale, shape.height);
    corner.x += corner.x == 0.0 ? dx : -dx;
    corner.y += corner.y == 0.0 ? dy : -dy;
  }
  return corners;
}

double draw_factor(RandomStream& random, double spread) {
  const double least = std::max(0.0, 1.0 - spread);
  return least + (1.0 + spread - least) * random.uniform();
}

/// The stream of one image. Counter and key of Philox have room for a seed and two numbers, so
/// seed, step and view are first mixed into a seed of their own.
RandomStream stream_of(const ViewKey& key, std::uint32_t image) {
  const auto stage = static_cast<std::uint32_t>(Stream::kAugmentation);
  const auto low = static_cast<std::uint32_t>(key.seed);
  const auto high = static_cast<std::uint32_t>(key.seed >> 32);
  const auto mixed = RandomStream::block({key.step, key.view, stage, 0}, {low, high});
  return RandomStream((std::uint64_t{mixed[1]} << 32) | mixed[0], stage, image);
}

void flip_rows(const ImageShape& shape, std::span<float> image) {
  for (auto row = image.begin(); row != image.end(); row += shape.width) {
    std::reverse(row, row + shape.width);
  }
}

/// Where one output pixel comes from: four neighbours and their weights.
struct Source {
  std::array<std::ptrdiff_t, 4> at = {};
  std::array<float, 4> weight = {};
};

/// Bilinear weights at (x, y), measured from the top left corner of the top left pixel; all zero
/// outside the picture. Inside, beyond the outermost centres, the border pixel stands for the
/// missing neighbour.
Source source_at(const ImageShape& shape, double x, double y) {
  if (!(x >= 0.0 && x < shape.width && y >= 0.0 && y < shape.height)) return {};
  const double left = std::floor(x - 0.5);
  const double top = std::floor(y - 0.5);
  const auto fx = static_cast<float>(x - 0.5 - left);
  const auto fy = static_cast<float>(y - 0.5 - top);
  const auto column = [&](double c) { return std::clamp(static_cast<int>(c), 0, shape.width - 1); };
  const auto row = [&](double r) {
    return std::ptrdiff_t{std::clamp(static_cast<int>(r), 0, shape.height - 1)} * shape.width;
  };
  return {{row(top) + column(left), row(top) + column(left + 1.0), row(top + 1.0) + column(left),
           row(top + 1.0) + column(left + 1.0)},
          {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy}};
}

void warp(const ImageShape& shape, const Corners& corners, std::span<const float> image,
          std::span<float> view) {
  const auto [a, b, c, d, e, f, g, h] = homography(corners, resting_corners(shape));
  const std::ptrdiff_t plane = std::ptrdiff_t{shape.height} * shape.width;
  for (std::ptrdiff_t pixel = 0; pixel < plane; ++pixel) {
    const double x = static_cast<double>(pixel % shape.width) + 0.5;
    const double y = static_cast<double>(pixel / shape.width) + 0.5;
    const double depth = g * x + h * y + 1.0;
    const Source source =
        source_at(shape, (a * x + b * y + c) / depth, (d * x + e * y + f) / depth);
    for (int channel = 0; channel < shape.channels; ++channel) {
      const float* in = image.data() + channel * plane;
      float sum = 0.0F;
      for (std::size_t k = 0; k < 4; ++k) sum += source.weight[k] * in[source.at[k]];
      view[static_cast<std::size_t>(channel * plane + pixel)] = sum;
    }
  }
}

void change_brightness(double factor, std::span<float> image) {
  const auto scale = static_cast<float>(factor);
  for (float& value : image) value = std::clamp(scale * value, 0.0F, 1.0F);
}

/// The mean grey of 8 bits; colour becomes grey with the weights of ITU-R 601.
float grey_mean(const ImageShape& shape, std::span<const float> image) {
  const std::size_t plane = image.size() / static_cast<std::size_t>(shape.channels);
  const std::array<double, 3> luma = {0.299, 0.587, 0.114};
  double sum = 0.0;
  for (std::size_t channel = 0; channel * plane < image.size(); ++channel) {
    const double weight = shape.channels == 3 ? luma[channel] : 1.0 / shape.channels;
    double of_channel = 0.0;
    for (const float value : image.subspan(channel * plane, plane)) of_channel += value;
    sum += weight * of_channel;
  }
  return static_cast<float>(std::floor(255.0 * sum / static_cast<double>(plane) + 0.5) / 255.0);
}

void change_contrast(double factor, const ImageShape& shape, std::span<float> image) {
  if (factor == 1.0) return;  // the pivot cancels only up to rounding
  const auto scale = static_cast<float>(factor);
  const float offset = (1.0F - scale) * grey_mean(shape, image);
  for (float& value : image) value = std::clamp(scale * value + offset, 0.0F, 1.0F);
}

void check_sizes(const ImageShape& shape, std::size_t images, std::size_t chosen,
                 std::size_t views) {
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  if (pixels == 0 || images % pixels != 0 || views != chosen * pixels) {
    throw DataError(message("augment: ", images, " values and room for ", views,
                            " do not fit images of ", pixels));
  }
}

}  // namespace

Parameters describe(AugmentationOptions& options) {
  return {
      parameter("flip", options.flip, "probability of a horizontal flip")
          .at_least(0.0)
          .at_most(1.0),
      parameter("perspective", options.perspective, "probability of a perspective")
          .at_least(0.0)
          .at_most(1.0),
      parameter("distortion_scale", options.distortion_scale,
                "farthest a corner moves inwards in the perspective, as a share of half the side")
          .at_least(0.0)
          .at_most(0.9),
      parameter("brightness", options.brightness, "spread of the brightness factor about 1")
          .at_least(0.0)
          .at_most(10.0),
      parameter("contrast", options.contrast, "spread of the contrast factor about 1")
          .at_least(0.0)
          .at_most(10.0),
  };
}

Corners resting_corners(const ImageShape& shape) {
  const double right = shape.width - 1.0;
  const double bottom = shape.height - 1.0;
  return {Corner{0.0, 0.0}, {right, 0.0}, {right, bottom}, {0.0, bottom}};
}

ViewDraw draw_view(const AugmentationOptions& options, const ImageShape& shape, const ViewKey& key,
                   std::uint32_t image) {
  // Everything is drawn whether it is used or not, so that one option does not shift another's
  // numbers.
  RandomStream random = stream_of(key, image);
  ViewDraw draw;
  draw.flip = random.uniform() < options.flip;
  draw.perspective = random.uniform() < options.perspective;
  draw.brightness = draw_factor(random, options.brightness);
  draw.contrast = draw_factor(random, options.contrast);
  draw.contrast_first = random.below(2) == 1;
  draw.corners = draw_corners(random, options.distortion_scale, shape);
  return draw;
}

void apply_view(const ViewDraw& draw, const ImageShape& shape, std::span<const float> image,
                std::span<float> view) {
  if (draw.perspective) {
    // A flip before the warp is the warp with mirrored columns; mirroring a copy is simpler.
    std::vector<float> upright(image.begin(), image.end());
    if (draw.flip) flip_rows(shape, upright);
    warp(shape, draw.corners, upright, view);
  } else {
    std::ranges::copy(image, view.begin());
    if (draw.flip) flip_rows(shape, view);
  }
  if (draw.contrast_first) change_contrast(draw.contrast, shape, view);
  change_brightness(draw.brightness, view);
  if (!draw.contrast_first) change_contrast(draw.contrast, shape, view);
}

void augment(const AugmentationOptions& options, const ImageShape& shape, const ViewKey& key,
             std::span<const float> images, std::span<const Index> chosen, std::span<float> views,
             const Context& context) {
  check_sizes(shape, images.size(), chosen.size(), views.size());
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  for_tiles(context, static_cast<Index>(chosen.size()), 16, [&](const Tile& tile) {
    for (auto i = static_cast<std::size_t>(tile.begin); i < static_cast<std::size_t>(tile.end);
         ++i) {
      const auto image = static_cast<std::size_t>(chosen[i]);
      apply_view(draw_view(options, shape, key, static_cast<std::uint32_t>(image)), shape,
                 images.subspan(image * pixels, pixels), views.subspan(i * pixels, pixels));
    }
  });
}

}  // namespace subspace::neural
