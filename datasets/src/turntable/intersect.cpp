// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/intersect.h"

namespace subspace::datasets::turntable {
namespace {

constexpr double kNear = 1e-7;   ///< contacts nearer than this are where the ray started
constexpr double kTiny = 1e-12;  ///< stands for zero as a divisor

double away_from_zero(double a) {
  if (magnitude(a) >= kTiny) return a;
  return a < 0.0 ? -kTiny : kTiny;
}

/// The stretch of a ray inside a convex set, with the normals where it enters and leaves.
struct Stretch {
  double enter = -kFar;
  double leave = kFar;
  Vec3 enter_normal = {0, 0, 1};
  Vec3 leave_normal = {0, 0, 1};

  void cut(double t, const Vec3& normal, bool entering) {
    if (entering && t > enter) {
      enter = t;
      enter_normal = normal;
    } else if (!entering && t < leave) {
      leave = t;
      leave_normal = normal;
    }
  }
  void cut(const Ray& ray, const HalfSpace& half_space) {
    const double speed = away_from_zero(dot(half_space.normal, ray.direction));
    const double t = (half_space.offset - dot(half_space.normal, ray.origin)) / speed;
    cut(t, half_space.normal, speed < 0.0);
  }
  void cut_slab(double origin, double direction, double half, const Vec3& axis) {
    const double time = 1.0 / away_from_zero(direction);
    const double middle = -origin * time;
    const double halfway = half * magnitude(time);
    cut(middle - halfway, time > 0.0 ? -axis : axis, true);
    cut(middle + halfway, time > 0.0 ? axis : -axis, false);
  }
  void cut_box(const Ray& ray, const Vec3& half) {
    cut_slab(ray.origin.x, ray.direction.x, half.x, {1, 0, 0});
    cut_slab(ray.origin.y, ray.direction.y, half.y, {0, 1, 0});
    cut_slab(ray.origin.z, ray.direction.z, half.z, {0, 0, 1});
  }
  void cut_ball(const Ray& ray) {
    const double a = dot(ray.direction, ray.direction);
    const double b = dot(ray.origin, ray.direction);
    const double square = b * b - a * (dot(ray.origin, ray.origin) - 1.0);
    if (square <= 0.0) {
      leave = -kFar;
      return;
    }
    const double root = std::sqrt(square);
    enter = (-b - root) / a;
    leave = (-b + root) / a;
    enter_normal = ray.at(enter);
    leave_normal = ray.at(leave);
  }
};

void cut_all(const Part& part, const Ray& ray, Stretch& stretch) {
  for (int i = 0; i < part.num_cuts; ++i) {
    stretch.cut(ray, part.cuts[static_cast<std::size_t>(i)]);
  }
}

bool meet_convex(const Part& part, const Ray& ray, Contact& contact) {
  Stretch stretch;
  if (part.solid == Solid::kBox) {
    stretch.cut_box(ray, {1, 1, 1});
  } else {
    stretch.cut_ball(ray);
  }
  cut_all(part, ray, stretch);
  const double t = larger(stretch.enter, kNear);
  if (stretch.leave <= t || t >= contact.t) return false;
  contact = {t, stretch.enter_normal};
  return true;
}

/// x^2 + y^2 = (middle + growth z)^2 for |z| <= 1, and the discs at both ends.
bool meet_frustum(const Part& part, const Ray& ray, Contact& contact) {
  const Vec3& o = ray.origin;
  const Vec3& d = ray.direction;
  const double middle = 0.5 * (part.upper + part.lower);
  const double growth = 0.5 * (part.upper - part.lower);
  const double radius = middle + growth * o.z;
  const double a = away_from_zero(d.x * d.x + d.y * d.y - growth * growth * d.z * d.z);
  const double b = o.x * d.x + o.y * d.y - growth * d.z * radius;
  const double square = b * b - a * (o.x * o.x + o.y * o.y - radius * radius);
  bool found = false;
  if (square > 0.0) {
    const double root = std::sqrt(square);
    for (const double sign : {-1.0, 1.0}) {
      const double t = (-b + sign * root) / a;
      const double z = o.z + t * d.z;
      if (t <= kNear || t >= contact.t || magnitude(z) > 1.0) continue;
      const Vec3 p = ray.at(t);
      const double r = larger(std::sqrt(p.x * p.x + p.y * p.y), kTiny);
      const double slope = mix(part.lower_slope, part.upper_slope, 0.5 * (z + 1.0));
      contact = {t, {p.x / r, p.y / r, slope}};
      found = true;
    }
  }
  for (const double end : {-1.0, 1.0}) {
    if (!(end < 0.0 ? part.lower_cap : part.upper_cap)) continue;
    const double rim = end < 0.0 ? part.lower : part.upper;
    const double t = (end - o.z) / away_from_zero(d.z);
    if (t <= kNear || t >= contact.t) continue;
    const Vec3 p = ray.at(t);
    if (p.x * p.x + p.y * p.y > rim * rim) continue;
    contact = {t, {0, 0, end}};
    found = true;
  }
  return found;
}

/// Marches along the ray by the distance to the tube, which it cannot step over.
bool meet_torus(const Part& part, const Ray& ray, Contact& contact) {
  constexpr int kMaxSteps = 64;
  constexpr double kTouch = 1e-4;
  Stretch stretch;
  stretch.cut_box(ray, {1.0 + part.tube, 1.0 + part.tube, part.tube});
  cut_all(part, ray, stretch);
  const double limit = smaller(stretch.leave, contact.t);
  const double speed = length(ray.direction);
  double t = larger(stretch.enter, kNear);
  for (int step = 0; step < kMaxSteps && t < limit; ++step) {
    const Vec3 p = ray.at(t);
    const double r = larger(std::sqrt(p.x * p.x + p.y * p.y), kTiny);
    const double off = r - 1.0;
    const double distance = std::sqrt(off * off + p.z * p.z) - part.tube;
    if (distance < kTouch) {
      // A ray that is inside at once has come through a cut.
      const Vec3 gradient = {off * p.x / r, off * p.y / r, p.z};
      contact = {t, step == 0 ? stretch.enter_normal : gradient};
      return true;
    }
    t += distance / speed;
  }
  return false;
}

}  // namespace

bool meet(const Part& part, const Ray& ray, Contact& contact) {
  const Ray local = {part.to_local(ray.origin), part.frame.into(ray.direction) * part.inverse_half};
  switch (part.solid) {
    case Solid::kFrustum:
      return meet_frustum(part, local, contact);
    case Solid::kTorus:
      return meet_torus(part, local, contact);
    default:
      return meet_convex(part, local, contact);
  }
}

std::vector<Bound> bounds_of(const Object& object) {
  std::vector<Bound> bounds;
  bounds.reserve(object.size());
  // A hair larger, so that rounding never hides a contact.
  for (const Part& part : object) bounds.push_back({part.center, 1.0001 * half_extents(part)});
  return bounds;
}

Probe::Probe(const Ray& ray)
    : origin(ray.origin),
      time{1.0 / away_from_zero(ray.direction.x), 1.0 / away_from_zero(ray.direction.y),
           1.0 / away_from_zero(ray.direction.z)},
      time_magnitude{magnitude(time.x), magnitude(time.y), magnitude(time.z)} {}

}  // namespace subspace::datasets::turntable
