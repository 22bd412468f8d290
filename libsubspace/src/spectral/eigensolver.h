// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/core/random.h>
#include <subspace/core/types.h>

namespace subspace {

struct EigenRequest {
  Index count = 0;          ///< pairs wanted beside the known one
  double tolerance = 1e-8;  ///< largest |A u - lambda u|
  int max_restarts = 300;   ///< of one Lanczos run
};

/// Eigenpairs in decreasing order of eigenvalue; vectors are orthonormal columns.
struct EigenPairs {
  Vector values = {};
  Matrix vectors = {};
  int restarts = 0;     ///< of all Lanczos runs together
  bool dense = false;   ///< found by the dense solver
  bool certain = true;  ///< false when a Lanczos run ended at its limit and nothing could take over
};

/// The leading eigenpairs of the normalised adjacency A of a connected graph beside its known one,
/// (1, kernel), 0 <= count <= n - 1. The ladder:
///   1. small orders, and requests for a large share of the spectrum: dense;
///   2. Lanczos on (sigma I - A)^-1 with sigma just above 1, when a sparse factor is cheap: graphs
///   of
///      neighbours have many eigenvalues close to 1, and only the inverse sets them apart;
///   3. Lanczos on A;
///   4. the inverse again with a dearer factor, then A on a larger subspace;
///   5. dense, when memory allows.
/// A single Lanczos sequence sees one vector of a multiple eigenvalue. So each run is followed by
/// runs on the complement of what was found, until one brings nothing above the smallest pair kept.
EigenPairs leading_pairs(const SparseMatrix& A, const Vector& kernel, const EigenRequest& request,
                         RandomStream random, const Context& context);

}  // namespace subspace
