// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <functional>

#include "self_expression/ssc_admm.h"
#include "self_expression/ssc_admm_step.h"

/// What the published iterations with and without outliers have in common.
namespace subspace {

AdmmColumns published_columns(const SscCall& call, Index num_points);

/// Steps of all columns, tile by tile, until all errors are small: the stopping error.
SolveInfo iterate_published(Index num_points, Index tile_size, int limit, const Context& context,
                            const std::function<AdmmErrors(const Tile&)>& step);

/// The largest of the violations of all tiles.
double largest_violation(Index num_points, Index tile_size, const Context& context,
                         const std::function<double(const Tile&)>& violation);

/// C = S(V), from the state after the last step.
SelfExpression collect_published(const Matrix& V, const AdmmColumns& columns, const SolveInfo& info,
                                 const SscCall& call);

}  // namespace subspace
