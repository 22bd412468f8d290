// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/noise.h"

namespace subspace::datasets::turntable {
namespace {

constexpr std::uint32_t mixed(std::uint32_t a) {
  a ^= a >> 16;
  a *= 0x7feb352dU;
  a ^= a >> 15;
  a *= 0x846ca68bU;
  a ^= a >> 16;
  return a;
}

double at_corner(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t seed) {
  const std::uint32_t word = static_cast<std::uint32_t>(x) * 0x9e3779b1U ^
                             static_cast<std::uint32_t>(y) * 0x85ebca77U ^
                             static_cast<std::uint32_t>(z) * 0xc2b2ae3dU;
  return static_cast<double>(mixed(word ^ seed)) / 4294967296.0;
}

double fade(double s) { return s * s * (3.0 - 2.0 * s); }

}  // namespace

std::uint32_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return mixed(a + mixed(b + mixed(c + 0x9e3779b9U)));
}

double hash_unit(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<double>(hash(a, b, c)) / 4294967296.0;
}

double value_noise(const Vec3& p, std::uint32_t seed) {
  const std::int32_t x = floor_of(p.x);
  const std::int32_t y = floor_of(p.y);
  const std::int32_t z = floor_of(p.z);
  const double fx = fade(p.x - x);
  const double fy = fade(p.y - y);
  const double fz = fade(p.z - z);
  const auto row = [&](std::int32_t j, std::int32_t k) {
    return mix(at_corner(x, j, k, seed), at_corner(x + 1, j, k, seed), fx);
  };
  return mix(mix(row(y, z), row(y + 1, z), fy), mix(row(y, z + 1), row(y + 1, z + 1), fy), fz);
}

double rough_noise(const Vec3& p, std::uint32_t seed) {
  return (2.0 * value_noise(p, seed) + value_noise(2.17 * p, seed + 1)) / 3.0;
}

}  // namespace subspace::datasets::turntable
