// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// The coding length of a cluster of m unit columns X_k with distortion e, twice the nats of all
/// its points:
///     f(X_k) = m logdet(I + D/(m e) X_k X_k'),
/// by the smaller of X_k X_k' and X_k' X_k. 0 of no point.
double coding_length(const ConstMatrixRef& X, const std::vector<Index>& members, double distortion,
                     const Context& context);

/// What f of a cluster changes by as one point comes or goes. By the determinant lemma, with
/// s = D/((m +- 1) e) and M = I + s X_k X_k',
///     f(X_k and z) = (m + 1) (logdet M + log(1 + s z' M^-1 z)),
///     f(X_k less z) = (m - 1) (logdet M + log(1 - s z' M^-1 z)).
/// `joining` has a value for every column of X (of members it is without meaning), `leaving` one
/// for every member in their order; that of the only member is minus f. `length` is f(X_k). Of a
/// point in the span of fewer members than dimensions `joining` has an error of some 1e-16 m D/e,
/// 7e-6 nats of 8000 at e = 1e-8, D = 300, m = 20, and so has `leaving` of a member that alone is
/// outside the span of the others, of at least D members; all others are exact to rounding of f.
void coding_changes(const ConstMatrixRef& X, const std::vector<Index>& members, double distortion,
                    double length, Eigen::Ref<Vector> joining, std::vector<double>& leaving,
                    const Context& context);

}  // namespace subspace
