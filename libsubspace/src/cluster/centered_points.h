// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// A point set moved to its mean and scaled by a power of two to entries of at most about 1, so
/// that neither the cancellation in |x|^2 + |c|^2 - 2 x'c nor the range of double can hurt.
struct CenteredPoints {
  explicit CenteredPoints(const ConstMatrixRef& X);

  Matrix points = {};  ///< D x N
  Vector squared_norms = {};
  Vector mean = {};            ///< in scaled coordinates
  double scale = 1.0;          ///< points = scale X - mean
  double mean_variance = 0.0;  ///< of the features, in scaled coordinates

  Index dimension() const { return points.rows(); }
  Index size() const { return points.cols(); }
};

/// Places with their squared norms, for distances by GEMM.
struct Centers {
  Matrix points = {};  ///< D x k
  Vector squared_norms = {};
  void update_norms() { squared_norms = points.colwise().squaredNorm().transpose(); }
};

/// Squared distances of centres to lists of points by GEMM, with the memory that takes.
class DistanceBlock {
 public:
  static constexpr Index kCapacity = 256;

  DistanceBlock(const CenteredPoints& points, const Centers& centers)
      : points_(points), centers_(centers), largest_center_(centers.squared_norms.maxCoeff()) {}

  /// Fills column m of the k x count block `out` with |c|^2 - 2 c'x, that is the squared distances
  /// less |x|^2, for the point x = list[m]. The list increases and has at most kCapacity points.
  void compute(const int* list, Index count, double* out);

  /// True when the squared distance of a point to a centre, by GEMM, may have lost digits to
  /// cancellation: then take the direct one.
  bool is_cancelled(double squared_distance, Index point) const {
    constexpr double kCancelled = 1e-6;
    return squared_distance < kCancelled * (points_.squared_norms[point] + largest_center_);
  }
  double direct(Index point, Index center) const {
    return (points_.points.col(point) - centers_.points.col(center)).squaredNorm();
  }

 private:
  const CenteredPoints& points_;
  const Centers& centers_;
  double largest_center_;
  Matrix gathered_;
};

}  // namespace subspace
