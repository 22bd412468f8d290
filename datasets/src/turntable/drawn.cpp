// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/drawn.h"

#include <array>

#include <subspace/core/random.h>

#include "turntable/families.h"

namespace subspace::datasets::turntable {
namespace {

/// Draws from the object's own stream. No expression may hold two draws but a braced list:
/// compilers differ in the order in which they evaluate the arguments of a call.
class Dice {
 public:
  Dice(std::uint64_t seed, int number)
      : random_(stream(seed, Stream::kGenerator, static_cast<std::uint32_t>(number))) {}

  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool toss() { return below(2) == 1; }
  std::uint32_t seed() { return random_(); }

  /// A colour as things are painted: one of a few hues, lighter or darker.
  Vec3 color() {
    static constexpr std::array<std::array<int, 3>, 12> kHues = {{{200, 45, 40},
                                                                  {225, 120, 40},
                                                                  {235, 195, 60},
                                                                  {110, 160, 60},
                                                                  {40, 110, 70},
                                                                  {60, 150, 170},
                                                                  {50, 90, 170},
                                                                  {120, 70, 150},
                                                                  {215, 130, 160},
                                                                  {235, 230, 220},
                                                                  {150, 100, 60},
                                                                  {70, 70, 75}}};
    const auto& hue = kHues[static_cast<std::size_t>(below(12))];
    const double shade = between(0.7, 1.05);
    return shade * paint(hue[0], hue[1], hue[2]);
  }

  /// One colour, more or less shiny.
  Material coat() {
    const Vec3 tint = color();
    const double gloss = between(0.3, 0.9);
    return plain(tint, gloss, 4 + below(3));
  }

  Material finish() {
    static constexpr std::array<Pattern, 7> kPatterns = {
        Pattern::kPlain, Pattern::kPlain,  Pattern::kBands,  Pattern::kStaves,
        Pattern::kDots,  Pattern::kMarble, Pattern::kSpeckle};
    const Pattern pattern = kPatterns[static_cast<std::size_t>(below(7))];
    const Material even = coat();
    const Vec3 second = color();
    // For staves the pitch is a share of the turn and must divide it.
    const double pitch = pattern == Pattern::kStaves ? 1.0 / (4 + below(9)) : between(0.25, 0.6);
    return patterned(even, pattern, second, pitch, seed());
  }

  Material paper() {
    const Vec3 ground = color();
    const Vec3 block = color();
    return wrapper(ground, block, paint(240, 238, 230), seed());
  }

 private:
  RandomStream random_;
};

Object draw_car(Dice& dice) {
  CarStyle style;
  style.body = dice.color();
  style.roof = dice.toss() ? dice.color() : style.body;
  style.stripe = dice.toss() ? dice.color() : style.body;
  style.cabin = dice.between(0.9, 1.5);
  style.back = dice.between(0.05, 0.5);
  style.wheel = dice.between(0.36, 0.48);
  style.lights_on_roof = dice.toss();
  return car(style);
}

Object draw_duck(Dice& dice) {
  DuckStyle style;
  style.body = dice.color();
  style.beak = dice.color();
  style.head = dice.between(0.5, 0.72);
  style.neck = dice.between(-0.12, 0.12);
  return duck(style);
}

Object draw_pig(Dice& dice) {
  PigStyle style;
  style.skin = dice.finish();
  style.fat = dice.between(0.85, 1.1);
  style.snout = dice.between(0.24, 0.36);
  return pig(style);
}

Object draw_cat(Dice& dice) {
  CatStyle style;
  style.fur = dice.color();
  style.collar = dice.color();
  style.waving = dice.toss();
  style.head = dice.between(0.62, 0.8);
  return cat(style);
}

Object draw_carton(Dice& dice) {
  CartonStyle style;
  style.half = {dice.between(0.9, 1.4), dice.between(0.35, 0.8), dice.between(0.5, 1.5)};
  style.ground = dice.color();
  style.block = dice.color();
  style.print = dice.seed();
  return carton(style);
}

Object draw_blocks(Dice& dice) {
  BlocksStyle style;
  style.plan = dice.below(4);
  const Vec3 stain = dice.color();
  style.light = mix(style.light, stain, dice.between(0.0, 0.4));
  style.dark = mix(style.dark, stain, dice.between(0.0, 0.8));
  style.scale = dice.between(0.7, 1.2);
  return blocks(style);
}

Object draw_cup(Dice& dice) {
  CupStyle style;
  style.glaze = dice.finish();
  style.mouth = dice.between(0.8, 1.1);
  style.foot = dice.between(0.6, 0.95);
  style.tall = dice.between(1.3, 2.2);
  style.grip = dice.between(0.4, 0.6);
  return cup(style);
}

Object draw_bottle(Dice& dice) {
  BottleStyle style;
  style.body = dice.coat();
  style.label = dice.paper();
  style.cap = dice.coat();
  style.radius = dice.between(0.45, 0.75);
  style.tall = dice.between(1.7, 2.6);
  style.neck = dice.between(0.18, 0.4);
  style.flat = dice.between(0.55, 1.0);
  return bottle(style);
}

Object draw_jar(Dice& dice) {
  JarStyle style;
  style.body = dice.paper();
  style.lid = dice.coat();
  style.radius = dice.between(0.7, 1.0);
  style.tall = dice.between(1.1, 1.9);
  return jar(style);
}

Object draw_tub(Dice& dice) {
  TubStyle style;
  style.wall = dice.paper();
  style.lid = dice.coat();
  style.mouth = dice.between(1.0, 1.2);
  style.foot = dice.between(0.75, 0.95);
  style.tall = dice.between(0.8, 1.6);
  return tub(style);
}

Object draw_pot(Dice& dice) {
  PotStyle style;
  style.glaze = dice.finish();
  style.belly = dice.between(0.95, 1.15);
  style.spout = dice.toss();
  style.lid = style.spout || dice.toss();
  return pot(style);
}

Object draw_mushroom(Dice& dice) {
  MushroomStyle style;
  style.hat = dice.finish();
  style.hat_radius = dice.between(0.8, 1.2);
  style.lean = dice.between(0.0, 0.03);
  return mushroom(style);
}

Object draw_lamp(Dice& dice) {
  LampStyle style;
  style.shade = dice.finish();
  style.foot = dice.coat();
  style.slant = dice.between(0.35, 0.8);
  return lamp(style);
}

Object draw_adapter(Dice& dice) {
  AdapterStyle style;
  style.body = dice.color();
  style.waist = dice.between(0.52, 0.7);
  return adapter(style);
}

}  // namespace

Object drawn_object(int number, std::uint64_t seed) {
  using Draw = Object (*)(Dice&);
  constexpr std::array<Draw, 14> kFamilies = {
      draw_car, draw_duck, draw_pig, draw_cat,  draw_carton,   draw_blocks, draw_cup,
      draw_jar, draw_tub,  draw_pot, draw_lamp, draw_mushroom, draw_bottle, draw_adapter};
  Dice dice(seed, number);
  return kFamilies[static_cast<std::size_t>(dice.below(14))](dice);
}

}  // namespace subspace::datasets::turntable
