// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/vec3.h"

namespace subspace::datasets::turntable {

Frame turned_about_u(const Frame& frame, double turns) {
  const auto [s, c] = sine_cosine(turns);
  return {frame.u, c * frame.v + s * frame.w, c * frame.w - s * frame.v};
}

Frame turned_about_v(const Frame& frame, double turns) {
  const auto [s, c] = sine_cosine(turns);
  return {c * frame.u - s * frame.w, frame.v, c * frame.w + s * frame.u};
}

Frame turned_about_w(const Frame& frame, double turns) {
  const auto [s, c] = sine_cosine(turns);
  return {c * frame.u + s * frame.v, c * frame.v - s * frame.u, frame.w};
}

Frame frame_along(const Vec3& w) {
  // A helper far from w; the upright w gets the unturned frame.
  const Vec3 helper = magnitude(w.z) < 0.7 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  const Vec3 u = normalized(cross(helper, w));
  return {u, cross(w, u), w};
}

}  // namespace subspace::datasets::turntable
