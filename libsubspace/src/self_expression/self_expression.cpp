// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/self_expression.h>

#include <algorithm>
#include <limits>

#include "linalg/largest.h"

namespace subspace {

const std::vector<SolveInfo>& solves(const Representation& representation) {
  return std::visit(
      [](const auto& own) -> const auto& { return own.solves; }, representation);
}

Index num_unconverged(const std::vector<SolveInfo>& solves) {
  return std::count_if(solves.begin(), solves.end(),
                       [](const SolveInfo& info) { return !info.converged(); });
}

Index num_unconverged(const Representation& representation) {
  return num_unconverged(solves(representation));
}

double max_residual(const std::vector<SolveInfo>& solves) {
  if (solves.empty()) return std::numeric_limits<double>::quiet_NaN();
  double largest = 0.0;
  for (const SolveInfo& info : solves) {
    keep_largest(info.residual, largest);
  }
  return largest;
}

double max_residual(const Representation& representation) {
  return max_residual(solves(representation));
}

}  // namespace subspace
