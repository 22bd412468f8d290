// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// A point set moved to its mean and scaled by a power of two to entries of at most about 1, so that
/// neither the cancellation in |x|^2 + |c|^2 - 2 x'c nor the range of double can hurt.
struct CenteredPoints {
  explicit CenteredPoints(const ConstMatrixRef& X);

  Matrix points = {};         ///< D x N
  Vector squared_norms = {};
  Vector mean = {};           ///< in scaled coordinates
  double scale = 1.0;         ///< points = scale X - mean
  double mean_variance = 0.0; ///< of the features, in scaled coordinates

  Index dimension() const { return points.rows(); }
  Index size() const { return points.cols(); }
};

/// Places with their squared norms, for distances by GEMM.
struct Centers {
  Matrix points = {};  ///< D x k
  Vector squared_norms = {};
  void update_norms() { squared_norms = points.colwise().squaredNorm().transpose(); }
};

/// Squared distances k x m of a few centres to a list of points, with its own memory.
class DistanceBlock {
 public:
  static constexpr Index kCapacity = 256;

  DistanceBlock(const CenteredPoints& points, const Centers& centers)
      : points_(points), centers_(centers), distances_(centers.points.cols(), kCapacity) {}

  /// For points list[0 .. count), increasing, count <= kCapacity. Subject to cancellation: see near().
  Eigen::Ref<const Matrix> compute(const int* list, Index count);

  /// True when `squared_distance` of a point and a centre has lost digits: then use the differences.
  bool near(double squared_distance, Index point, Index center) const {
    constexpr double kCancelled = 1e-6;
    return squared_distance <
           kCancelled * (points_.squared_norms[point] + centers_.squared_norms[center]);
  }
  double direct(Index point, Index center) const {
    return (points_.points.col(point) - centers_.points.col(center)).squaredNorm();
  }

 private:
  const CenteredPoints& points_;
  const Centers& centers_;
  Matrix gathered_;
  Matrix distances_;
};

}  // namespace subspace
