// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "turntable/arithmetic.h"

namespace subspace::datasets::turntable {

/// A point, a direction or a colour in linear light.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return (1.0 / length(a)) * a; }
inline Vec3 mix(const Vec3& a, const Vec3& b, double weight) { return a + weight * (b - a); }

/// A right-handed orthonormal basis.
struct Frame {
  Vec3 u = {1, 0, 0};
  Vec3 v = {0, 1, 0};
  Vec3 w = {0, 0, 1};

  Vec3 into(const Vec3& a) const { return {dot(a, u), dot(a, v), dot(a, w)}; }
  Vec3 out_of(const Vec3& a) const { return a.x * u + a.y * v + a.z * w; }
};

/// The frame turned about its own u, v or w axis, by the right hand.
Frame turned_about_u(const Frame& frame, double turns);
Frame turned_about_v(const Frame& frame, double turns);
Frame turned_about_w(const Frame& frame, double turns);

/// Some frame whose w is the given unit vector.
Frame frame_along(const Vec3& w);

struct Ray {
  Vec3 origin = {};
  Vec3 direction = {0, 1, 0};

  Vec3 at(double t) const { return origin + t * direction; }
};

}  // namespace subspace::datasets::turntable
