// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

#include "self_expression/ssc_core.h"

namespace subspace {

/// Bytes that ssc_osqp() asks for beside the Gram matrix of the atoms.
double ssc_osqp_bytes(Index num_atoms, Index num_points, const Context& context);

/// Every column as a quadratic program of its own, see osqp_column(). G is the Gram matrix of all
/// atoms, of which the first `num_points` are the points; only they are summed where the options
/// say affine, and only their rows of C are returned. The certificate is that of the other solvers,
/// recomputed from the final coefficients of all atoms.
SelfExpression ssc_osqp(const Matrix& G, Index num_points, double weight, const SscCall& call);

}  // namespace subspace
