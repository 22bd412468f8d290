// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>

namespace subspace {

/// The mean column of a non-empty X, also where the sum of the columns would overflow.
inline Vector mean_column(const ConstMatrixRef& X) {
  const double n = static_cast<double>(X.cols());
  Vector mean = X.rowwise().sum() / n;
  if (!mean.allFinite()) mean = (X / n).rowwise().sum();
  return mean;
}

}  // namespace subspace
