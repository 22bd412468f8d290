// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ssc_violation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/largest.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

/// R -= A C, on the first `columns` columns of C and R.
void subtract_product(const ConstMatrixRef& A, const Matrix& C, Index columns, Matrix& R) {
  linalg::gemm({.m = A.rows(),
                .n = columns,
                .k = A.cols(),
                .a = A.data(),
                .lda = A.outerStride(),
                .b = C.data(),
                .ldb = C.outerStride(),
                .c = R.data(),
                .ldc = R.outerStride(),
                .alpha = -1.0,
                .beta = 1.0});
}

/// The middle of what the coefficients of the support ask for.
double sum_multiplier(const double* q, const double* c, Index n, double weight) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (Index i = 0; i < n; ++i) {
    if (c[i] == 0.0) continue;
    const double asked = std::copysign(1.0, c[i]) - weight * q[i];
    low = std::min(low, asked);
    high = std::max(high, asked);
  }
  return low <= high ? low + (high - low) / 2 : 0.0;
}

}  // namespace

void Products::correlate(const Tile& tile, const Matrix& C, Matrix& Q, Matrix& residuals) const {
  Q.resize(num_atoms(), C.cols());
  if (gram != nullptr) {
    Q.leftCols(tile.size()) = gram->middleCols(tile.begin, tile.size());
    subtract_product(*gram, C, tile.size(), Q);
    return;
  }
  const ConstMatrixRef& X = *atoms;
  residuals.resize(X.rows(), C.cols());
  residuals.leftCols(tile.size()) = X.middleCols(tile.begin, tile.size());
  subtract_product(X, C, tile.size(), residuals);
  linalg::gemm({.transpose_a = true,
                .m = X.cols(),
                .n = tile.size(),
                .k = X.rows(),
                .a = X.data(),
                .lda = X.outerStride(),
                .b = residuals.data(),
                .ldb = residuals.outerStride(),
                .c = Q.data(),
                .ldc = Q.outerStride()});
}

double ssc_violation(const double* q, const double* c, Index n, Index point, double weight,
                     Index summed) {
  const double multiplier = sum_multiplier(q, c, summed, weight);
  double largest = std::fabs(c[point]);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    if (i == point) continue;
    if (i < summed) sum += c[i];
    const double slope = weight * q[i] + (i < summed ? multiplier : 0.0);
    const double violation =
        c[i] != 0.0 ? std::fabs(slope - std::copysign(1.0, c[i])) : std::fabs(slope) - 1.0;
    keep_largest(violation, largest);
  }
  if (summed > 0 && !(std::fabs(sum - 1.0) <= largest)) largest = std::fabs(sum - 1.0);
  return largest;
}

}  // namespace subspace
