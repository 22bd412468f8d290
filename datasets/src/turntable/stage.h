// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <vector>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

/// Rays per pixel: kSide x kSide places in the pixel, each with its own direction towards the lamp
/// and its own direction of ambient light, so that their mean has soft edges and soft shadows.
inline constexpr int kSide = 3;
inline constexpr int kSamples = kSide * kSide;

/// Camera and lamps, which stand still in the room, as seen from an object turned with the stage.
struct Stage {
  Vec3 eye = {};
  Vec3 right = {};    ///< of the picture, its length that of half the picture's width
  Vec3 up = {};       ///< the same
  Vec3 forward = {};  ///< to the middle of the picture, unit length
  Vec3 key = {};      ///< unit vector to the middle of the main lamp
  Vec3 fill = {};     ///< unit vector to the weaker lamp on the other side
  std::array<Vec3, kSamples> key_samples = {};  ///< unit vectors to places on the main lamp
};

/// The stage for an object of the given extent, turned by `turns`; the camera looks down a little
/// and from so far that the object never leaves the picture.
Stage stage_at(const Extent& extent, double turns);

/// The ray through (x, y) of the picture, both in -1 .. 1, y down.
Ray camera_ray(const Stage& stage, double x, double y);

/// Light from the dark floor.
inline constexpr Vec3 kFloorLight = {0.015, 0.015, 0.016};
/// Light from the dim ceiling and walls.
Vec3 ceiling_light(const Vec3& direction);
/// Light from a direction of the room as glaze reflects it: floor, ceiling and two soft lamps.
Vec3 room_light(const Stage& stage, const Vec3& direction);

}  // namespace subspace::datasets::turntable
