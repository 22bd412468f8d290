// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

/// Where a ray meets a part: the point is at `t`, `normal` the gradient there, both in the
/// normalised coordinates of the part, in which the ray keeps its parameter.
struct Contact {
  double t = kFar;
  Vec3 normal = {0, 0, 1};
};

/// The first contact with 0 < t < contact.t replaces `contact`. A ray that starts inside a convex
/// solid meets it at once.
bool meet(const Part& part, const Ray& ray, Contact& contact);

/// A ball that holds a part, to pass over the part quickly.
struct Bound {
  Vec3 center = {};
  double radius = 0.0;
};
std::vector<Bound> bounds_of(const Object& object);

/// Whether a ray of unit direction comes near enough before `limit`.
inline bool may_meet(const Bound& bound, const Ray& ray, double limit) {
  const Vec3 to = bound.center - ray.origin;
  const double along = dot(to, ray.direction);
  if (along < -bound.radius || along - bound.radius > limit) return false;
  return dot(to, to) - along * along <= bound.radius * bound.radius;
}

}  // namespace subspace::datasets::turntable
