// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {
namespace {

constexpr Vec3 kBlack = {0.005, 0.005, 0.006};

/// A shiny eye; `from` is the centre of the head, `towards` where it looks.
Part eye(const Vec3& from, const Vec3& towards, double reach, double radius) {
  return ball(from + reach * normalized(towards), radius, plain(kBlack, 1.0, 7));
}

Vec3 turned_by(const Vec3& a, double turns) {
  const auto [s, c] = sine_cosine(turns);
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

}  // namespace

Object duck(const DuckStyle& style) {
  const Material rubber = plain(style.body, 0.6, 5);
  Object object;
  object.push_back(cut(ellipsoid({0, 0, 0.72}, {1.3, 0.95, 0.8}, rubber), {0, 0, -1}, 0.88));
  // Breast, tail and wings.
  object.push_back(ellipsoid({0.55, 0, 0.85}, {0.75, 0.8, 0.7}, rubber));
  object.push_back(tilted_about_v(ellipsoid({-1.15, 0, 1.1}, {0.5, 0.42, 0.2}, rubber), 0.08));
  for (const double side : {-1.0, 1.0}) {
    Part wing = ellipsoid({-0.2, side * 0.86, 0.85}, {0.65, 0.18, 0.36}, rubber);
    object.push_back(tilted_about_v(wing, 0.04));
  }
  const Vec3 head = {0.62, 0, 1.85};
  const auto ahead = [&](const Vec3& a) { return head + turned_by(a, style.neck); };
  object.push_back(ball(head, style.head, rubber));
  object.push_back(cylinder({0.6, 0, 1.1}, {0.02, 0, 0.4}, 0.5, rubber));
  const Material horn = plain(style.beak, 0.6, 5);
  const double front = style.head + 0.12;
  object.push_back(turned(ellipsoid({0, 0, 0}, {0.36, 0.3, 0.09}, horn), style.neck));
  object.back().center = ahead({front, 0, -0.02});
  object.push_back(turned(ellipsoid({0, 0, 0}, {0.28, 0.24, 0.07}, horn), style.neck));
  object.back().center = ahead({front - 0.05, 0, -0.14});
  for (const double side : {-1.0, 1.0}) {
    object.push_back(eye(head, turned_by({0.75, side * 0.55, 0.32}, style.neck), style.head, 0.1));
  }
  return object;
}

Object pig(const PigStyle& style) {
  const Material& skin = style.skin;
  const double fat = style.fat;
  Object object;
  object.push_back(ellipsoid({0, 0, 1.15}, {1.35, 0.95 * fat, 0.92 * fat}, skin));
  object.push_back(ellipsoid({1.1, 0, 1.35}, {0.6, 0.62, 0.6}, skin));
  object.push_back(cylinder({1.5, 0, 1.25}, {0.35, 0, 0}, style.snout, skin));
  for (const double side : {-1.0, 1.0}) {
    object.push_back(ball({1.86, side * 0.11, 1.28}, 0.06, plain(kBlack, 0.2, 4)));
    object.push_back(eye({1.1, 0, 1.35}, {0.75, side * 0.6, 0.45}, 0.58, 0.07));
    Part ear = frustum({1.0, side * 0.38, 1.75}, {0.12, side * 0.16, 0.42}, 0.24, 0.02, skin);
    object.push_back(ear);
    for (const double x : {-0.75, 0.7}) {
      object.push_back(frustum({x, side * 0.5, 0}, {0, 0, 0.7}, 0.2, 0.3, skin));
    }
  }
  object.push_back(ring({-1.42, 0, 1.3}, {0.3, 1, 0}, 0.15, 0.05, skin));
  object.push_back(box({0, 0, 1.15 + 0.915 * fat}, {0.32, 0.05, 0.02}, plain(kBlack, 0.1, 3)));
  return object;
}

Object cat(const CatStyle& style) {
  const Material fur = plain(style.fur, 0.7, 6);
  const Material red = plain(style.collar, 0.6, 5);
  Object object;
  object.push_back(ellipsoid({-0.05, 0, 0.85}, {0.85, 0.85, 1.0}, fur));
  object.back() = cut(object.back(), {0, 0, -1}, 0.85);
  const Vec3 head = {0.1, 0, 2.15};
  object.push_back(ellipsoid(head, {style.head, 1.08 * style.head, 0.9 * style.head}, fur));
  object.push_back(ring({0.05, 0, 1.62}, {0, 0, 1}, 0.5, 0.1, red));
  object.push_back(ball({0.62, 0, 1.5}, 0.15, plain(paint(225, 180, 60), 1.0, 6)));
  object.push_back(ball({0.1 + style.head, 0, 2.1}, 0.08, plain(paint(215, 120, 120), 0.5, 5)));
  for (const double side : {-1.0, 1.0}) {
    object.push_back(frustum({0.1, side * 0.42, 2.6}, {0, side * 0.14, 0.42}, 0.27, 0.02, fur));
    object.push_back(frustum({0.2, side * 0.43, 2.62}, {0.02, side * 0.12, 0.3}, 0.17, 0.01, red));
    object.push_back(eye(head, {0.85, side * 0.42, 0.2}, 0.93 * style.head, 0.1));
    object.push_back(ellipsoid({0.72, side * 0.42, 0.16}, {0.35, 0.24, 0.18}, fur));
    const bool up = style.waving && side > 0.0;
    if (up) {
      object.push_back(frustum({0.35, 0.72, 1.2}, {0.25, 0.22, 1.0}, 0.24, 0.2, fur));
      object.push_back(ball({0.62, 0.95, 2.28}, 0.25, fur));
    } else {
      object.push_back(ellipsoid({0.6, side * 0.5, 0.85}, {0.2, 0.2, 0.6}, fur));
    }
  }
  object.push_back(tilted_about_v(ellipsoid({-0.95, 0.2, 0.5}, {0.5, 0.18, 0.18}, fur), 0.1));
  return object;
}

}  // namespace subspace::datasets::turntable
