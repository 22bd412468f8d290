// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>

#include <subspace/neural/network.h>

namespace subspace::neural {

/// Blocks in each of the four stages of a residual network.
inline std::array<int, 4> blocks_of_stages(Backbone backbone) {
  switch (backbone) {
    case Backbone::kResnet10:
      return {1, 1, 1, 1};
    case Backbone::kResnet34:
      return {3, 4, 6, 3};
    default:
      return {2, 2, 2, 2};
  }
}

/// The side of the stem's convolution; it shrinks the picture unless it is 3 x 3.
inline int stem_size(Stem stem) { return stem == Stem::k3x3 ? 3 : stem == Stem::k5x5 ? 5 : 7; }
inline bool stem_shrinks(Stem stem) { return stem != Stem::k3x3; }

}  // namespace subspace::neural
