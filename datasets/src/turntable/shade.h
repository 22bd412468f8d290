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
  Framing framing = {};
};
Scene make_scene(Object object);

/// Which directions towards the lamp and the room a ray uses.
struct Sample {
  std::size_t set = 0;     ///< 0 .. kSets - 1
  std::size_t number = 0;  ///< 0 .. kSamples - 1
};

/// Light that reaches the camera along a ray, in linear light, where only the parts listed can be
/// met first.
Vec3 radiance(const Scene& scene, const Stage& stage, std::span<const int> candidates,
              const Ray& ray, const Sample& sample);

}  // namespace subspace::datasets::turntable
