// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {

Vec3 paint(int red, int green, int blue) {
  // The camera's response is a square root; its inverse gives linear light.
  const auto linear = [](int level) {
    const double s = level / 255.0;
    return s * s;
  };
  return {linear(red), linear(green), linear(blue)};
}

Material plain(const Vec3& color, double gloss, int shininess) {
  Material material;
  material.base = color;
  material.second = 0.4 * color;
  material.gloss = gloss;
  material.shininess = shininess;
  return material;
}

Material wooden(const Vec3& light, const Vec3& dark, double pitch, std::uint32_t seed) {
  Material material = plain(light, 0.25, 4);
  material.second = dark;
  material.pattern = Pattern::kWood;
  material.pitch = pitch;
  material.seed = seed;
  return material;
}

Material patterned(Material material, Pattern pattern, const Vec3& second, double pitch,
                   std::uint32_t seed) {
  material.pattern = pattern;
  material.second = second;
  material.pitch = pitch;
  material.seed = seed;
  return material;
}

Material wrapper(const Vec3& ground, const Vec3& block, const Vec3& letters, std::uint32_t seed) {
  Material material = patterned(plain(ground, 0.4, 5), Pattern::kWrapped, block, 1.0, seed);
  material.third = letters;
  return material;
}

}  // namespace subspace::datasets::turntable
