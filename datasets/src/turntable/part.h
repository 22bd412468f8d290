// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <vector>

#include "turntable/material.h"
#include "turntable/vec3.h"

namespace subspace::datasets::turntable {

enum class Solid {
  kEllipsoid,  ///< |p| <= 1
  kBox,        ///< |x|, |y|, |z| <= 1
  kFrustum,    ///< x^2 + y^2 <= r(z)^2, |z| <= 1, r linear from `lower` to `upper`
  kTorus,      ///< tube of radius `tube` about the unit circle of the x, y plane
};

/// normal' p <= offset.
struct HalfSpace {
  Vec3 normal = {};
  double offset = 0.0;
};

/// One primitive of an object: a solid in normalised coordinates p, stretched by `half`, turned by
/// `frame` and set at `center`. The object stands on the plane z = 0 and turns about the z axis.
struct Part {
  Solid solid = Solid::kEllipsoid;
  Vec3 center = {};
  Frame frame = {};
  Vec3 half = {1, 1, 1};
  Vec3 inverse_half = {1, 1, 1};  ///< set by make_scene()
  Material material = {};

  double lower = 1.0;        ///< frustum: radius at z = -1
  double upper = 1.0;        ///< frustum: radius at z = 1
  double lower_slope = 0.0;  ///< frustum: z / r component of the normal at z = -1
  double upper_slope = 0.0;
  bool lower_cap = true;  ///< without caps it is a thin wall, seen from both sides
  bool upper_cap = true;
  double tube = 0.2;
  double bevel = 0.0;  ///< box: width of the rounded edge, as shading only

  std::array<HalfSpace, 4> cuts = {};  ///< not for frusta: the solid is cut by these, in p
  int num_cuts = 0;

  Vec3 to_local(const Vec3& point) const { return frame.into(point - center) * inverse_half; }
};

/// Whether the part is all on one side of its surface, so that it cannot shade itself.
inline bool is_convex(const Part& part) {
  return part.solid != Solid::kTorus &&
         (part.solid != Solid::kFrustum || (part.lower_cap && part.upper_cap));
}

/// Half the sides of the upright box about the part's centre that holds it.
Vec3 half_extents(const Part& part);

using Object = std::vector<Part>;

/// A circle about the axis of the stage, on which a point of an object turns.
struct Orbit {
  double radius = 0.0;
  double height = 0.0;
};

/// Orbits that hold the object between them: those of points whose hull covers it, all but a hair.
std::vector<Orbit> orbits_of(const Object& object);

}  // namespace subspace::datasets::turntable
