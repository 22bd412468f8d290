// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Left singular vectors (columns) and singular values, decreasing.
struct LeftSingular {
  Matrix vectors = {};
  Vector values = {};
};

/// All N pairs of the square C, by one eigendecomposition of order N: about 9 N^3 flops on one
/// thread. A symmetric matrix has |eigenvalues| for singular values and its eigenvectors for left
/// singular vectors. Of others U and s^2 are the eigenpairs of C C'; what is lost below 1e-8 of the
/// largest lies under every threshold of the affinities.
LeftSingular left_singular_by_eigen(Matrix C, bool symmetric, const Context& context);

/// The pairs of the non-zero singular values where the rank r of C is at most N/4, as accurate as
/// those of the other way:
/// 4 N^2 r + 10 N r^2 flops, mostly by tiles, and an eigendecomposition of order r. Nothing where
/// the rank is larger, or N so small that there is nothing to gain; then at most about N^3 flops
/// were in vain, and mostly far fewer. C is of unit scale. The random samples are the same in every
/// call, so the answer is a function of C alone.
std::optional<LeftSingular> left_singular_by_range(const Matrix& C, bool symmetric,
                                                   const Context& context);

}  // namespace subspace
