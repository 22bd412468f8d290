// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/build.h"

namespace subspace::datasets::turntable {
namespace {

Part part_of(Solid solid, const Vec3& center, const Vec3& half, const Material& material) {
  Part part;
  part.solid = solid;
  part.center = center;
  part.half = half;
  part.material = material;
  return part;
}

}  // namespace

Part ellipsoid(const Vec3& center, const Vec3& half, const Material& material) {
  return part_of(Solid::kEllipsoid, center, half, material);
}

Part ball(const Vec3& center, double radius, const Material& material) {
  return ellipsoid(center, {radius, radius, radius}, material);
}

Part dome(const Vec3& center, const Vec3& half, const Material& material) {
  return cut(ellipsoid(center, half, material), {0, 0, -1}, 0.0);
}

Part box(const Vec3& center, const Vec3& half, const Material& material) {
  Part part = part_of(Solid::kBox, center, half, material);
  part.bevel = 0.18 * smaller(half.x, smaller(half.y, half.z));
  return part;
}

Part frustum(const Vec3& base, const Vec3& axis, double lower, double upper,
             const Material& material) {
  const double wide = larger(lower, upper);
  const double tall = length(axis);
  Part part = part_of(Solid::kFrustum, base + 0.5 * axis, {wide, wide, 0.5 * tall}, material);
  if (magnitude(axis.x) + magnitude(axis.y) > 0.0) part.frame = frame_along((1.0 / tall) * axis);
  part.lower = lower / wide;
  part.upper = upper / wide;
  // The gradient of x^2 + y^2 - r(z)^2 is (x, y, -r r').
  part.lower_slope = part.upper_slope = 0.5 * (part.lower - part.upper);
  return part;
}

Part cylinder(const Vec3& base, const Vec3& axis, double radius, const Material& material) {
  return frustum(base, axis, radius, radius, material);
}

Part ring(const Vec3& center, const Vec3& axis, double radius, double tube,
          const Material& material) {
  Part part = part_of(Solid::kTorus, center, {radius, radius, radius}, material);
  part.frame = frame_along(normalized(axis));
  part.tube = tube / radius;
  return part;
}

Part handle(const Handle& shape, const Material& material) {
  const double thick = 0.25 * (2.0 * shape.reach + shape.tall);
  Part part = part_of(Solid::kTorus, {shape.radius, 0.0, shape.height},
                      {shape.reach, 0.5 * shape.tall, thick}, material);
  const Vec3 along = normalized({shape.slope, 0.0, 1.0});
  part.frame = {{along.z, 0.0, -along.x}, along, {0, -1, 0}};
  part.tube = shape.tube / thick;
  return turned(cut(part, {-1, 0, 0}, 0.0), shape.turns);
}

Part cut(Part part, const Vec3& normal, double offset) {
  part.cuts[static_cast<std::size_t>(part.num_cuts)] = {normal, offset};
  ++part.num_cuts;
  return part;
}

Part turned(Part part, double turns) {
  const auto [s, c] = sine_cosine(turns);
  const auto turn = [s = s, c = c](const Vec3& a) {
    return Vec3{c * a.x - s * a.y, s * a.x + c * a.y, a.z};
  };
  part.center = turn(part.center);
  part.frame = {turn(part.frame.u), turn(part.frame.v), turn(part.frame.w)};
  return part;
}

Part tilted_about_u(Part part, double turns) {
  part.frame = turned_about_u(part.frame, turns);
  return part;
}

Part tilted_about_v(Part part, double turns) {
  part.frame = turned_about_v(part.frame, turns);
  return part;
}

void lathe(Object& object, const Vec3& center, const Profile& profile, const Material& material,
           bool closed_below, bool closed_above) {
  // Slope of the normal, z / r, of each piece: -dr / dz.
  std::vector<double> slopes;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    slopes.push_back((profile[i].first - profile[i + 1].first) /
                     (profile[i + 1].second - profile[i].second));
  }
  const auto blended = [&](std::size_t piece, std::size_t other) {
    constexpr double kSharp = 1.1;  // a corner rather than a bend
    const double own = slopes[piece];
    if (other >= slopes.size() || magnitude(own - slopes[other]) > kSharp) return own;
    return 0.5 * (own + slopes[other]);
  };
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    // A falling piece (the inside of a cup) is made upwards as well.
    const bool rising = profile[i].second < profile[i + 1].second;
    const auto& [r0, z0] = rising ? profile[i] : profile[i + 1];
    const auto& [r1, z1] = rising ? profile[i + 1] : profile[i];
    Part part = frustum(center + Vec3{0, 0, z0}, {0, 0, z1 - z0}, r0, r1, material);
    const double scale = part.half.z / part.half.x;
    const double before = scale * blended(i, i - 1);
    const double after = scale * blended(i, i + 1);
    part.material.through = true;
    part.lower_slope = rising ? before : after;
    part.upper_slope = rising ? after : before;
    part.lower_cap = closed_below && i == 0;
    part.upper_cap = closed_above && i + 1 == slopes.size();
    object.push_back(part);
  }
}

}  // namespace subspace::datasets::turntable
