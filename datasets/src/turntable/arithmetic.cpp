// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/arithmetic.h"

namespace subspace::datasets::turntable {
namespace {

constexpr double kTwoPi = 6.283185307179586;

/// Taylor series for |angle| <= pi / 4.
SineCosine series(double angle) {
  const double s = angle * angle;
  double sine = 1.0;
  double cosine = 1.0;
  for (int k = 14; k >= 2; k -= 2) {
    cosine = 1.0 - cosine * s / static_cast<double>(k * (k - 1));
    sine = 1.0 - sine * s / static_cast<double>(k * (k + 1));
  }
  return {sine * angle, cosine};
}

/// atan(ratio) for 0 <= ratio <= 1: [Abramowitz and Stegun, 4.4.49].
double arc_tangent(double ratio) {
  const double s = ratio * ratio;
  return ratio *
         (0.9998660 + s * (-0.3302995 + s * (0.1801410 + s * (-0.0851330 + s * 0.0208351))));
}

}  // namespace

SineCosine sine_cosine(double turns) {
  const double eighths = fraction_of(turns) * 8.0;
  const int quarter = floor_of((eighths + 1.0) * 0.5);
  const SineCosine part = series((eighths - 2.0 * quarter) * (kTwoPi / 8.0));
  switch (quarter % 4) {
    case 0:
      return part;
    case 1:
      return {part.cosine, -part.sine};
    case 2:
      return {-part.sine, -part.cosine};
    default:
      return {-part.cosine, part.sine};
  }
}

double turns_of(double x, double y) {
  const double ax = magnitude(x);
  const double ay = magnitude(y);
  if (ax == 0.0 && ay == 0.0) return 0.0;
  double turns = ax >= ay ? arc_tangent(ay / ax) / kTwoPi : 0.25 - arc_tangent(ax / ay) / kTwoPi;
  if (x < 0.0) turns = 0.5 - turns;
  if (y < 0.0) turns = 1.0 - turns;
  return fraction_of(turns);
}

}  // namespace subspace::datasets::turntable
