// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

#include "self_expression/elastic_net_point.h"

/// What a point's solver asks of its caller: correlations with all atoms and the Gram matrix of its
/// candidates, from a stored Gram matrix or from the points.
namespace subspace {

/// correlations = g_j - G c, N x support operations. The shift is that of the first `num_points`.
void correlate(const Matrix& G, Index num_points, const ElasticNetPoint& solver,
               double* correlations);

/// Enters the chosen candidates; `targets` is the caller's to keep.
void fill_chosen(const Matrix& G, Index num_points, ElasticNetPoint& solver,
                 std::vector<double>& targets);

/// residual = x_j - X c. Where the solver has a shift the last coordinate of all points is
/// sqrt(sum_weight), that of other atoms zero.
void set_residual(const ConstMatrixRef& X, const ElasticNetPoint& solver, double* residual);

/// As above, from the points; `candidates` and `targets` are the caller's to keep.
void fill_chosen(const ConstMatrixRef& X, Index num_points, ElasticNetPoint& solver,
                 Matrix& candidates, std::vector<double>& targets);

}  // namespace subspace
