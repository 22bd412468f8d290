// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// The private geometry of the renderer against the definitions of its solids.
#include <gtest/gtest.h>

#include <cmath>

#include <subspace/core/random.h>

#include "turntable/build.h"
#include "turntable/intersect.h"

namespace subspace::datasets::turntable {
namespace {

constexpr double kTwoPi = 6.283185307179586;

TEST(TurntableGeometry, SineAndCosineAgreeWithTheLibrary) {
  for (int i = -400; i <= 400; ++i) {
    const double turns = i / 97.0;
    const auto [sine, cosine] = sine_cosine(turns);
    EXPECT_NEAR(sine, std::sin(kTwoPi * turns), 1e-12) << turns;
    EXPECT_NEAR(cosine, std::cos(kTwoPi * turns), 1e-12) << turns;
  }
  for (int quarter = 0; quarter < 4; ++quarter) {
    const auto [sine, cosine] = sine_cosine(0.25 * quarter);
    EXPECT_EQ(std::abs(sine) + std::abs(cosine), 1.0) << "quarter turns are exact";
  }
}

TEST(TurntableGeometry, TurnsAreTheAngle) {
  for (int i = 0; i < 720; ++i) {
    const double turns = (i + 0.5) / 720.0;
    EXPECT_NEAR(turns_of(std::cos(kTwoPi * turns), std::sin(kTwoPi * turns)), turns, 4e-6);
  }
  EXPECT_EQ(turns_of(0.0, 0.0), 0.0);
}

TEST(TurntableGeometry, FloorAndFractionOfNegativeNumbers) {
  EXPECT_EQ(floor_of(-0.5), -1);
  EXPECT_EQ(floor_of(-2.0), -2);
  EXPECT_EQ(floor_of(2.75), 2);
  EXPECT_EQ(fraction_of(-0.25), 0.75);
}

/// Negative inside the solid, zero on it, in its normalised coordinates.
double outside(const Part& part, const Vec3& p) {
  double value = 0.0;
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  switch (part.solid) {
    case Solid::kEllipsoid:
      value = length(p) - 1.0;
      break;
    case Solid::kBox:
      value = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) - 1.0;
      break;
    case Solid::kFrustum:
      value = std::max(r - (part.lower + (part.upper - part.lower) * (p.z + 1.0) / 2.0),
                       std::abs(p.z) - 1.0);
      break;
    case Solid::kTorus:
      value = std::hypot(r - 1.0, p.z) - part.tube;
      break;
  }
  for (int i = 0; i < part.num_cuts; ++i) {
    const HalfSpace& cut = part.cuts[static_cast<std::size_t>(i)];
    value = std::max(value, dot(cut.normal, p) - cut.offset);
  }
  return value;
}

std::vector<Part> samples() {
  const Material any;
  std::vector<Part> parts = {
      ellipsoid({0.1, -0.2, 0.3}, {1.0, 0.5, 0.7}, any),
      dome({0, 0, 0.2}, {0.8, 0.8, 0.5}, any),
      tilted_about_u(box({0.2, 0, 0}, {0.9, 0.3, 0.6}, any), 0.07),
      cut(box({}, {1.0, 0.6, 0.4}, any), {1, 0, 0.5}, 0.5),
      frustum({0, 0.1, -0.5}, {0.2, 0.1, 1.2}, 0.7, 0.2, any),
      cylinder({0, 0, -0.4}, {0, 0.9, 0}, 0.5, any),
      ring({0, 0.1, 0}, {0.3, 1, 0.2}, 0.8, 0.2, any),
      handle({.radius = 0.2, .height = 0.1, .slope = 0.2, .turns = 0.3}, any),
  };
  for (Part& part : parts) {
    part.inverse_half = {1.0 / part.half.x, 1.0 / part.half.y, 1.0 / part.half.z};
  }
  return parts;
}

TEST(TurntableGeometry, RaysMeetSolidsWhereTheyFirstEnterThem) {
  RandomStream random = stream(3, Stream::kTest);
  const auto around = [&](double size) {
    return Vec3{size * (2.0 * random.uniform() - 1.0), size * (2.0 * random.uniform() - 1.0),
                size * (2.0 * random.uniform() - 1.0)};
  };
  for (const Part& part : samples()) {
    int met = 0;
    for (int i = 0; i < 400; ++i) {
      const Vec3 origin = 4.0 * normalized(around(1.0));
      const Ray ray = {origin, normalized(around(1.0) - origin)};
      Contact contact;
      const bool hit = meet(part, ray, contact);
      met += hit ? 1 : 0;
      EXPECT_TRUE(!hit || may_meet(bounds_of({part})[0], Probe(ray), kFar));
      const double end = hit ? contact.t : 8.0;
      for (double t = 0.0; t < end - 0.01; t += 0.02) {
        EXPECT_GT(outside(part, part.to_local(ray.at(t))), -1e-3) << "passed through the solid";
      }
      if (!hit) continue;
      EXPECT_NEAR(outside(part, part.to_local(ray.at(contact.t))), 0.0, 2e-4);
      const Vec3 normal = part.frame.out_of(contact.normal * part.inverse_half);
      EXPECT_LE(dot(normal, ray.direction), 1e-6) << "the normal looks at where the ray came from";
    }
    EXPECT_GT(met, 20);
  }
}

TEST(TurntableGeometry, OrbitsHoldTheObject) {
  const Object object = {ball({1, 0, 1}, 0.5, {}), box({0, 0, 0.5}, {1, 1, 0.5}, {})};
  double widest = 0.0;
  double highest = 0.0;
  for (const auto& [radius, height] : orbits_of(object)) {
    widest = std::max(widest, radius);
    highest = std::max(highest, height);
  }
  EXPECT_NEAR(widest, 1.5, 1e-12);
  EXPECT_NEAR(highest, 1.5, 1e-12);
}

}  // namespace
}  // namespace subspace::datasets::turntable
