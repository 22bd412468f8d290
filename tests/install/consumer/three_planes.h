// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>

#include <subspace/core/types.h>

/// Three planes in six dimensions, spanned by disjoint pairs of axes; point j lies in plane j
/// mod 3.
inline subspace::Matrix three_orthogonal_planes(int points) {
  subspace::Matrix X = subspace::Matrix::Zero(6, points);
  for (int j = 0; j < points; ++j) {
    const int plane = j % 3;
    X(2 * plane, j) = std::cos(0.7 * j);
    X(2 * plane + 1, j) = std::sin(0.7 * j);
  }
  return X;
}

inline subspace::Labels planes_of(int points) {
  subspace::Labels truth;
  for (int j = 0; j < points; ++j) truth.push_back(j % 3);
  return truth;
}
