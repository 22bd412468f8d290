// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/kernels.h"

#include <algorithm>
#include <cmath>

// Resolvers of cloned functions run before a sanitizer's runtime is ready.
#if defined(__x86_64__) && !defined(SUBSPACE_SANITIZED)
#define SUBSPACE_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUBSPACE_CLONES
#endif

namespace subspace::linalg {
namespace {

/// Eight numbers the compiler keeps in the widest registers of the instruction set; loads need no
/// alignment. All sums below run in these lanes and are joined in one order, whatever that set is.
using Lanes [[gnu::vector_size(sizeof(double) * kLanes), gnu::aligned(8), gnu::may_alias]] = double;

[[gnu::always_inline]] inline const Lanes& load(const double* x) {
  return *reinterpret_cast<const Lanes*>(x);
}
[[gnu::always_inline]] inline Lanes& store(double* x) { return *reinterpret_cast<Lanes*>(x); }

[[gnu::always_inline]] inline double join(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace

SUBSPACE_CLONES double dot(const double* x, const double* y, Index n) {
  Lanes even = {};
  Lanes odd = {};
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    even += load(x + i) * load(y + i);
    odd += load(x + i + kLanes) * load(y + i + kLanes);
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
      const Lanes part = load(x + j);
      sum0 += load(row + j) * part;
      sum1 += load(row + stride + j) * part;
      sum2 += load(row + 2 * stride + j) * part;
      sum3 += load(row + 3 * stride + j) * part;
    }
    y[i] = join(sum0);
    y[i + 1] = join(sum1);
    y[i + 2] = join(sum2);
    y[i + 3] = join(sum3);
  }
  for (; i < n; ++i) {
    const double* row = M + i * stride;
    Lanes sum = {};
    for (Index j = 0; j <= i; j += kLanes) sum += load(row + j) * load(x + j);
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
      store(y + j) += (x0 * load(row + j) + x1 * load(row + stride + j)) +
                      (x2 * load(row + 2 * stride + j) + x3 * load(row + 3 * stride + j));
    }
  }
  for (; i < n; ++i) {
    const double* row = M + i * stride;
    for (Index j = 0; j <= i; j += kLanes) store(y + j) += x[i] * load(row + j);
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
