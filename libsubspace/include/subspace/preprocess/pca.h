// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// The leading principal directions of a point set.
struct Pca {
  Matrix basis = {};      ///< D x r, orthonormal columns, by decreasing variance, signs fixed
  Vector mean = {};       ///< D; zero when not centred
  Vector variances = {};  ///< r, decreasing: squared singular values of the (centred) X over N
};

/// Best rank-r linear (center = false: an uncentred SVD, as subspace clustering uses) or affine
/// fit. Works on the smaller of the D x D and N x N moment matrices by a symmetric eigensolver. The
/// sign of each direction is fixed so that its entry of largest magnitude is positive.
/// 1 <= r <= min(D, N).
SUBSPACE_API Pca fit_pca(const ConstMatrixRef& X, int num_dimensions, bool center,
                         const Context& context = {});
/// Coordinates r x N of the points in the basis.
SUBSPACE_API Matrix project(const Pca& pca, const ConstMatrixRef& X);

}  // namespace subspace
