// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/self_expression.h>

#include <algorithm>
#include <limits>

namespace subspace {

Index num_unconverged(const SelfExpression& representation) {
  return std::count_if(representation.solves.begin(), representation.solves.end(),
                       [](const SolveInfo& info) { return !info.converged(); });
}

double max_residual(const SelfExpression& representation) {
  if (representation.solves.empty()) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0.0;
  for (const SolveInfo& info : representation.solves) {
    if (!(info.residual <= largest)) largest = info.residual;  // NaN is no small residual
  }
  return largest;
}

}  // namespace subspace
