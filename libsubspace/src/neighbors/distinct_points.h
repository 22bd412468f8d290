// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// Which columns are equal, number by number.
struct DistinctPoints {
  std::vector<Index> firsts = {};  ///< the first of each set of equal columns, increasing
  std::vector<Index> of = {};      ///< for each column the place in `firsts` of its equal
  Index count() const { return static_cast<Index>(firsts.size()); }
};
DistinctPoints distinct_points(const ConstMatrixRef& X);

}  // namespace subspace
