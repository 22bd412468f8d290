// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>

#include <subspace/core/types.h>

namespace subspace {

/// The e for which the largest magnitude lies in [1/2, 1) times 2^e; 0 of zero data.
inline int binary_exponent(const Matrix& X) {
  int exponent = 0;
  std::frexp(X.cwiseAbs().maxCoeff(), &exponent);
  return exponent;
}

/// Times 2^exponent, which is exact; after -binary_exponent() moments neither overflow nor
/// underflow.
inline void scale_by_power_of_two(Matrix& X, int exponent) {
  if (exponent != 0) X = X.unaryExpr([exponent](double x) { return std::ldexp(x, exponent); });
}

}  // namespace subspace
