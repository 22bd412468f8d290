// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "turntable/vec3.h"

namespace subspace::datasets::turntable {

enum class Pattern {
  kPlain,
  kBands,    ///< of `second`, across the part's w axis
  kStaves,   ///< of `second`, along the w axis, around it
  kChecks,   ///< cubes of `base` and `second`
  kDots,     ///< balls of `second`
  kWood,     ///< rings about the u axis
  kMarble,   ///< veins of `second`
  kSpeckle,  ///< small grains of `second`
  kPrinted,  ///< a carton: title block, lines of print and an emblem on each face
  kWrapped,  ///< a printed paper around the w axis
};

/// How a surface looks. Colours are reflectances in linear light.
struct Material {
  Vec3 base = {0.5, 0.5, 0.5};
  Vec3 second = {0.1, 0.1, 0.1};
  Vec3 third = {0.9, 0.9, 0.9};
  Pattern pattern = Pattern::kPlain;
  double pitch = 0.5;      ///< length of a period of the pattern
  double gloss = 0.3;      ///< 0: chalk, 1: glaze
  int shininess = 5;       ///< the highlight is a cosine to the power 2^shininess
  double metal = 0.0;      ///< 1: reflections take the colour of the surface
  bool through = false;    ///< the pattern runs through all parts of the object as if carved
  std::uint32_t seed = 0;  ///< of the pattern's random parts
};

/// A point of a surface, in the frame of its part.
struct SurfacePoint {
  Vec3 position = {};  ///< in lengths of the object; in the object's frame if `through`
  Vec3 relative = {};  ///< each coordinate in -1 .. 1
  Vec3 normal = {};
};

/// Reflectance at a point.
Vec3 color_at(const Material& material, const SurfacePoint& point);

}  // namespace subspace::datasets::turntable
