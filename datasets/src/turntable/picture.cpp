// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/picture.h"

#include "turntable/noise.h"

namespace subspace::datasets::turntable {
namespace {

constexpr int kBlock = 4;  ///< pixels a side that share a list of parts in sight

/// An upright rectangle of the picture, whose sides run from -1 to 1.
struct Window {
  double left = kFar;
  double right = -kFar;
  double top = kFar;
  double bottom = -kFar;

  bool meets(const Window& other) const {
    return left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom;
  }
};

/// Where a part may be seen: around the corners of the box that holds it.
Window window_of(const Part& part, const Stage& stage) {
  constexpr double kHair = 1e-6;  // rounding never hides a part
  const bool torus = part.solid == Solid::kTorus;
  const double wide = torus ? 1.0 + part.tube : 1.0;
  const Vec3 reach = part.half * Vec3{wide, wide, torus ? part.tube : 1.0};
  const double scale = 1.0 / dot(stage.right, stage.right);
  Window window;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign = {corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0};
    const Vec3 to = part.center + part.frame.out_of(sign * reach) - stage.eye;
    const double depth = dot(to, stage.forward);
    const double x = scale * dot(to, stage.right) / depth;
    const double y = -scale * dot(to, stage.up) / depth;
    window.left = smaller(window.left, x - kHair);
    window.right = larger(window.right, x + kHair);
    window.top = smaller(window.top, y - kHair);
    window.bottom = larger(window.bottom, y + kHair);
  }
  return window;
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
  std::vector<Window> windows;
  for (const Part& part : scene.object) windows.push_back(window_of(part, stage));
  const auto end_of = [size](int begin) { return begin + kBlock < size ? begin + kBlock : size; };
  const auto coordinate = [size](int pixel) { return 2.0 * pixel / size - 1.0; };
  std::vector<int> parts;
  for (int top = 0; top < size; top += kBlock) {
    for (int left = 0; left < size; left += kBlock) {
      const Window block = {coordinate(left), coordinate(end_of(left)), coordinate(top),
                            coordinate(end_of(top))};
      parts.clear();
      for (std::size_t i = 0; i < windows.size(); ++i) {
        if (windows[i].meets(block)) parts.push_back(static_cast<int>(i));
      }
      for (int y = top; y < end_of(top); ++y) {
        for (int x = left; x < end_of(left); ++x) {
          picture.set(x, y, pixel_light(scene, stage, parts, x, y, size));
        }
      }
    }
  }
}

}  // namespace subspace::datasets::turntable
