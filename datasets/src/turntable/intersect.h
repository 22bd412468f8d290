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

/// An upright box that holds a part, to pass over the part quickly.
struct Bound {
  Vec3 center = {};
  Vec3 half = {};
};
std::vector<Bound> bounds_of(const Object& object);

/// A ray as may_meet() wants it: for how long it runs per unit of each coordinate.
struct Probe {
  explicit Probe(const Ray& ray);

  Vec3 origin;
  Vec3 time;
  Vec3 time_magnitude;
};

/// Whether the ray passes through the bound somewhere in 0 .. limit.
inline bool may_meet(const Bound& bound, const Probe& probe, double limit) {
  const Vec3 middle = (bound.center - probe.origin) * probe.time;
  const Vec3 halfway = bound.half * probe.time_magnitude;
  const double enter =
      larger(larger(middle.x - halfway.x, middle.y - halfway.y), larger(middle.z - halfway.z, 0.0));
  const double leave = smaller(smaller(middle.x + halfway.x, middle.y + halfway.y),
                               smaller(middle.z + halfway.z, limit));
  return enter <= leave;
}

}  // namespace subspace::datasets::turntable
