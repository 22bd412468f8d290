// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/kernels.h"

#include <algorithm>
#include <cmath>

#include "linalg/lanes.h"

namespace subspace::linalg {

SUBSPACE_CLONES double dot(const double* x, const double* y, Index n) {
  Half even_low = {};
  Half even_high = {};
  Half odd_low = {};
  Half odd_high = {};
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    even_low += at(x + i).half * at(y + i).half;
    even_high += at(x + i + kHalf).half * at(y + i + kHalf).half;
    odd_low += at(x + i + kLanes).half * at(y + i + kLanes).half;
    odd_high += at(x + i + kLanes + kHalf).half * at(y + i + kLanes + kHalf).half;
  }
  double sum = join((even_low + odd_low) + (even_high + odd_high));
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

// Four rows at a time, so that a part of x is read once for all of them.
SUBSPACE_CLONES void lower_times(const double* M, Index stride, const double* x, double* y,
                                 Index n) {
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* a = M + i * stride;
    const double* b = a + stride;
    const double* c = b + stride;
    const double* d = c + stride;
    Half a_low = {}, a_high = {}, b_low = {}, b_high = {};
    Half c_low = {}, c_high = {}, d_low = {}, d_high = {};
    for (Index j = 0; j < i + 4; j += kLanes) {
      const Half low = at(x + j).half;
      const Half high = at(x + j + kHalf).half;
      a_low += at(a + j).half * low;
      a_high += at(a + j + kHalf).half * high;
      b_low += at(b + j).half * low;
      b_high += at(b + j + kHalf).half * high;
      c_low += at(c + j).half * low;
      c_high += at(c + j + kHalf).half * high;
      d_low += at(d + j).half * low;
      d_high += at(d + j + kHalf).half * high;
    }
    y[i] = join(a_low + a_high);
    y[i + 1] = join(b_low + b_high);
    y[i + 2] = join(c_low + c_high);
    y[i + 3] = join(d_low + d_high);
  }
  for (; i < n; ++i) {
    const double* a = M + i * stride;
    Half low = {};
    Half high = {};
    for (Index j = 0; j <= i; j += kLanes) {
      low += at(a + j).half * at(x + j).half;
      high += at(a + j + kHalf).half * at(x + j + kHalf).half;
    }
    y[i] = join(low + high);
  }
}

SUBSPACE_CLONES void lower_transposed_times(const double* M, Index stride, const double* x,
                                            double* y, Index n) {
  std::fill_n(y, padded(n), 0.0);
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* a = M + i * stride;
    const double* b = a + stride;
    const double* c = b + stride;
    const double* d = c + stride;
    const double xa = x[i];
    const double xb = x[i + 1];
    const double xc = x[i + 2];
    const double xd = x[i + 3];
    for (Index j = 0; j < i + 4; j += kHalf) {
      at(y + j).half +=
          (xa * at(a + j).half + xb * at(b + j).half) + (xc * at(c + j).half + xd * at(d + j).half);
    }
  }
  for (; i < n; ++i) {
    const double* a = M + i * stride;
    const double xa = x[i];
    for (Index j = 0; j <= i; j += kHalf) at(y + j).half += xa * at(a + j).half;
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

SUBSPACE_CLONES void outlier_step(const OutlierStep& step, const double* __restrict x, Index n,
                                  double* __restrict product, double* __restrict v,
                                  double* __restrict before, double* __restrict gap,
                                  double* __restrict point) {
  const OutlierStep s = step;  // the compiler then knows that no store below changes it
  for (Index i = 0; i < n; ++i) {
    const double upper = v[i] > s.threshold ? s.threshold : v[i];
    const double taken = upper < -s.threshold ? -s.threshold : upper;
    const double c = v[i] - taken;
    const double z = (2.0 * c - before[i] + s.own * x[i] - s.ratio * product[i]) * s.inverse_pivot;
    const double moved = z + taken;
    const double moved_upper = moved > s.threshold ? s.threshold : moved;
    const double moved_taken = moved_upper < -s.threshold ? -s.threshold : moved_upper;
    v[i] = moved;
    before[i] = c;
    gap[i] = z - (moved - moved_taken);
    point[i] = x[i] - s.inverse_weight * z;
    product[i] = point[i] - product[i] + s.removed * x[i];
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
