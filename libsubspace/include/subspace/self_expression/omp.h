// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

/// Sparse subspace clustering by orthogonal matching pursuit (SSC-OMP). For each point x_j, from
/// r = x_j and an empty support: take the point i != j with the largest |x_i'r|, fit x_j by least
/// squares on all points taken so far, let r be what is left, and go on.
struct OmpOptions {
  /// Points taken at most; about the dimension of the subspaces. >= 1.
  int max_nonzeros = 10;
  /// Stop once |r|^2 <= tolerance |x_j|^2. The published code compares |r|^2 with tolerance |x_j|,
  /// which is the same for unit columns; this form does not depend on the scale of the data.
  /// Squared residuals below 1e-14 |x_j|^2 are rounding and count as zero. >= 0.
  double tolerance = 1e-6;
};
SUBSPACE_API Parameters describe(OmpOptions& options);

/// The residual of a fit that counts as solved.
inline constexpr double kOmpOrthogonality = 1e-8;

/// Points that were taken are not taken again, equal correlations (to 1e-12) go to the lower index,
/// and a point that depends linearly on those taken is passed over. A point with no correlation
/// above rounding is left without a representation; so are zero points, and points shorter than
/// 1e-140 times the longest count as zero.
///
/// The residual of each solve is max |x_i'r| / (|x_i| |x_j|) over the support, with r = x_j - X c
/// computed from the data: zero exactly where the fit is that of least squares. kOmpOrthogonality
/// counts as solved. `iterations` is the number of points taken. The Gram matrix is stored where it
/// takes at most a quarter of the memory allowed; else the points of a tile stream against the
/// data. Throws ResourceError when the workspaces of all threads do not fit.
SUBSPACE_API SelfExpression omp(const ConstMatrixRef& X, const OmpOptions& options = {},
                                const Context& context = {});

}  // namespace subspace
