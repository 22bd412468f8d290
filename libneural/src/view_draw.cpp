// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "view_draw.h"

#include <algorithm>
#include <cmath>

#include "view_stream.h"

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

double draw_between(RandomStream& random, double least, double most) {
  return least + (most - least) * random.uniform();
}

double draw_factor(RandomStream& random, double spread) {
  return draw_between(random, std::max(0.0, 1.0 - spread), 1.0 + spread);
}

bool draw_whether(RandomStream& random, double probability) {
  return random.uniform() < probability;
}

/// Half to even, as Python rounds.
int rounded(double value) { return static_cast<int>(std::nearbyint(value)); }

/// The largest box about the centre whose ratio of sides is allowed.
CropBox central_box(double aspect, const ImageShape& shape) {
  CropBox box = {.height = shape.height, .width = shape.width};
  const double ratio = static_cast<double>(shape.width) / shape.height;
  if (ratio < 1.0 / aspect) box.height = rounded(shape.width * aspect);
  if (ratio > aspect) box.width = rounded(shape.height * aspect);
  box.top = (shape.height - box.height) / 2;
  box.left = (shape.width - box.width) / 2;
  return box;
}

/// As torchvision's RandomResizedCrop: ten tries of an area and a ratio of the sides for a box that
/// fits, then the central one.
CropBox draw_box(RandomStream& random, const AugmentationOptions& options,
                 const ImageShape& shape) {
  const double whole = static_cast<double>(shape.height) * shape.width;
  const double widest = std::log(options.crop_aspect);
  const auto place = [&](int room) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(room) + 1));
  };
  for (int tries = 0; tries < 10; ++tries) {
    const double area = whole * draw_between(random, options.crop_least, options.crop_most);
    const double ratio = std::exp(draw_between(random, -widest, widest));
    const int width = rounded(std::sqrt(area * ratio));
    const int height = rounded(std::sqrt(area / ratio));
    if (0 < width && width <= shape.width && 0 < height && height <= shape.height) {
      const int top = place(shape.height - height);
      return {top, place(shape.width - width), height, width};
    }
  }
  return central_box(options.crop_aspect, shape);
}

/// What came later has numbers of its own, those of the COIL policy stay what they were. The crop
/// draws a varying number of them and is last.
void draw_later(RandomStream random, const AugmentationOptions& options, const ImageShape& shape,
                ViewDraw& draw) {
  draw.jitter = draw_whether(random, options.jitter);
  draw.saturation = draw_factor(random, options.saturation);
  draw.hue = draw_between(random, -options.hue, options.hue);
  draw.grey = draw_whether(random, options.grey);
  draw.blur = draw_whether(random, options.blur);
  draw.blur_deviation = draw_between(random, options.blur_least, options.blur_most);
  draw.blur_size = num_taps(options, shape);
  draw.solarise = draw_whether(random, options.solarise);
  draw.noise = options.noise;
  draw.noise_seed = random();
  draw.noise_seed = (draw.noise_seed << 32) | random();
  draw.crop = draw_whether(random, options.crop);
  draw.saturation_place = static_cast<int>(random.below(3));
  draw.hue_place = static_cast<int>(random.below(4));
  if (draw.crop) draw.box = draw_box(random, options, shape);
}

}  // namespace

RandomStream stream_of(const ViewKey& key, std::uint32_t image, Lane lane) {
  return detail::view_stream(key, Stream::kAugmentation, image, static_cast<std::uint32_t>(lane));
}

int num_taps(const AugmentationOptions& options, const ImageShape& shape) {
  if (options.blur_size > 0) return options.blur_size;
  return 2 * std::max(1, std::min(shape.height, shape.width) / 20) + 1;
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
  RandomStream random = stream_of(key, image, Lane::kFirst);
  ViewDraw draw;
  draw.flip = draw_whether(random, options.flip);
  draw.perspective = draw_whether(random, options.perspective);
  draw.brightness = draw_factor(random, options.brightness);
  draw.contrast = draw_factor(random, options.contrast);
  draw.contrast_first = random.below(2) == 1;
  draw.corners = draw_corners(random, options.distortion_scale, shape);
  draw_later(stream_of(key, image, Lane::kLater), options, shape, draw);
  return draw;
}

}  // namespace subspace::neural
