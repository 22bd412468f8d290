// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <utility>
#include <vector>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

// Makers of parts. Lengths are those of the object; z is up.

Part ellipsoid(const Vec3& center, const Vec3& half, const Material& material);
Part ball(const Vec3& center, double radius, const Material& material);
/// The part of a ball above its middle, flat side down.
Part dome(const Vec3& center, const Vec3& half, const Material& material);
Part box(const Vec3& center, const Vec3& half, const Material& material);
/// Along `axis` from `base`, radius `lower` there and `upper` at the other end.
Part frustum(const Vec3& base, const Vec3& axis, double lower, double upper,
             const Material& material);
Part cylinder(const Vec3& base, const Vec3& axis, double radius, const Material& material);
/// A ring in the plane across `axis`.
Part ring(const Vec3& center, const Vec3& axis, double radius, double tube,
          const Material& material);
/// A handle on the +x side of a vessel: the outer half of an upright ring.
struct Handle {
  double radius = 1.0;  ///< of the vessel where the middle of the handle is
  double height = 1.0;  ///< of the middle
  double reach = 0.5;   ///< how far it stands off
  double tall = 1.0;
  double tube = 0.1;
  double slope = 0.0;  ///< growth of the vessel's radius with height
  double turns = 0.0;  ///< about the axis of the vessel
};
Part handle(const Handle& shape, const Material& material);

/// Keeps the side of the plane with normal' p <= offset, in the part's normalised coordinates.
Part cut(Part part, const Vec3& normal, double offset);
/// Turned in place about the object's vertical, or about the part's own axes.
Part turned(Part part, double turns);
Part tilted_about_u(Part part, double turns);
Part tilted_about_v(Part part, double turns);

/// A surface of revolution about the z axis through `center`: a stack of frusta through the
/// (radius, height) points, with normals blended where the profile bends gently. Points must rise
/// or fall strictly from one to the next. Ends are open unless the profile closes them.
using Profile = std::vector<std::pair<double, double>>;
void lathe(Object& object, const Vec3& center, const Profile& profile, const Material& material,
           bool closed_below = false, bool closed_above = false);

}  // namespace subspace::datasets::turntable
