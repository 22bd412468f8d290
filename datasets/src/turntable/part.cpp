// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/part.h"

namespace subspace::datasets::turntable {
namespace {

/// Calls `visit` with points, in normalised coordinates, whose hull is the solid's or a little
/// more than it.
template <typename Visit>
void for_hull(const Part& part, const Visit& visit) {
  constexpr int kAround = 24;
  if (part.solid == Solid::kBox) {
    for (int corner = 0; corner < 8; ++corner) {
      visit({corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0});
    }
    return;
  }
  for (int i = 0; i < kAround; ++i) {
    const auto [s, c] = sine_cosine(i / static_cast<double>(kAround));
    if (part.solid == Solid::kFrustum) {
      visit({part.lower * c, part.lower * s, -1.0});
      visit({part.upper * c, part.upper * s, 1.0});
    } else if (part.solid == Solid::kTorus) {
      const double outer = 1.0 + part.tube;
      visit({outer * c, outer * s, 0.0});
      visit({c, s, part.tube});
      visit({c, s, -part.tube});
    } else {
      for (int j = -6; j <= 6; ++j) {
        const auto [height, ring] = sine_cosine(j / 24.0);
        visit({ring * c, ring * s, height});
      }
    }
  }
}

bool inside_cuts(const Part& part, const Vec3& p) {
  for (int i = 0; i < part.num_cuts; ++i) {
    const HalfSpace& cut = part.cuts[static_cast<std::size_t>(i)];
    if (dot(cut.normal, p) > cut.offset) return false;
  }
  return true;
}

}  // namespace

Vec3 half_extents(const Part& part) {
  // Reach along a coordinate axis, whose components in the part's frame are a, b and c.
  const auto reach = [&part](double a, double b, double c) {
    const Vec3 h = Vec3{a, b, c} * part.half;
    const double round = std::sqrt(h.x * h.x + h.y * h.y);
    switch (part.solid) {
      case Solid::kEllipsoid:
        return length(h);
      case Solid::kBox:
        return magnitude(h.x) + magnitude(h.y) + magnitude(h.z);
      case Solid::kFrustum:
        return larger(part.lower, part.upper) * round + magnitude(h.z);
      default:
        return round + part.tube * length(h);
    }
  };
  const Frame& f = part.frame;
  return {reach(f.u.x, f.v.x, f.w.x), reach(f.u.y, f.v.y, f.w.y), reach(f.u.z, f.v.z, f.w.z)};
}

std::vector<Orbit> orbits_of(const Object& object) {
  std::vector<Orbit> orbits;
  for (const Part& part : object) {
    for_hull(part, [&](const Vec3& p) {
      if (!inside_cuts(part, p)) return;
      const Vec3 point = part.center + part.frame.out_of(p * part.half);
      orbits.push_back({std::sqrt(point.x * point.x + point.y * point.y), point.z});
    });
  }
  return orbits;
}

}  // namespace subspace::datasets::turntable
