// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// Integer table, as contingencies are.
using CountMatrix = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;

/// Maximum-weight one-to-one assignment of rows to columns of a rectangular table by shortest
/// augmenting paths (Jonker-Volgenant), O(n^2 m) for n <= m. Returns the column of each row, -1 for
/// a row left over when there are more rows than columns.
SUBSPACE_API std::vector<int> max_assignment(const CountMatrix& weights);

}  // namespace subspace
