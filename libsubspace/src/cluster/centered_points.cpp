// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/centered_points.h"

#include <algorithm>
#include <cmath>

#include "linalg/linalg.h"

namespace subspace {

CenteredPoints::CenteredPoints(const ConstMatrixRef& X) {
  const double largest = X.cwiseAbs().maxCoeff();
  if (largest > 0.0) scale = std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1020, 1020));
  points = X * scale;
  mean = points.rowwise().mean();
  points.colwise() -= mean;
  squared_norms = points.colwise().squaredNorm().transpose();
  mean_variance = squared_norms.mean() / static_cast<double>(points.rows());
}

Eigen::Ref<const Matrix> DistanceBlock::compute(const int* list, Index count) {
  const Index dimension = points_.dimension();
  const double* columns = points_.points.col(list[0]).data();
  if (list[count - 1] - list[0] != count - 1) {
    if (gathered_.size() == 0) gathered_.resize(dimension, kCapacity);
    for (Index m = 0; m < count; ++m) gathered_.col(m) = points_.points.col(list[m]);
    columns = gathered_.data();
  }
  linalg::gemm({.transpose_a = true,
                .m = distances_.rows(),
                .n = count,
                .k = dimension,
                .a = centers_.points.data(),
                .lda = dimension,
                .b = columns,
                .ldb = dimension,
                .c = distances_.data(),
                .ldc = distances_.rows(),
                .alpha = -2.0});
  for (Index m = 0; m < count; ++m) {
    distances_.col(m).array() += centers_.squared_norms.array() + points_.squared_norms[list[m]];
  }
  return distances_.leftCols(count);
}

}  // namespace subspace
