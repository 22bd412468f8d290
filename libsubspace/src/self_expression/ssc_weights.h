// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// What decides the weight of the fit: for every point its largest |x_i'x_j| with another one, and
/// its squared norm.
struct Correlations {
  Vector largest = {};
  Vector squared_norms = {};
};
Correlations correlations_of_gram(const Matrix& G);
/// The same by tiles of GEMM, without an N x N matrix.
Correlations correlations_of_points(const ConstMatrixRef& X, const Context& context);

/// What correlations_of_points() takes beside the points.
double correlations_bytes(Index num_points, const Context& context);

/// m and lambda = alpha / m, see SscOptions.
double fit_scale(const Correlations& correlations);
double fit_weight(const Correlations& correlations, double alpha);

/// The largest squared norm, 1 of zero data: what the sum of the coefficients is weighted with.
double sum_weight(const Correlations& correlations);

}  // namespace subspace
