// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// How well the points of a sample are met by flats through some of their neighbours.
struct LocalResiduals {
  /// Medians over the sample for m = 1, 2, ... with neighbours number s, 2s, 3s, ...: the distance
  /// from the span of m of them and from the affine hull of m + 1, both over the distance to
  /// neighbour m + 1.
  struct AtStride {
    int stride = 1;
    Vector linear = {};
    Vector affine = {};
  };
  std::vector<AtStride> strides = {};  ///< increasing; those the data are too few for left out
  double radial = 0.0;  ///< median of | |x| - |y| | / |x - y| over near neighbours y, 0 .. 1
  int rank = 0;  ///< dimensions the sample spans, up to a quarter of its neighbours' distance
};

/// Of the columns `sample` of X, which are all distinct.
LocalResiduals local_residuals(const ConstMatrixRef& X, const std::vector<Index>& sample,
                               int max_dimension, const Context& context);

}  // namespace subspace
