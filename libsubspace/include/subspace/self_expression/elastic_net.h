// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

/// Elastic net subspace clustering (EnSC). For each point x_j, with the other points as dictionary,
///     min_c  tau |c|_1 + (1 - tau)/2 |c|_2^2 + gamma_j/2 |x_j - X c|_2^2,   c_j = 0.
/// tau = 1 is the lasso form of SSC.
struct ElasticNetOptions {
  /// Balance of sparsity (1) against connectivity (towards 0). 0 < tau <= 1.
  double tau = 0.9;
  /// Fit weight as a multiple of the smallest weight with a nonzero solution:
  /// gamma_j = gamma tau / max_{i != j} |x_i' x_j|. At gamma <= 1 the solution is zero. gamma > 0.
  double gamma = 50.0;
  int max_rounds = 100;  ///< outer rounds per point
  double tolerance =
      1e-6;  ///< largest violation of the optimality conditions that counts as solved
};
SUBSPACE_API Parameters describe(ElasticNetOptions& options);

/// The residual of each solve is its largest violation of the optimality conditions over all
/// points, recomputed from the final coefficients (with d = gamma_j (x_j - X c)):
///     |x_i'd - tau sign(c_i) - (1 - tau) c_i|   on the support,
///     max(0, |x_i'd| - tau)                     off it.
/// The Gram matrix is stored where it takes at most a quarter of the memory allowed; else the
/// points of a tile stream against the data. Throws ResourceError when the workspaces of all
/// threads do not fit then.
SUBSPACE_API SelfExpression elastic_net(const ConstMatrixRef& X,
                                        const ElasticNetOptions& options = {},
                                        const Context& context = {});

}  // namespace subspace
