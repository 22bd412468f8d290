// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/affinity/affinity.h>

#include "affinity/left_singular.h"

namespace subspace {

/// |cosines|^power of the rows of U s^1/2, of as many leading pairs as the options ask for.
SparseMatrix singular_affinity(const LeftSingular& singular, const AffinityOptions& options,
                               const Context& context);

/// AffinityKind::kLowRank of a full, finite C, which it uses as its work space.
SparseMatrix low_rank_affinity(Matrix C, const AffinityOptions& options, const Context& context);

}  // namespace subspace
