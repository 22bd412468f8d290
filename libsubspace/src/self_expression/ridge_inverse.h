// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// w -> M^-1 w for M = I + weight G + 11' with the Gram matrix G of N points, 1 marking the first
/// `summed` of them (none: 0): the matrix of every step of ADMM. Of N points in D dimensions either
/// the N x N inverse is kept or, where that is more than twice the work, D x N numbers F with
/// M^-1 = I - F'F: by Woodbury's formula F = L^-1 Y, Y = [sqrt(weight) X; 1'], L L' = I + Y Y'.
class RidgeInverse {
 public:
  static RidgeInverse of_gram(Matrix G, double weight, Index summed, const Context& context);
  static RidgeInverse of_points(const ConstMatrixRef& X, double weight, Index summed,
                                const Context& context);
  /// Numbers that of_points() keeps and works with.
  static double bytes_of_points(Index dimension, Index num_points);

  /// out = M^-1 in for `columns` vectors without gaps; `out` must not overlap `in`.
  void apply(const double* in, Index columns, double* out, Vector& work) const;

 private:
  static bool is_dense(Index dimension, Index num_points) { return num_points <= 2 * dimension; }

  Matrix inverse_ = {};
  Matrix factor_ = {};
};

}  // namespace subspace
