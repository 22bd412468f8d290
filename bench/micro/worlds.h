// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/datasets/synthetic.h>
#include <subspace/preprocess/normalize.h>

namespace subspace::bench {

/// Unit columns on noisy subspaces of dimension 6: fixed seed, so that runs can be compared.
inline Matrix noisy_subspaces(int ambient, int num_subspaces, int per_subspace) {
  Matrix X = datasets::union_of_subspaces({.num_subspaces = num_subspaces,
                                           .dimension = 6,
                                           .ambient = ambient,
                                           .points_per_subspace = per_subspace,
                                           .noise = 0.05,
                                           .seed = 1})
                 .points.X;
  normalize_columns(X);
  return X;
}

}  // namespace subspace::bench
