// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "turntable/build.h"

namespace subspace::datasets::turntable {

// Families of objects. Each takes a style, whose defaults give the plainest member.

/// A colour by its levels in the picture, 0 .. 255.
Vec3 paint(int red, int green, int blue);
Material plain(const Vec3& color, double gloss = 0.3, int shininess = 5);
Material wooden(const Vec3& light, const Vec3& dark, double pitch, std::uint32_t seed);
/// The material with a pattern of `second` on it.
Material patterned(Material material, Pattern pattern, const Vec3& second, double pitch,
                   std::uint32_t seed = 0);
/// Printed paper for wrapping.
Material wrapper(const Vec3& ground, const Vec3& block, const Vec3& letters, std::uint32_t seed);

struct CarStyle {
  Vec3 body = paint(190, 40, 35);
  Vec3 roof = paint(190, 40, 35);
  Vec3 stripe = paint(190, 40, 35);  ///< along the sides
  double cabin = 1.0;                ///< length of the cabin
  double back = 0.5;                 ///< slope of the rear window: 0 upright
  double wheel = 0.42;
  bool lights_on_roof = false;
};
Object car(const CarStyle& style);

struct DuckStyle {
  Vec3 body = paint(236, 190, 40);
  Vec3 beak = paint(230, 110, 30);
  double head = 0.62;
  double neck = 0.0;  ///< how far the head is turned, in turns
};
Object duck(const DuckStyle& style);

struct PigStyle {
  Material skin = plain(paint(225, 150, 150), 0.8, 6);
  double fat = 1.0;
  double snout = 0.3;
};
Object pig(const PigStyle& style);

struct CatStyle {
  Vec3 fur = paint(235, 230, 220);
  Vec3 collar = paint(190, 30, 40);
  bool waving = true;
  double head = 0.72;
};
Object cat(const CatStyle& style);

struct CartonStyle {
  Vec3 half = {1.3, 0.5, 0.85};
  Vec3 ground = paint(235, 232, 220);
  Vec3 block = paint(180, 40, 40);
  Vec3 letters = paint(245, 240, 230);
  std::uint32_t print = 1;
};
Object carton(const CartonStyle& style);

struct BlocksStyle {
  int plan = 0;  ///< 0: arch, 1: house, 2: tower, 3: stairs
  Vec3 light = paint(222, 178, 120);
  Vec3 dark = paint(160, 105, 60);
  double scale = 1.0;  ///< height over width
};
Object blocks(const BlocksStyle& style);

struct CupStyle {
  Material glaze = plain(paint(225, 222, 210), 0.8, 6);
  double mouth = 0.9;  ///< radius at the rim
  double foot = 0.8;   ///< radius at the bottom
  double tall = 1.9;
  double grip = 0.5;  ///< reach of the handle
};
Object cup(const CupStyle& style);

struct BottleStyle {
  Material body = plain(paint(230, 230, 225), 0.5, 5);
  Material label = plain(paint(60, 110, 180), 0.3, 4);
  Material cap = plain(paint(230, 230, 235), 0.5, 5);
  double radius = 0.62;
  double tall = 2.2;
  double neck = 0.3;
  double flat = 1.0;  ///< depth over width of the body
};
Object bottle(const BottleStyle& style);

struct JarStyle {
  Material body = plain(paint(235, 225, 190), 0.5, 5);
  Material lid = plain(paint(40, 70, 140), 0.5, 5);
  double radius = 0.95;
  double tall = 1.3;
};
Object jar(const JarStyle& style);

struct TubStyle {
  Material wall = plain(paint(235, 235, 235), 0.4, 5);
  Material lid = plain(paint(235, 235, 235), 0.4, 5);
  double mouth = 1.15;
  double foot = 0.9;
  double tall = 1.1;
};
Object tub(const TubStyle& style);

struct PotStyle {
  Material glaze = plain(paint(120, 80, 50), 0.9, 6);
  double belly = 1.05;
  bool spout = false;  ///< a teapot, else a pot with two ears
  bool lid = true;
};
Object pot(const PotStyle& style);

struct MushroomStyle {
  Material hat = plain(paint(190, 60, 40), 0.5, 5);
  Material stem = plain(paint(230, 215, 180), 0.2, 4);
  double hat_radius = 1.1;
  double lean = 0.02;  ///< of the hat, in turns
};
Object mushroom(const MushroomStyle& style);

struct LampStyle {
  Material shade = plain(paint(220, 200, 160), 0.1, 3);
  Material foot = plain(paint(160, 120, 60), 0.8, 6);
  double slant = 0.45;  ///< upper radius of the shade over the lower
};
Object lamp(const LampStyle& style);

struct AdapterStyle {
  Vec3 body = paint(215, 210, 195);
  Vec3 metal = paint(190, 170, 110);
  double waist = 0.6;
};
/// A lamp socket with a switch and two prongs.
Object adapter(const AdapterStyle& style);

}  // namespace subspace::datasets::turntable
