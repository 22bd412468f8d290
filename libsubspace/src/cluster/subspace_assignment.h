// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Moves each point to its nearest subspace by |y|^2 - |B'y|^2, which takes one GEMM with all bases
/// at once; a point stays where the difference to its own is within the rounding of that formula.
/// So no move is a wrong one, and what it leaves open is for residuals() to decide. True when a
/// label changed. Every label must be a class of the model.
bool move_clearly_nearer(const ConstMatrixRef& X, const Subspaces& model, Labels& labels,
                         const Context& context);

/// The distance of each point from the subspace of its label, as residuals() computes it.
Vector own_residuals(const ConstMatrixRef& X, const Subspaces& model, const Labels& labels,
                     const Context& context);

}  // namespace subspace
