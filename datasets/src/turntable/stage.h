// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <vector>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

/// Rays per pixel. They stand as rooks that do not attack one another, so upright and level edges
/// get kSamples shades; each has its own direction towards the lamp and its own direction of
/// ambient light, so shadows are soft.
inline constexpr int kSamples = 5;

/// Where the camera stands: it looks down a little at a point of the axis of the stage.
struct Framing {
  double distance = 1.0;
  double height = 0.0;  ///< of the point looked at
};

/// As near as can be without the object leaving the picture at any angle.
Framing framing_of(const Object& object);

/// Sets of directions to the lamp and to the room, from which the pixels choose in turn. Neighbours
/// that differ a little look like grain; the same set everywhere would show bands.
inline constexpr int kSets = 8;
template <typename T>
using SampleSets = std::array<std::array<T, kSamples>, kSets>;

/// Places spread evenly over the unit disc, each set turned against the one before.
const SampleSets<Vec3>& disc_samples();

/// Camera and lamps, which stand still in the room, as seen from an object turned with the stage.
struct Stage {
  Vec3 eye = {};
  Vec3 right = {};    ///< of the picture, its length that of half the picture's width
  Vec3 up = {};       ///< the same
  Vec3 forward = {};  ///< to the middle of the picture, unit length
  Vec3 key = {};      ///< unit vector to the middle of the main lamp
  Vec3 fill = {};     ///< unit vector to the weaker lamp on the other side
  SampleSets<Vec3> key_samples = {};  ///< unit vectors to places on the main lamp
};

/// The room as seen from an object turned by `turns`.
Stage stage_at(const Framing& framing, double turns);

/// The ray through (x, y) of the picture, both in -1 .. 1, y down.
Ray camera_ray(const Stage& stage, double x, double y);

/// Light from the dark floor.
inline constexpr Vec3 kFloorLight = {0.015, 0.015, 0.016};
/// Light from the dim ceiling and walls.
Vec3 ceiling_light(const Vec3& direction);
/// Light from a direction of the room as glaze reflects it: floor, ceiling and two soft lamps.
Vec3 room_light(const Stage& stage, const Vec3& direction);

}  // namespace subspace::datasets::turntable
