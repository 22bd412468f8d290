// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Singular value thresholding, the proximal map of the nuclear norm:
///     J = argmin 1/2 |J - T|_F^2 + tau |J|_*  =  sum over sigma_i > tau of (sigma_i - tau) u_i
///     v_i'
/// for a sequence of similar T with at most as many rows as columns.
/// The singular vectors of the last call start a subspace iteration. Its answer J~ is exact for a
/// T~ that differs from T by the part of T outside the space found that maps into it; the map does
/// not expand, so |J~ - J|_F is at most the norm of that part, which is brought below `accuracy`
/// |T|_F. No value is missed: that the rest has none above tau (1 + 1e-9) is proved by a Cholesky
/// factor of tau^2 I - rest rest'. Where the rank is large or the iteration slow, all eigenpairs of
/// T T' are taken; the same bound is then about 1e-15 |T|_2^2 / tau.
class SingularThreshold {
 public:
  explicit SingularThreshold(double accuracy) : accuracy_(accuracy) {}

  Matrix apply(const Matrix& T, double tau, const Context& context);

  Index rank() const { return rank_; }                   ///< of the last J
  double nuclear_norm() const { return nuclear_norm_; }  ///< of the last J

 private:
  struct Triplets;
  bool try_subspace(const Matrix& T, double tau, const Context& context, Matrix& J);
  Matrix by_eigen(const Matrix& T, double tau, const Context& context);
  void keep(const Matrix& vectors, const Vector& values, double tau);

  double accuracy_;
  Matrix basis_ = {};  // leading left singular vectors of the last T, some more than its rank
  Index rank_ = 0;
  double nuclear_norm_ = 0.0;
};

/// Whether all singular values of A lie below `bound`, by a Cholesky factor.
bool spectral_norm_below(const Matrix& A, double bound, const Context& context);

}  // namespace subspace
