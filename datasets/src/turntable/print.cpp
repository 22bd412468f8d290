// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/print.h"

#include "turntable/noise.h"

namespace subspace::datasets::turntable {
namespace {

/// A place on a printed rectangle: u to the right, v up, both in -1 .. 1.
struct Place {
  double u = 0.0;
  double v = 0.0;
  double width = 1.0;  ///< width of the rectangle over its height
};

bool within(double a, double low, double high) { return low <= a && a < high; }

/// Bars and gaps that read as words from afar: 1 where there is ink.
double line_of_words(double u, double letter, std::uint32_t seed) {
  const std::int32_t cell = floor_of(u / letter);
  const double ink = hash_unit(seed, static_cast<std::uint32_t>(cell));
  return ink < 0.25 ? 0.0 : 0.55 + 0.45 * ink;
}

/// A row of tall letters: strokes with gaps, each letter of its own width.
double title(const Place& at, double low, double high, double letter, std::uint32_t seed) {
  if (!within(at.v, low, high)) return 0.0;
  const double s = at.u / letter;
  const std::int32_t cell = floor_of(s);
  const double inside = s - cell;
  if (inside > 0.78) return 0.0;
  const auto glyph = hash(seed, static_cast<std::uint32_t>(cell));
  const double height = (at.v - low) / (high - low);
  // Three strokes by three; the hash says which are inked. A letter always has its left stem.
  const auto column = static_cast<std::uint32_t>(floor_of(inside / 0.27));
  const auto row = static_cast<std::uint32_t>(floor_of(clamp(height, 0.0, 0.999) * 3.0));
  if (column == 0) return 1.0;
  return (glyph >> (3 * row + column)) & 1U ? 1.0 : 0.0;
}

/// Height of a print in four bands, from the top: title block, emblem, small print, foot.
Vec3 layout(const Material& material, const Place& at, std::uint32_t seed) {
  const double block_low = 0.1 + 0.3 * hash_unit(seed, 1);
  const double block_high = block_low + 0.3 + 0.2 * hash_unit(seed, 2);
  if (within(at.v, block_low, block_high)) {
    const double margin = 0.25 * (block_high - block_low);
    const double ink = magnitude(at.u) > 0.8 ? 0.0
                                             : title(at, block_low + margin, block_high - margin,
                                                     0.28 / larger(at.width, 0.6), seed);
    return mix(material.second, material.third, ink);
  }
  const double emblem_u = 0.9 * hash_unit(seed, 3) - 0.45;
  const double du = (at.u - emblem_u) * at.width;
  const double dv = at.v + 0.35;
  const double emblem = std::sqrt(du * du + dv * dv);
  if (emblem < 0.24) return emblem < 0.13 ? material.third : material.second;
  if (within(at.v, -0.85, -0.1) && magnitude(at.u) < 0.85) {
    const std::int32_t line = floor_of((at.v + 1.0) * 9.0);
    if (line % 2 == 0) {
      const double ink = line_of_words(at.u, 0.12, hash(seed, static_cast<std::uint32_t>(line)));
      return mix(material.base, material.second, 0.75 * ink);
    }
  }
  return at.v < -0.9 ? material.second : material.base;
}

}  // namespace

Vec3 carton_print(const Material& material, const SurfacePoint& point) {
  const Vec3& n = point.normal;
  const Vec3& p = point.relative;
  const Vec3 size = {point.position.x / (magnitude(p.x) + 1e-9),
                     point.position.y / (magnitude(p.y) + 1e-9),
                     point.position.z / (magnitude(p.z) + 1e-9)};
  const double ax = magnitude(n.x);
  const double ay = magnitude(n.y);
  const double az = magnitude(n.z);
  if (az > ax && az > ay) {
    const Place at = {p.x, p.y, magnitude(size.x / (size.y + 1e-9))};
    return layout(material, at, hash(material.seed, 5));
  }
  // The two long faces carry the same print, as cartons do, and so do the two ends.
  if (ay > ax) {
    const Place at = {n.y < 0.0 ? p.x : -p.x, p.z, magnitude(size.x / (size.z + 1e-9))};
    return layout(material, at, hash(material.seed, 6));
  }
  const Place at = {n.x > 0.0 ? p.y : -p.y, p.z, magnitude(size.y / (size.z + 1e-9))};
  return layout(material, at, hash(material.seed, 7));
}

Vec3 wrapper_print(const Material& material, const SurfacePoint& point) {
  const double turns = turns_of(point.position.x, point.position.y);
  // Two fronts, as on most bottles.
  const double u = 2.0 * fraction_of(2.0 * turns) - 1.0;
  const std::uint32_t front = turns < 0.5 ? 8 : 9;
  return layout(material, {u, point.relative.z, 1.6}, hash(material.seed, front));
}

}  // namespace subspace::datasets::turntable
