// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <memory>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/random.h>
#include <subspace/core/types.h>

#include "spectral/eigensolver.h"

namespace subspace {

/// A symmetric positive semidefinite function of A with the same eigenvectors in the same order.
class SpectralTransform {
 public:
  SpectralTransform() = default;
  SpectralTransform(const SpectralTransform&) = delete;
  SpectralTransform& operator=(const SpectralTransform&) = delete;
  virtual ~SpectralTransform() = default;
  virtual void apply(const Vector& x, Vector& y, const Context& context) const = 0;
};

/// One rung of the ladder of Lanczos runs.
struct KrylovPlan {
  std::shared_ptr<const SpectralTransform> transform = {};
  Index subspace = 0;  ///< dimension at which a run restarts
};

/// x -> (A + I) x; through a full copy of A where that is faster and takes at most `most_bytes`, to
/// the same bits.
std::shared_ptr<const SpectralTransform> shifted_product(const SparseMatrix& A, double most_bytes);

/// x -> (sigma I - A)^-1 x by a sparse factor, sigma just above 1; null when the factor would take
/// more than `most_flops` or `most_bytes`.
std::shared_ptr<const SpectralTransform> shifted_inverse(const SparseMatrix& A, double most_flops,
                                                         double most_bytes);

/// What krylov_pairs() allocates for `count` pairs of order n with this subspace, its result
/// included, the transform not.
double krylov_bytes(Index n, Index count, Index subspace);

/// The leading pairs by Lanczos as planned, multiple eigenvalues included.
EigenPairs krylov_pairs(const SparseMatrix& A, const Vector& kernel, const EigenRequest& request,
                        const KrylovPlan& plan, RandomStream& random, const Context& context);

}  // namespace subspace
