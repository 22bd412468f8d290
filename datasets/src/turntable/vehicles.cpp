// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {
namespace {

/// Tyre and hub on the side y = side * 0.86.
void add_wheel(Object& object, double x, double side, double radius) {
  const Vec3 hub = {x, side * 0.62, radius};
  object.push_back(cylinder(hub, {0, side * 0.26, 0}, radius, plain(paint(38, 38, 40), 0.2, 4)));
  object.push_back(
      cylinder(hub, {0, side * 0.28, 0}, 0.58 * radius, plain(paint(205, 205, 210), 0.9, 6)));
}

void add_lights(Object& object, double side) {
  object.push_back(ellipsoid({1.98, side * 0.55, 0.78}, {0.08, 0.15, 0.12},
                             plain(paint(250, 250, 230), 1.0, 6)));
  object.push_back(
      box({-1.99, side * 0.58, 0.8}, {0.04, 0.14, 0.09}, plain(paint(170, 30, 30), 0.8, 6)));
}

}  // namespace

Object car(const CarStyle& style) {
  const Material lacquer = plain(style.body, 0.9, 6);
  const Material chrome = plain(paint(200, 200, 205), 0.9, 6);
  const Material glass = plain(paint(45, 55, 65), 1.0, 7);
  Object object;
  // The body, its bonnet falling to the front.
  Part body = box({0, 0, 0.72}, {2.0, 0.84, 0.36}, lacquer);
  object.push_back(cut(cut(body, {0.35, 0, 1}, 1.12), {-0.2, 0, 1}, 1.06));
  object.push_back(box({0, 0, 0.68}, {1.9, 0.855, 0.07}, plain(style.stripe, 0.8, 6)));
  object.push_back(box({2.0, 0, 0.5}, {0.09, 0.8, 0.1}, chrome));
  object.push_back(box({-2.0, 0, 0.5}, {0.09, 0.8, 0.1}, chrome));
  // The cabin: glass all round, under a roof on four pillars.
  const double middle = -0.25;
  const Vec3 half = {style.cabin, 0.7, 0.4};
  const auto cabin = [&](const Vec3& stretch, const Material& material) {
    Part part = box({middle, 0, 1.38}, half * stretch, material);
    part.bevel = 0.0;
    return cut(cut(part, {1, 0, 0.35}, 0.75), {-1, 0, style.back}, 1.0 - 0.6 * style.back);
  };
  object.push_back(cabin({1, 1, 1}, glass));
  object.push_back(cut(cabin({1.02, 1.03, 1.05}, plain(style.roof, 0.9, 6)), {0, 0, -1}, -0.72));
  for (const double side : {-1.0, 1.0}) {
    object.push_back(box({middle - 0.05, side * 0.7, 1.36}, {0.07, 0.03, 0.36}, lacquer));
    add_wheel(object, 1.2, side, style.wheel);
    add_wheel(object, -1.25, side, style.wheel);
    add_lights(object, side);
  }
  if (style.lights_on_roof) {
    object.push_back(
        box({middle, 0, 1.86}, {0.14, 0.42, 0.09}, plain(paint(70, 110, 220), 0.9, 6)));
  }
  return object;
}

}  // namespace subspace::datasets::turntable
