// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {

Object mushroom(const MushroomStyle& style) {
  const double r = style.hat_radius;
  Object object;
  lathe(object, {}, {{0.5, 0.0}, {0.46, 0.15}, {0.36, 0.5}, {0.34, 0.95}, {0.4, 1.3}}, style.stem,
        true);
  object.push_back(tilted_about_v(dome({0, 0, 1.2}, {r, r, 0.85}, style.hat), style.lean));
  object.push_back(
      tilted_about_v(ring({0, 0, 1.2}, {0, 0, 1}, 0.95 * r, 0.07, style.hat), style.lean));
  return object;
}

Object lamp(const LampStyle& style) {
  Object object;
  lathe(object, {},
        {{0.62, 0.0},
         {0.66, 0.08},
         {0.5, 0.18},
         {0.2, 0.28},
         {0.16, 0.4},
         {0.34, 0.6},
         {0.42, 0.85},
         {0.34, 1.1},
         {0.14, 1.3},
         {0.1, 1.5}},
        style.foot, true);
  Part shade = frustum({0, 0, 1.35}, {0, 0, 1.15}, 1.1, 1.1 * style.slant, style.shade);
  shade.lower_cap = shade.upper_cap = false;
  object.push_back(shade);
  object.push_back(ring({0, 0, 1.36}, {0, 0, 1}, 1.1, 0.03, plain(style.shade.second, 0.2, 4)));
  object.push_back(ball({0, 0, 1.8}, 0.26, plain(paint(250, 248, 235), 0.6, 5)));
  object.push_back(cylinder({0.3, 0, 0.85}, {0.25, 0, 0}, 0.06, plain(paint(60, 60, 60), 0.4, 5)));
  return object;
}

Object adapter(const AdapterStyle& style) {
  const Material shell = plain(style.body, 0.5, 5);
  Material brass = plain(style.metal, 0.9, 5);
  brass.metal = 0.6;
  Object object;
  lathe(object, {},
        {{0.62, 0.0},
         {0.7, 0.06},
         {0.7, 0.5},
         {style.waist, 0.72},
         {style.waist, 1.25},
         {0.72, 1.4},
         {0.72, 1.75},
         {0.66, 1.8}},
        shell, true, true);
  Material thread = brass;
  thread.pattern = Pattern::kBands;
  thread.pitch = 0.11;
  object.push_back(cylinder({0, 0, 1.75}, {0, 0, 0.45}, 0.5, thread));
  object.push_back(dome({0, 0, 2.2}, {0.3, 0.3, 0.14}, brass));
  object.push_back(box({0.72, 0, 0.98}, {0.2, 0.14, 0.2}, plain(paint(40, 40, 42), 0.6, 5)));
  object.push_back(cylinder({0.8, 0, 1.0}, {0.32, 0, 0.06}, 0.09, brass));
  object.push_back(cylinder({-0.5, 0, 1.0}, {-0.45, 0, 0}, 0.2, shell));
  for (const double side : {-1.0, 1.0}) {
    object.push_back(box({-1.1, side * 0.1, 1.0}, {0.22, 0.025, 0.09}, brass));
  }
  return object;
}

}  // namespace subspace::datasets::turntable
