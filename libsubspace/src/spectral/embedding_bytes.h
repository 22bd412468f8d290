// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>

/// What the embedding takes, for its own checks and for the prediction of a whole run. A rung of
/// the eigensolver that does not fit is passed over, so only the plain one counts.
namespace subspace {

/// The coordinates of all points.
double coordinate_bytes(Index rows, Index num_points);

/// `count` leading eigenpairs of a connected graph of n vertices, beside its matrix.
double eigenpair_bytes(Index n, Index count, const Context& context);

/// The graph of so many entries, its checked copy and the normalised one; the coordinates; the
/// eigenpairs of a graph of one component within what these leave of the context's memory.
double embedding_bytes(Index rows, Index num_points, double edges, const Context& context);

}  // namespace subspace
