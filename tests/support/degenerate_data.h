// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

#include "support/random_data.h"

namespace subspace::testing {

/// What no method may stumble over, of one size: noise, a zero point among others, rank one, all
/// zero, all equal, and noise at the ends of the scale.
inline std::vector<Matrix> degenerate_data(Index dimension, Index points) {
  const Matrix noise = random_matrix(dimension, points, 11);
  Matrix with_zero = noise;
  with_zero.col(points / 2).setZero();
  const Matrix rank_one = noise.col(0) * random_matrix(1, points, 12);
  return {noise,
          with_zero,
          rank_one,
          Matrix::Zero(dimension, points),
          Matrix::Constant(dimension, points, 7.0),
          noise * 1e-150,
          noise * 1e150};
}

}  // namespace subspace::testing
