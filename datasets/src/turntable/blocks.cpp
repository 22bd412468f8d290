// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/families.h"

namespace subspace::datasets::turntable {
namespace {

Part gable(const Vec3& center, const Vec3& half, const Material& material) {
  Part part = box(center, half, material);
  part.bevel = 0.0;
  return cut(cut(part, {1, 0, 0.5}, 0.5), {-1, 0, 0.5}, 0.5);
}

void add_arch(Object& object, const Material& wood, const Material& painted, double tall) {
  for (const double side : {-1.0, 1.0}) {
    object.push_back(box({side * 0.95, 0, 0.7 * tall}, {0.35, 0.5, 0.7 * tall}, wood));
  }
  object.push_back(box({0, 0, 1.4 * tall + 0.25}, {1.3, 0.5, 0.25}, wood));
  object.push_back(cylinder({0, -0.48, 1.4 * tall + 0.95}, {0, 0.96, 0}, 0.45, painted));
}

void add_house(Object& object, const Material& wood, const Material& painted, double tall) {
  object.push_back(box({0, 0, 0.6 * tall}, {1.0, 0.7, 0.6 * tall}, wood));
  object.push_back(gable({0, 0, 1.2 * tall + 0.5}, {1.15, 0.8, 0.5}, painted));
  object.push_back(box({0.5, 0.3, 1.2 * tall + 0.75}, {0.14, 0.14, 0.45}, wood));
  object.push_back(box({0.1, -0.7, 0.38 * tall}, {0.2, 0.03, 0.38 * tall}, painted));
}

void add_tower(Object& object, const Material& wood, const Material& painted, double tall) {
  object.push_back(box({0, 0, 0.45}, {0.8, 0.8, 0.45}, wood));
  object.push_back(turned(box({0, 0, 0.9 + 0.4 * tall}, {0.55, 0.55, 0.4 * tall}, painted), 0.06));
  object.push_back(cylinder({0, 0, 0.9 + 0.8 * tall}, {0, 0, 0.5}, 0.48, wood));
  object.push_back(frustum({0, 0, 1.4 + 0.8 * tall}, {0, 0, 0.8}, 0.5, 0.02, painted));
}

void add_stairs(Object& object, const Material& wood, const Material& painted, double tall) {
  for (int step = 0; step < 3; ++step) {
    const double height = 0.3 * tall * (step + 1);
    object.push_back(
        box({0.75 - 0.75 * step, 0, height}, {0.37, 0.65, height}, step == 1 ? painted : wood));
  }
  object.push_back(ball({-0.75, 0, 1.8 * tall + 0.4}, 0.4, painted));
}

/// The tuck-in flaps of a carton, a shade darker than its face.
void add_flaps(Object& object, const CartonStyle& style) {
  const Material board = plain(0.6 * style.ground, 0.1, 3);
  for (const double side : {-1.0, 1.0}) {
    object.push_back(box({side * style.half.x, 0, style.half.z},
                         {0.012, 0.9 * style.half.y, 0.9 * style.half.z}, board));
  }
}

}  // namespace

Object carton(const CartonStyle& style) {
  Material print = plain(style.ground, 0.35, 4);
  print.pattern = Pattern::kPrinted;
  print.second = style.block;
  print.third = style.letters;
  print.seed = style.print;
  Object object;
  object.push_back(box({0, 0, style.half.z}, style.half, print));
  object.back().bevel = 0.03;
  add_flaps(object, style);
  return object;
}

Object blocks(const BlocksStyle& style) {
  const Material wood = wooden(style.light, style.dark, 0.32, 11);
  const Material painted = wooden(0.6 * style.dark, 0.35 * style.dark, 0.3, 12);
  Object object;
  switch (style.plan) {
    case 0:
      add_arch(object, wood, painted, style.scale);
      break;
    case 1:
      add_house(object, wood, painted, style.scale);
      break;
    case 2:
      add_tower(object, wood, painted, style.scale);
      break;
    default:
      add_stairs(object, wood, painted, style.scale);
  }
  return object;
}

}  // namespace subspace::datasets::turntable
