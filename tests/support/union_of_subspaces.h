// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <Eigen/QR>

#include <subspace/core/random.h>
#include <subspace/core/types.h>

#include "support/random_data.h"

namespace subspace::testing {

/// Points on random subspaces through the origin, the subspaces one after another.
struct UnionOfSubspaces {
  Matrix points = {};
  Labels labels = {};
};
inline UnionOfSubspaces union_of_subspaces(Index ambient, Index dimension, int num_subspaces,
                                           Index per_subspace, double noise, std::uint64_t seed) {
  UnionOfSubspaces result;
  result.points.resize(ambient, num_subspaces * per_subspace);
  for (int k = 0; k < num_subspaces; ++k) {
    const std::uint64_t own = seed * 1000 + static_cast<std::uint64_t>(k);
    const Matrix basis =
        Eigen::HouseholderQR<Matrix>(random_matrix(ambient, dimension, own)).householderQ() *
        Matrix::Identity(ambient, dimension);
    result.points.middleCols(k * per_subspace, per_subspace) =
        basis * random_matrix(dimension, per_subspace, own + 500) +
        noise * random_matrix(ambient, per_subspace, own + 700);
    result.labels.insert(result.labels.end(), static_cast<std::size_t>(per_subspace), k);
  }
  return result;
}

}  // namespace subspace::testing
