// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/stage.h"

namespace subspace::datasets::turntable {
namespace {

constexpr double kElevation = 0.055;  ///< of the camera, in turns: 20 degrees
constexpr double kHalfView = 0.13;    ///< half width of the picture at unit distance: a long lens
constexpr double kMargin = 1.05;      ///< room around the object
constexpr double kLampRadius = 0.16;  ///< of the main lamp at unit distance
constexpr Vec3 kKey = {-0.62, -0.70, 0.85};
constexpr Vec3 kFill = {0.85, -0.45, 0.35};

Vec3 turned(const Vec3& a, const SineCosine& turn) {
  return {turn.cosine * a.x + turn.sine * a.y, turn.cosine * a.y - turn.sine * a.x, a.z};
}

/// Places spread evenly over a disc, in a spiral of golden angles.
std::array<Vec3, kSamples> lamp_samples(const Vec3& key) {
  const Frame frame = frame_along(key);
  std::array<Vec3, kSamples> samples;
  for (int i = 0; i < kSamples; ++i) {
    const auto [s, c] = sine_cosine(0.381966011250105 * i);
    const double r = kLampRadius * std::sqrt((i + 0.5) / kSamples);
    samples[static_cast<std::size_t>(i)] = normalized(key + r * c * frame.u + r * s * frame.v);
  }
  return samples;
}

}  // namespace

Stage stage_at(const Extent& extent, double turns) {
  const auto [rise, run] = sine_cosine(kElevation);
  const double tall = extent.top - extent.bottom;
  const double half_width = extent.radius;
  const double half_height = 0.5 * tall * run + extent.radius * rise;
  const double half = kMargin * larger(half_width, half_height);
  // Parts nearer than the middle look larger: measure at the near side of the cylinder.
  const double distance = half / kHalfView + extent.radius;
  const Vec3 target = {0.0, 0.0, extent.bottom + 0.5 * tall};
  const Vec3 forward = {0.0, run, -rise};
  const SineCosine turn = sine_cosine(turns);
  Stage stage;
  stage.eye = turned(target - distance * forward, turn);
  stage.forward = turned(forward, turn);
  stage.right = turned({kHalfView, 0.0, 0.0}, turn);
  stage.up = turned({0.0, kHalfView * rise, kHalfView * run}, turn);
  stage.key = turned(normalized(kKey), turn);
  stage.fill = turned(normalized(kFill), turn);
  stage.key_samples = lamp_samples(stage.key);
  return stage;
}

Ray camera_ray(const Stage& stage, double x, double y) {
  return {stage.eye, normalized(stage.forward + x * stage.right - y * stage.up)};
}

Vec3 ceiling_light(const Vec3& direction) {
  const double light = 0.10 + 0.30 * clamp(direction.z, 0.0, 1.0);
  return {light, light, 1.03 * light};
}

Vec3 room_light(const Stage& stage, const Vec3& direction) {
  if (direction.z < -0.05) return kFloorLight;
  const double key = smooth_step(0.90, 0.97, dot(direction, stage.key));
  const double fill = smooth_step(0.75, 0.95, dot(direction, stage.fill));
  return ceiling_light(direction) + key * Vec3{2.6, 2.5, 2.35} + fill * Vec3{0.75, 0.8, 0.9};
}

}  // namespace subspace::datasets::turntable
