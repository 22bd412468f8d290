// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/self_expression/exemplars.h>

#include "self_expression/exemplar_lasso.h"

namespace subspace {

/// What an exemplar costs, and no unit vector less.
inline double least_cost(double lambda) { return 1.0 - 0.5 / lambda; }

/// Represents all points of the set by its exemplars: coefficients, costs and solves of the result.
void fit_exemplars(const ExemplarSet& set, const EscOptions& options, const char* function,
                   const Context& context, ExemplarExpression& result);

/// The exemplars once more, and for each thread the residuals and correlations of a tile.
double exemplar_fit_bytes(Index dimension, Index num_exemplars, const Context& context);

}  // namespace subspace
