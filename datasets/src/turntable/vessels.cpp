// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {

Object cup(const CupStyle& style) {
  const double t = style.tall;
  const double foot = style.foot;
  const double mouth = style.mouth;
  const double wall = 0.07;
  Object object;
  lathe(object, {},
        {{0.92 * foot, 0.0},
         {foot, 0.06},
         {mix(foot, mouth, 0.5), 0.5 * t},
         {mouth, t - 0.03},
         {mouth - 0.5 * wall, t}},
        style.glaze, true);
  Material inside = style.glaze;
  if (inside.pattern != Pattern::kPlain) inside = plain(style.glaze.base, 0.8, 6);
  lathe(object, {}, {{mouth - 0.5 * wall, t}, {mouth - wall, t - 0.04}, {foot - wall, 0.12}},
        inside);
  object.push_back(cylinder({0, 0, 0.1}, {0, 0, 0.02}, foot - wall, inside));
  Material grip = style.glaze;
  if (grip.pattern != Pattern::kPlain) grip = plain(style.glaze.second, 0.8, 6);
  object.push_back(handle({.radius = mix(foot, mouth, 0.52) - 0.02,
                           .height = 0.52 * t,
                           .reach = style.grip,
                           .tall = 0.58 * t,
                           .slope = (mouth - foot) / t},
                          grip));
  return object;
}

Object bottle(const BottleStyle& style) {
  const double r = style.radius;
  const double t = style.tall;
  Object object;
  lathe(object, {}, {{0.9 * r, 0.0}, {r, 0.08}, {r, 0.2 * t}}, style.body, true);
  object.push_back(cylinder({0, 0, 0.2 * t}, {0, 0, 0.5 * t}, r, style.label));
  lathe(object, {},
        {{r, 0.7 * t},
         {0.99 * r, 0.74 * t},
         {0.9 * r, 0.79 * t},
         {0.7 * r, 0.84 * t},
         {style.neck, 0.88 * t},
         {style.neck, 0.92 * t}},
        style.body);
  for (Part& part : object) part.half.y *= style.flat;
  object.push_back(cylinder({0, 0, 0.9 * t}, {0, 0, 0.18 * t}, style.neck + 0.08, style.cap));
  object.push_back(
      frustum({0, 0, 1.08 * t}, {0, 0, 0.03 * t}, style.neck + 0.08, style.neck, style.cap));
  return object;
}

Object jar(const JarStyle& style) {
  const double r = style.radius;
  const double t = style.tall;
  const Material glass = plain(style.body.base, style.body.gloss, style.body.shininess);
  Object object;
  lathe(object, {}, {{0.88 * r, 0.0}, {0.97 * r, 0.05}, {r, 0.14}}, glass, true);
  object.push_back(cylinder({0, 0, 0.14}, {0, 0, 0.6 * t}, r, style.body));
  lathe(object, {},
        {{r, 0.14 + 0.6 * t},
         {0.95 * r, 0.2 + 0.6 * t},
         {0.86 * r, 0.26 + 0.6 * t},
         {0.86 * r, 0.75 * t + 0.1}},
        glass);
  const double lid = 0.72 * t + 0.08;
  lathe(object, {},
        {{0.98 * r, lid},
         {r, lid + 0.03},
         {r, lid + 0.36},
         {0.96 * r, lid + 0.42},
         {0.88 * r, lid + 0.44}},
        style.lid, true, true);
  return object;
}

Object tub(const TubStyle& style) {
  const double t = style.tall;
  Object object;
  object.push_back(frustum({0, 0, 0}, {0, 0, t}, style.foot, style.mouth, style.wall));
  lathe(object, {},
        {{style.mouth, t - 0.12},
         {style.mouth + 0.07, t - 0.1},
         {style.mouth + 0.07, t + 0.02},
         {style.mouth + 0.02, t + 0.06}},
        style.lid, false, true);
  object.push_back(ring({0, 0, t + 0.05}, {0, 0, 1}, 0.85 * style.mouth, 0.04, style.lid));
  return object;
}

Object pot(const PotStyle& style) {
  const double b = style.belly;
  Object object;
  lathe(object, {},
        {{0.55 * b, 0.0},
         {0.62 * b, 0.06},
         {0.85 * b, 0.3},
         {0.98 * b, 0.62},
         {b, 0.85},
         {0.96 * b, 1.1},
         {0.82 * b, 1.38},
         {0.66 * b, 1.52},
         {0.6 * b, 1.56}},
        style.glaze, true);
  if (style.lid) {
    lathe(object, {},
          {{0.68 * b, 1.53}, {0.66 * b, 1.6}, {0.5 * b, 1.72}, {0.25 * b, 1.8}, {0.1, 1.82}},
          style.glaze, false, true);
    object.push_back(ball({0, 0, 1.92}, 0.16, style.glaze));
  } else {
    lathe(object, {},
          {{0.6 * b, 1.56}, {0.68 * b, 1.72}, {0.74 * b, 1.78}, {0.66 * b, 1.7}, {0.56 * b, 1.5}},
          style.glaze);
    object.push_back(
        cylinder({0, 0, 1.2}, {0, 0, 0.02}, 0.8 * b, plain(0.3 * style.glaze.base, 0.1, 3)));
  }
  if (style.spout) {
    object.push_back(frustum({0.75 * b, 0, 0.6}, {0.62, 0, 0.5}, 0.3, 0.17, style.glaze));
    object.push_back(frustum({0.75 * b + 0.58, 0, 1.06}, {0.2, 0, 0.42}, 0.18, 0.12, style.glaze));
    object.push_back(
        handle({.radius = 0.85 * b, .height = 0.92, .reach = 0.55, .tall = 0.95, .turns = 0.5},
               style.glaze));
  } else {
    for (const double turns : {0.0, 0.5}) {
      const Handle ear = {.radius = 0.85 * b,
                          .height = 1.15,
                          .reach = 0.38,
                          .tall = 0.5,
                          .tube = 0.09,
                          .turns = turns};
      object.push_back(handle(ear, style.glaze));
    }
  }
  return object;
}

}  // namespace subspace::datasets::turntable
