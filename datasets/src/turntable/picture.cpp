// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/picture.h"

#include "turntable/noise.h"

namespace subspace::datasets::turntable {
namespace {

constexpr int kBlock = 8;  ///< pixels a side that share a list of parts in sight

/// Parts that some ray through the square [x0, x1] x [y0, y1] of the picture may meet.
void parts_in_sight(const Scene& scene, const Stage& stage, double x0, double x1, double y0,
                    double y1, std::vector<int>& parts) {
  const Ray middle = camera_ray(stage, 0.5 * (x0 + x1), 0.5 * (y0 + y1));
  // The tangent of the angle between the middle ray and a corner's, and a hair more.
  const Vec3 corner = camera_ray(stage, x0, y0).direction;
  const double cosine = dot(middle.direction, corner);
  const double spread = 1.001 * length(corner - cosine * middle.direction) / cosine + 1e-9;
  parts.clear();
  for (std::size_t i = 0; i < scene.bounds.size(); ++i) {
    const Vec3 to = scene.bounds[i].center - middle.origin;
    const double along = dot(to, middle.direction);
    const double aside = length(to - along * middle.direction);
    const double radius = length(scene.bounds[i].half);
    // A ball meets the cone if its centre is within radius / cos(angle) of it, sideways.
    const double reach = spread * along + radius * std::sqrt(1.0 + spread * spread);
    if (aside <= 1.001 * reach) parts.push_back(static_cast<int>(i));
  }
}

/// What the sensor takes up before it saturates.
Vec3 exposed(const Vec3& light) {
  constexpr double kExposure = 0.85;
  const auto taken = [](double a) { return clamp(kExposure * a, 0.0, 1.0); };
  return {taken(light.x), taken(light.y), taken(light.z)};
}

/// Mean light over one pixel.
Vec3 pixel_light(const Scene& scene, const Stage& stage, std::span<const int> parts, int x, int y,
                 int size) {
  const auto set = static_cast<std::size_t>(3 * x + 5 * y + x * y) % kSets;
  Vec3 sum;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double right = x + (sample + 0.5) / kSamples;
    const double down = y + (2 * sample % kSamples + 0.5) / kSamples;
    const Ray ray = camera_ray(stage, 2.0 * right / size - 1.0, 2.0 * down / size - 1.0);
    sum =
        sum + exposed(radiance(scene, stage, parts, ray, {set, static_cast<std::size_t>(sample)}));
  }
  return (1.0 / kSamples) * sum;
}

/// The camera's response, a square root, then the sensor's noise of a few levels and rounding.
int level(double light, std::uint32_t noise) {
  const double grain = static_cast<double>((noise & 255U) + ((noise >> 8) & 255U)) / 255.0 - 1.0;
  return floor_of(clamp(255.0 * std::sqrt(light) + 2.0 * grain + 0.5, 0.0, 255.0));
}

class Picture {
 public:
  Picture(int size, bool color, std::uint32_t grain, std::span<std::uint8_t> values)
      : size_(size), color_(color), grain_(grain), values_(values) {}

  void set(int x, int y, const Vec3& light) const {
    const auto at = static_cast<std::size_t>(y * size_ + x);
    const auto plane = static_cast<std::size_t>(size_ * size_);
    const auto place = static_cast<std::uint32_t>(at);
    const int red = level(light.x, hash(grain_, place, 0));
    const int green = level(light.y, hash(grain_, place, 1));
    const int blue = level(light.z, hash(grain_, place, 2));
    if (color_) {
      values_[at] = static_cast<std::uint8_t>(red);
      values_[plane + at] = static_cast<std::uint8_t>(green);
      values_[2 * plane + at] = static_cast<std::uint8_t>(blue);
    } else {
      values_[at] = static_cast<std::uint8_t>((2 * (red + green + blue) + 3) / 6);
    }
  }

 private:
  int size_;
  bool color_;
  std::uint32_t grain_;
  std::span<std::uint8_t> values_;
};

}  // namespace

void take_picture(const Scene& scene, double turns, int size, bool color, std::uint32_t grain,
                  std::span<std::uint8_t> values) {
  const Stage stage = stage_at(scene.framing, turns);
  const Picture picture(size, color, grain, values);
  const auto end_of = [size](int begin) { return begin + kBlock < size ? begin + kBlock : size; };
  const auto coordinate = [size](int pixel) { return 2.0 * pixel / size - 1.0; };
  std::vector<int> parts;
  for (int top = 0; top < size; top += kBlock) {
    for (int left = 0; left < size; left += kBlock) {
      parts_in_sight(scene, stage, coordinate(left), coordinate(end_of(left)), coordinate(top),
                     coordinate(end_of(top)), parts);
      for (int y = top; y < end_of(top); ++y) {
        for (int x = left; x < end_of(left); ++x) {
          picture.set(x, y, pixel_light(scene, stage, parts, x, y, size));
        }
      }
    }
  }
}

}  // namespace subspace::datasets::turntable
