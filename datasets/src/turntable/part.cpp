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

double bounding_radius(const Part& part) {
  const Vec3& half = part.half;
  const double wide = larger(half.x, half.y);
  switch (part.solid) {
    case Solid::kEllipsoid:
      return larger(wide, half.z);
    case Solid::kBox:
      return length(half);
    case Solid::kFrustum: {
      const double radius = larger(part.lower, part.upper) * wide;
      return std::sqrt(radius * radius + half.z * half.z);
    }
    default: {
      const double radius = (1.0 + part.tube) * wide;
      return std::sqrt(radius * radius + part.tube * part.tube * half.z * half.z);
    }
  }
}

Extent extent_of(const Object& object) {
  Extent extent;
  double square = 0.0;
  extent.bottom = kFar;
  extent.top = -kFar;
  for (const Part& part : object) {
    for_hull(part, [&](const Vec3& p) {
      if (!inside_cuts(part, p)) return;
      const Vec3 point = part.center + part.frame.out_of(p * part.half);
      square = larger(square, point.x * point.x + point.y * point.y);
      extent.bottom = smaller(extent.bottom, point.z);
      extent.top = larger(extent.top, point.z);
    });
  }
  extent.radius = std::sqrt(square);
  return extent;
}

}  // namespace subspace::datasets::turntable
