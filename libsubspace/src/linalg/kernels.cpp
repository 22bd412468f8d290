// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/kernels.h"

#include <algorithm>
#include <cmath>

#include "linalg/lanes.h"

namespace subspace::linalg {

SUBSPACE_CLONES double dot(const double* x, const double* y, Index n) {
  Lanes even = {};
  Lanes odd = {};
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    even += at(x + i).lanes * at(y + i).lanes;
    odd += at(x + i + kLanes).lanes * at(y + i + kLanes).lanes;
  }
  even += odd;
  double sum = join(even);
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// Four columns at a time, so that y is read and written once for four streams of M.
SUBSPACE_CLONES void subtract_columns(const double* M, Index stride, const int* columns,
                                      const double* weights, Index count, double* __restrict y,
                                      Index n) {
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* __restrict a = M + columns[k] * stride;
    const double* __restrict b = M + columns[k + 1] * stride;
    const double* __restrict c = M + columns[k + 2] * stride;
    const double* __restrict d = M + columns[k + 3] * stride;
    const double wa = weights[k];
    const double wb = weights[k + 1];
    const double wc = weights[k + 2];
    const double wd = weights[k + 3];
    for (Index i = 0; i < n; ++i) y[i] -= (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
  }
  for (; k < count; ++k) {
    const double* __restrict a = M + columns[k] * stride;
    const double wa = weights[k];
    for (Index i = 0; i < n; ++i) y[i] -= wa * a[i];
  }
}

SUBSPACE_CLONES void lower_times(const double* M, Index stride, const double* x, double* y,
                                 Index n) {
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* row = M + i * stride;
    Lanes sum0 = {};
    Lanes sum1 = {};
    Lanes sum2 = {};
    Lanes sum3 = {};
    for (Index j = 0; j < i + 4; j += kLanes) {
      const Lanes part = at(x + j).lanes;
      sum0 += at(row + j).lanes * part;
      sum1 += at(row + stride + j).lanes * part;
      sum2 += at(row + 2 * stride + j).lanes * part;
      sum3 += at(row + 3 * stride + j).lanes * part;
    }
    y[i] = join(sum0);
    y[i + 1] = join(sum1);
    y[i + 2] = join(sum2);
    y[i + 3] = join(sum3);
  }
  for (; i < n; ++i) {
    const double* row = M + i * stride;
    Lanes sum = {};
    for (Index j = 0; j <= i; j += kLanes) sum += at(row + j).lanes * at(x + j).lanes;
    y[i] = join(sum);
  }
}

SUBSPACE_CLONES void lower_transposed_times(const double* M, Index stride, const double* x,
                                            double* y, Index n) {
  std::fill_n(y, padded(n), 0.0);
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* row = M + i * stride;
    const double x0 = x[i];
    const double x1 = x[i + 1];
    const double x2 = x[i + 2];
    const double x3 = x[i + 3];
    for (Index j = 0; j < i + 4; j += kLanes) {
      at(y + j).lanes +=
          (x0 * at(row + j).lanes + x1 * at(row + stride + j).lanes) +
          (x2 * at(row + 2 * stride + j).lanes + x3 * at(row + 3 * stride + j).lanes);
    }
  }
  for (; i < n; ++i) {
    const double* row = M + i * stride;
    for (Index j = 0; j <= i; j += kLanes) at(y + j).lanes += x[i] * at(row + j).lanes;
  }
}

SUBSPACE_CLONES void rotate_rows(double c, double s, double* __restrict x, double* __restrict y,
                                 Index n) {
  for (Index i = 0; i < n; ++i) {
    const double a = x[i];
    const double b = y[i];
    x[i] = c * b - s * a;
    y[i] = c * a + s * b;
  }
}

SUBSPACE_CLONES double max_abs(const double* x, Index n) {
  double partial[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) {
      const double value = std::fabs(x[i + lane]);
      partial[lane] = partial[lane] > value ? partial[lane] : value;
    }
  }
  double largest = 0.0;
  for (; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  for (Index lane = 0; lane < kLanes; ++lane) largest = std::max(largest, partial[lane]);
  return largest;
}

}  // namespace subspace::linalg
