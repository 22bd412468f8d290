// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cmath>

#include <subspace/core/types.h>

namespace subspace::testing {

/// The largest violation of the optimality conditions of min_c |c|_1 + lambda/2 |x - E c|^2.
inline double lasso_violation(const Matrix& E, const Vector& x, const Vector& c, double lambda) {
  const Vector q = lambda * (E.transpose() * (x - E * c));
  double largest = 0.0;
  for (Index i = 0; i < q.size(); ++i) {
    largest = std::max(
        largest, c[i] != 0.0 ? std::abs(q[i] - std::copysign(1.0, c[i])) : std::abs(q[i]) - 1.0);
  }
  return largest;
}

}  // namespace subspace::testing
