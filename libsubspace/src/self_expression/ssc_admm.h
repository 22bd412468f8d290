// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/self_expression/self_expression.h>

#include "self_expression/ridge_inverse.h"
#include "self_expression/ssc_core.h"
#include "self_expression/ssc_violation.h"

namespace subspace {

/// Alternating directions for
///     min |C|_1 + lambda/2 |X - X Z|^2,  Z = C,  diag(C) = 0  (and 1'Z = 1'),
/// with penalty mu. Columns do not meet, and all that goes on from one iteration to the next is
/// V = Z + Lambda/mu, since C = S(V), the soft threshold by 1/mu with a zero diagonal, and
/// Lambda/mu = V - C. With M = I + (lambda/mu) X'X (+ 11') a step for column j is
///     z = e_j + M^-1 (2c - v - e_j - u 1),   v <- z + v - c,   u <- u + 1'z - 1:
/// the data enter through M alone, for M^-1 (M - I) e_j = e_j - M^-1 e_j. Where other atoms follow
/// the points, as with outliers, X stands for all atoms and 1 marks the points.

/// The penalty mu, as a multiple of alpha. As published it is 1; between 0.1 and 1 the fewest
/// iterations are needed until the optimality conditions hold, three times fewer than with 1 where
/// points are many and dimensions few.
constexpr double kAdmmPenalty = 0.3;

/// The columns V, C, Z, W and Q of a tile in every thread, and its residuals.
double ssc_admm_bytes(Index dimension, Index num_atoms, const Context& context);

/// Until the optimality conditions hold; every tile of columns ends on its own. `ridge` is M^-1
/// with mu = kAdmmPenalty alpha. Only the points' rows of C are returned.
SelfExpression ssc_admm(const Products& products, Index num_points, const RidgeInverse& ridge,
                        double weight, const SscCall& call);

/// As published: mu = alpha, the diagonal of Z is set to zero, too, all columns stop together. The
/// residual is that of the problem with this weight, from the final coefficients.
SelfExpression ssc_official(const Products& products, const RidgeInverse& ridge, double weight,
                            const SscCall& call);

/// The iterates of ssc_official_outliers() and what its threads work in.
double ssc_official_outliers_bytes(Index dimension, Index num_points, const Context& context);

/// As published, with outliers: the dictionary is [X, I/g]. The residual is that of the problem
/// without noise, see ssc.h.
SelfExpression ssc_official_outliers(const ConstMatrixRef& X, double weight, double outlier_weight,
                                     const SscCall& call);

}  // namespace subspace
