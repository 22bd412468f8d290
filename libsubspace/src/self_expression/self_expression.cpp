// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/self_expression.h>

#include <algorithm>

namespace subspace {

Index num_unconverged(const SelfExpression& representation) {
  return std::count_if(representation.solves.begin(), representation.solves.end(),
                       [](const SolveInfo& info) { return !info.converged(); });
}

double max_residual(const SelfExpression& representation) {
  double largest = 0.0;
  for (const SolveInfo& info : representation.solves) largest = std::max(largest, info.residual);
  return largest;
}

}  // namespace subspace
