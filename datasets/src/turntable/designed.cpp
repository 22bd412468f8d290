// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/designed.h"

#include "turntable/families.h"

namespace subspace::datasets::turntable {
namespace {

Object marbled_teapot() {
  PotStyle style;
  style.glaze =
      patterned(plain(paint(150, 95, 60), 0.9, 6), Pattern::kMarble, paint(90, 50, 30), 0.7, 3);
  style.spout = true;
  return pot(style);
}

Object banded_cup() {
  CupStyle style;
  style.glaze =
      patterned(plain(paint(225, 220, 205), 0.8, 6), Pattern::kBands, paint(60, 90, 150), 0.5);
  style.mouth = 1.0;
  style.foot = 0.68;
  style.tall = 1.6;
  return cup(style);
}

Object powder_bottle() {
  BottleStyle style;
  style.label = wrapper(paint(225, 225, 222), paint(70, 120, 190), paint(240, 240, 240), 21);
  style.neck = 0.4;
  style.flat = 0.75;
  return bottle(style);
}

Object sauce_bottle() {
  BottleStyle style;
  style.body = plain(paint(70, 45, 30), 1.0, 7);
  style.label = wrapper(paint(225, 205, 160), paint(140, 40, 30), paint(240, 230, 200), 22);
  style.cap = plain(paint(190, 160, 70), 0.8, 6);
  style.radius = 0.5;
  style.tall = 2.5;
  style.neck = 0.2;
  return bottle(style);
}

Object ointment_jar() {
  JarStyle style;
  style.body = wrapper(paint(200, 205, 170), paint(40, 70, 140), paint(235, 235, 225), 23);
  return jar(style);
}

Object dairy_tub(const Vec3& block, std::uint32_t print) {
  TubStyle style;
  style.wall = wrapper(paint(232, 228, 215), block, paint(240, 240, 235), print);
  return tub(style);
}

}  // namespace

Object designed_object(int number) {
  switch (number) {
    case 0:
      return duck({});
    case 1:
      return blocks({});
    case 2:
      return car({});
    case 3:
      return cat({});
    case 4:
      return carton({});
    case 5:
      return car({.body = paint(60, 100, 170),
                  .roof = paint(225, 225, 225),
                  .stripe = paint(225, 225, 225)});
    case 6:
      return blocks({.plan = 1});
    case 7:
      return powder_bottle();
    case 8:
      return carton({.block = paint(40, 80, 150), .print = 2});
    case 9:
      return ointment_jar();
    case 10:
      return mushroom({.hat = patterned(plain(paint(200, 70, 45), 0.6, 5), Pattern::kDots,
                                        paint(235, 225, 205), 0.55)});
    case 11:
      return cup({});
    case 12:
      return pig({});
    case 13:
      return adapter({});
    case 14:
      return marbled_teapot();
    case 15:
      return sauce_bottle();
    case 16:
      return dairy_tub(paint(60, 120, 70), 31);
    case 17:
      return banded_cup();
    case 18:
      return car({.body = paint(215, 190, 70),
                  .roof = paint(215, 190, 70),
                  .stripe = paint(40, 40, 45),
                  .cabin = 1.5,
                  .back = 0.1});
    default:
      return dairy_tub(paint(170, 60, 90), 32);
  }
}

}  // namespace subspace::datasets::turntable
