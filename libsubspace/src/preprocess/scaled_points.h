// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>

#include "preprocess/power_of_two.h"

namespace subspace {

/// The points as they are or, where products of them might overflow or underflow, a copy times
/// 2^-exponent, which is exact. Refers to X, which must outlive it.
class ScaledPoints {
 private:
  static int extreme_exponent(const ConstMatrixRef& X) {
    const double largest = X.cwiseAbs().maxCoeff();
    if (largest == 0.0 || (largest > 1e-50 && largest < 1e50)) return 0;
    return binary_exponent(X);
  }
  static Matrix scaled_copy(const ConstMatrixRef& X, int exponent) {
    if (exponent == 0) return {};
    Matrix copy = X;
    scale_by_power_of_two(copy, -exponent);
    return copy;
  }
  Matrix copy_;

 public:
  explicit ScaledPoints(const ConstMatrixRef& X)
      : copy_(scaled_copy(X, extreme_exponent(X))),
        exponent(extreme_exponent(X)),
        points(exponent == 0 ? X : ConstMatrixRef(copy_)) {}
  ScaledPoints(const ScaledPoints&) = delete;
  ScaledPoints& operator=(const ScaledPoints&) = delete;

  const int exponent;
  const ConstMatrixRef points;
};

}  // namespace subspace
