// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/stage.h"

namespace subspace::datasets::turntable {
namespace {

constexpr double kElevation = 0.055;  ///< of the camera, in turns: 20 degrees
constexpr double kHalfView = 0.13;    ///< half width of the picture at unit distance: a long lens
constexpr double kFill = 0.95;        ///< of the picture's width or height that the object fills
constexpr double kLampRadius = 0.16;  ///< of the main lamp at unit distance
constexpr Vec3 kKey = {-0.62, -0.70, 0.85};
constexpr Vec3 kFillLamp = {0.85, -0.45, 0.35};

Vec3 turned(const Vec3& a, const SineCosine& turn) {
  return {turn.cosine * a.x + turn.sine * a.y, turn.cosine * a.y - turn.sine * a.x, a.z};
}

SampleSets<Vec3> lamp_samples(const Vec3& key) {
  const Frame frame = frame_along(key);
  SampleSets<Vec3> samples = disc_samples();
  for (auto& set : samples) {
    for (Vec3& place : set) {
      place = normalized(key + kLampRadius * (place.x * frame.u + place.y * frame.v));
    }
  }
  return samples;
}

SampleSets<Vec3> make_disc_samples() {
  constexpr double kGolden = 0.381966011250105;  // of a turn
  SampleSets<Vec3> samples;
  for (int set = 0; set < kSets; ++set) {
    for (int i = 0; i < kSamples; ++i) {
      const auto [s, c] = sine_cosine(kGolden * i + 0.125 * set * kGolden);
      // Each ring is sampled at kSets radii; a set takes small ones here and large ones there, so
      // that all sets have about the same mean.
      const double within = ((set + 3 * i) % kSets + 0.5) / kSets;
      const double r = std::sqrt((i + within) / kSamples);
      samples[static_cast<std::size_t>(set)][static_cast<std::size_t>(i)] = {r * c, r * s, 0.0};
    }
  }
  return samples;
}

/// What the orbits cover in a picture taken from a distance, at unit distance from the eye.
struct Cover {
  double aside = 0.0;
  double low = kFar;
  double high = -kFar;
};

Cover cover_of(const std::vector<Orbit>& orbits, const Framing& framing) {
  const auto [rise, run] = sine_cosine(kElevation);
  Cover cover;
  for (const auto& [radius, above] : orbits) {
    const double height = above - framing.height;
    const double depth = framing.distance - height * rise;
    // r cos a / (d - r run sin a) is largest where it is r / sqrt(d^2 - (r run)^2).
    const double square = depth * depth - radius * run * radius * run;
    cover.aside = larger(cover.aside, radius / std::sqrt(square));
    for (const double behind : {-radius, radius}) {
      const double y = (height * run + behind * rise) / (depth + behind * run);
      cover.low = smaller(cover.low, y);
      cover.high = larger(cover.high, y);
    }
  }
  return cover;
}

}  // namespace

const SampleSets<Vec3>& disc_samples() {
  static const SampleSets<Vec3> samples = make_disc_samples();
  return samples;
}

Framing framing_of(const Object& object) {
  constexpr int kRounds = 8;  // each leaves about a tenth of the error of the one before
  const std::vector<Orbit> orbits = orbits_of(object);
  double size = 0.0;
  for (const auto& [radius, height] : orbits) size = larger(size, larger(radius, height));
  Framing framing = {2.0 * size / kHalfView, 0.5 * size};
  for (int round = 0; round < kRounds; ++round) {
    const Cover cover = cover_of(orbits, framing);
    const double half = larger(cover.aside, 0.5 * (cover.high - cover.low));
    framing.height += 0.5 * (cover.high + cover.low) * framing.distance;
    framing.distance *= half / (kFill * kHalfView);
  }
  return framing;
}

Stage stage_at(const Framing& framing, double turns) {
  const auto [rise, run] = sine_cosine(kElevation);
  const Vec3 target = {0.0, 0.0, framing.height};
  const Vec3 forward = {0.0, run, -rise};
  const SineCosine turn = sine_cosine(turns);
  Stage stage;
  stage.eye = turned(target - framing.distance * forward, turn);
  stage.forward = turned(forward, turn);
  stage.right = turned({kHalfView, 0.0, 0.0}, turn);
  stage.up = turned({0.0, kHalfView * rise, kHalfView * run}, turn);
  stage.key = turned(normalized(kKey), turn);
  stage.fill = turned(normalized(kFillLamp), turn);
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
