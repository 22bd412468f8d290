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

void DistanceBlock::compute(const int* list, Index count, double* out) {
  const Index dimension = points_.dimension();
  const Index num_centers = centers_.points.cols();
  const double* columns = points_.points.col(list[0]).data();
  if (list[count - 1] - list[0] != count - 1) {
    if (gathered_.size() == 0) gathered_.resize(dimension, kCapacity);
    for (Index m = 0; m < count; ++m) gathered_.col(m) = points_.points.col(list[m]);
    columns = gathered_.data();
  }
  Eigen::Map<Matrix>(out, num_centers, count).colwise() = centers_.squared_norms;
  linalg::gemm({.transpose_a = true,
                .m = num_centers,
                .n = count,
                .k = dimension,
                .a = centers_.points.data(),
                .lda = dimension,
                .b = columns,
                .ldb = dimension,
                .c = out,
                .ldc = num_centers,
                .alpha = -2.0,
                .beta = 1.0});
}

}  // namespace subspace
