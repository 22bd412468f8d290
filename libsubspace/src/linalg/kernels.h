// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>

#include "linalg/lanes.h"

/// Small vector kernels for loops too short for a BLAS call to pay. Compiled for several
/// instruction sets and chosen at load time, since the library itself targets a generic processor.
/// Rows handed to the triangular kernels are padded with zeros to padded(n) numbers.
namespace subspace::linalg {

double dot(const double* x, const double* y, Index n);

/// y -= sum_k weights[k] M[:, columns[k]], the columns of M being n long and `stride` apart.
void subtract_columns(const double* M, Index stride, const int* columns, const double* weights,
                      Index count, double* y, Index n);

/// y = M x for a lower triangle M of n rows, `stride` apart, zero above the diagonal. x is padded.
void lower_times(const double* M, Index stride, const double* x, double* y, Index n);

/// y = M' x for the same triangle; y is padded.
void lower_transposed_times(const double* M, Index stride, const double* x, double* y, Index n);

/// (x, y) = (c y - s x, c x + s y): what a rotation makes of two rows.
void rotate_rows(double c, double s, double* x, double* y, Index n);

/// The numbers of outlier_step().
struct OutlierStep {
  double threshold = 0.0;
  double ratio = 0.0;
  double inverse_pivot = 0.0;
  double inverse_weight = 0.0;
  double own = 0.0;
  double removed = 0.0;
};
/// The coordinates of one point in a step of SSC with outliers. With the soft threshold S,
///     c = S(v),  z = (2 c - before + own x - ratio product) inverse_pivot,  v <- z + v - c,
///     before <- c,  gap = z - S(v),  point = x - inverse_weight z,
///     product <- point - product + removed x.
void outlier_step(const OutlierStep& step, const double* x, Index n, double* product, double* v,
                  double* before, double* gap, double* point);

/// The largest |x_i|, 0 for an empty vector.
double max_abs(const double* x, Index n);

}  // namespace subspace::linalg
