// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/parallel.h>
#include <subspace/neighbors/knn.h>

namespace subspace {

/// What the neighbour search needs to know about one point set: how to get distances of whole tiles
/// from a GEMM with a bound on their error, and how to get one distance directly. Works with the
/// squared distance for kEuclidean and the distance itself for the others; `reported` converts.
class Geometry {
 public:
  Geometry(const ConstMatrixRef& X, Metric metric, const Context& context);

  /// Distances between the points [row_begin, row_end) and [column_begin, column_end), by one GEMM.
  Matrix distances(Index row_begin, Index row_end, Index column_begin, Index column_end) const;

  /// The distance of two points by their differences, without cancellation; 0 for equal points.
  double direct(Index i, Index j) const;

  /// Two distances from point i whose GEMM values differ by more are in the same order directly.
  double ambiguity(Index i) const;

  /// The distance the caller sees.
  double reported(double value) const;

 private:
  /// Columns [begin, end) as the GEMM takes them: X itself, or a rescaled and centred copy in
  /// `storage`.
  struct Columns {
    const double* data = nullptr;
    Index stride = 0;
  };
  Columns columns(Index begin, Index end, Matrix& storage) const;
  /// Turns inner products of the columns from row_begin and column_begin on into distances, in
  /// place.
  void to_distances(Index row_begin, Index column_begin, Matrix& products) const;

  void choose_scales();
  void choose_center();
  void measure_columns(const Context& context);
  auto scaled(Index j) const { return X_.col(j) * scale_[j]; }

  const ConstMatrixRef& X_;
  Metric metric_;
  bool copies_columns_ = false;
  Vector scale_;   ///< a power of two per column, exact to multiply with; all equal for kEuclidean
  Vector center_;  ///< in scaled coordinates; empty: the origin
  Vector norms_;   ///< kEuclidean: squared norms; else reciprocal norms, 0 for zero columns
  double largest_norm_ = 0.0;
};

}  // namespace subspace
