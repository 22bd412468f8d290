// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/classify/exemplar_vote.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>

/// What the labels of further points take, for their own checks and for the prediction of a whole
/// run; the points count, the model does not.
namespace subspace {

/// Of each label the class, the distance and the margin.
inline constexpr double kLabelBytes = sizeof(int) + 2 * sizeof(double);

/// The distances from all subspaces, and the tiles of all threads.
double nearest_subspaces_bytes(const Subspaces& model, Index num_points, const Context& context);

/// The representation by exemplars, or what the votes need of it beside the directions. How many
/// exemplars represent a point only the solution tells: 50 count, or all where there are fewer.
double exemplar_votes_bytes(const LabelledExemplars& model, Index num_points,
                            const Context& context);

}  // namespace subspace
