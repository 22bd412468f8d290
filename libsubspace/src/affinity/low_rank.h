// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/affinity/affinity.h>

namespace subspace {

/// AffinityKind::kLowRank of a full, finite C, which it uses as its work space.
SparseMatrix low_rank_affinity(Matrix C, const AffinityOptions& options, const Context& context);

}  // namespace subspace
