// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/material.h"

#include "turntable/noise.h"
#include "turntable/print.h"

namespace subspace::datasets::turntable {
namespace {

/// 1 on the first half of each period, 0 on the second, with soft edges.
double wave(double a) {
  const double s = fraction_of(a);
  return smooth_step(0.0, 0.06, s) - smooth_step(0.5, 0.56, s);
}

double band(const Material& material, const Vec3& p) { return wave(p.z / material.pitch); }

/// `pitch` is a share of the turn here.
double stave(const Material& material, const Vec3& p) {
  return wave(turns_of(p.x, p.y) / material.pitch);
}

double check(const Material& material, const Vec3& p) {
  // A little off zero, so that faces of a box do not fall on the seam of two cubes.
  const auto cell = [&](double a) { return floor_of(a / material.pitch + 0.013); };
  return (cell(p.x) + cell(p.y) + cell(p.z)) % 2 == 0 ? 0.0 : 1.0;
}

double spots(const Material& material, const Vec3& p, double radius) {
  const Vec3 q = (1.0 / material.pitch) * p;
  const Vec3 off = {fraction_of(q.x) - 0.5, fraction_of(q.y) - 0.5, fraction_of(q.z) - 0.5};
  return 1.0 - smooth_step(radius - 0.06, radius, length(off));
}

double wood(const Material& material, const Vec3& p) {
  const Vec3 stretched = {0.35 * p.x, 2.0 * p.y, 2.0 * p.z};
  const double wobble = value_noise((1.0 / material.pitch) * stretched, material.seed);
  const Vec3 heart = {0.0, p.y + 0.4 * material.pitch, p.z + 1.7 * material.pitch};
  const double ring = fraction_of(length(heart) / material.pitch + 1.3 * wobble);
  const double fibre =
      value_noise((9.0 / material.pitch) * Vec3{0.06 * p.x, p.y, p.z}, material.seed + 7);
  return 0.7 * ring * ring + 0.3 * fibre;
}

double marble(const Material& material, const Vec3& p) {
  const Vec3 q = (1.0 / material.pitch) * p;
  const double vein = rough_noise(q, material.seed) * 2.0 - 1.0;
  return 1.0 - smooth_step(0.0, 0.35, magnitude(vein));
}

double speckle(const Material& material, const Vec3& p) {
  return smooth_step(0.62, 0.75, value_noise((1.0 / material.pitch) * p, material.seed));
}

/// How much of `second` covers `base`.
double coverage(const Material& material, const Vec3& p) {
  switch (material.pattern) {
    case Pattern::kBands:
      return band(material, p);
    case Pattern::kStaves:
      return stave(material, p);
    case Pattern::kChecks:
      return check(material, p);
    case Pattern::kDots:
      return spots(material, p, 0.36);
    case Pattern::kWood:
      return wood(material, p);
    case Pattern::kMarble:
      return marble(material, p);
    case Pattern::kSpeckle:
      return speckle(material, p);
    default:
      return 0.0;
  }
}

}  // namespace

Vec3 color_at(const Material& material, const SurfacePoint& point) {
  // No surface is quite even: a few per cent of slow variation.
  const double unevenness = 0.94 + 0.12 * value_noise(3.1 * point.position, material.seed + 99);
  if (material.pattern == Pattern::kPrinted) {
    return unevenness * carton_print(material, point);
  }
  if (material.pattern == Pattern::kWrapped) {
    return unevenness * wrapper_print(material, point);
  }
  return unevenness * mix(material.base, material.second, coverage(material, point.position));
}

}  // namespace subspace::datasets::turntable
