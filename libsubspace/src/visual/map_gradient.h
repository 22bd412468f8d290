// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// The gradient of KL(P | Q) of neighbor_map() by the places of the points:
///
///   dKL/dy_i = 4 sum_j p_ij w_ij (y_i - y_j) - 4 / Z sum_j w_ij^2 (y_i - y_j),   Z = sum_kl w_kl,
///
/// the first sum over the neighbours, the second over all points.
class MapGradient {
 public:
  explicit MapGradient(const SparseMatrix& P);

  /// At the places Y (2 x N), with the first sum multiplied by `exaggeration`.
  const Matrix& at(const Matrix& Y, double exaggeration, const Context& context);

 private:
  void set_places(const Matrix& Y);
  void set_forces(Index i);

  const SparseMatrix& P_;
  std::vector<double> x_;  ///< the places by coordinate, padded
  std::vector<double> y_;
  Matrix attraction_;  ///< the two sums, 2 x N
  Matrix repulsion_;
  Vector weights_;  ///< sum_j w_ij
  Matrix gradient_;
};

}  // namespace subspace
