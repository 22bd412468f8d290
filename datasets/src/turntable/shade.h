// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <span>

#include "turntable/intersect.h"
#include "turntable/stage.h"

namespace subspace::datasets::turntable {

/// An object with what is worked out once for all its pictures.
struct Scene {
  Object object = {};
  std::vector<Bound> bounds = {};
  Extent extent = {};
};
Scene make_scene(Object object);

/// Light that reaches the camera along a ray, in linear light, where only the parts listed can be
/// met first. `sample` in 0 .. kSamples - 1 picks the directions towards the lamp and the room.
Vec3 radiance(const Scene& scene, const Stage& stage, std::span<const int> candidates,
              const Ray& ray, int sample);

}  // namespace subspace::datasets::turntable
