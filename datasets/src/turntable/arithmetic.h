// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

// The pixels must be the same bytes from every compiler and on every machine. So everything that
// leads to them uses + - * / and sqrt on doubles, which IEEE 754 rounds correctly, in the order
// written: datasets/CMakeLists.txt has these sources compiled without fused operations, and no
// function of libm but sqrt is called.

#include <cfloat>
#include <cmath>
#include <cstdint>

#ifdef __FAST_MATH__
#error "turntable: -ffast-math reorders sums and would change the pixels"
#endif

namespace subspace::datasets::turntable {

static_assert(FLT_EVAL_METHOD == 0, "turntable: doubles must be evaluated as doubles");

inline constexpr double kFar = 1e9;  ///< farther than anything on the stage

inline double smaller(double a, double b) { return b < a ? b : a; }
inline double larger(double a, double b) { return a < b ? b : a; }
inline double magnitude(double a) { return a < 0.0 ? -a : a; }
inline double clamp(double a, double low, double high) { return smaller(larger(a, low), high); }
inline double mix(double a, double b, double weight) { return a + (b - a) * weight; }

/// Floor of |a| < 2^31.
inline std::int32_t floor_of(double a) {
  const auto truncated = static_cast<std::int32_t>(a);
  return a < static_cast<double>(truncated) ? truncated - 1 : truncated;
}
inline double fraction_of(double a) { return a - static_cast<double>(floor_of(a)); }

/// 0 below `low`, 1 above `high`, 3 s^2 - 2 s^3 between.
inline double smooth_step(double low, double high, double a) {
  const double s = clamp((a - low) / (high - low), 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

/// base^(2^squarings).
inline double power(double base, int squarings) {
  for (int i = 0; i < squarings; ++i) base *= base;
  return base;
}

struct SineCosine {
  double sine = 0.0;
  double cosine = 1.0;
};

/// Sine and cosine of an angle in turns (1 = 360 degrees), to about 1e-13.
SineCosine sine_cosine(double turns);

/// Angle of (x, y) in turns, in [0, 1), to about 2e-6.
double turns_of(double x, double y);

}  // namespace subspace::datasets::turntable
