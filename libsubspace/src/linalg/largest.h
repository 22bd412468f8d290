// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>

namespace subspace {

/// The largest of errors that come one by one. NaN is no small error: once met, it stays.
inline void keep_largest(double value, double& largest) {
  if (!(value <= largest) && !std::isnan(largest)) largest = value;
}

}  // namespace subspace
