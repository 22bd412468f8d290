// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>

namespace subspace::testing {

/// The elastic net column
///     min_c  tau |c|_1 + (1 - tau)/2 |c|^2 + weight/2 |x_j - X c|^2,  c_j = 0
/// as a quadratic program in (u, v, e) with c = u - v, u, v >= 0 and e = x_j - X c, solved by OSQP:
/// an independent judge.
Vector osqp_elastic_net(const Matrix& X, Index j, double tau, double weight);

/// The linear SVM
///     min_w  1/2 |w|^2 + C sum_j max(0, 1 - y_j w'z_j)^2
/// as a quadratic program in (w, e) with y_j w'z_j + e_j >= 1, solved by OSQP.
Vector osqp_svm(const Matrix& Z, const Vector& signs, double penalty);

}  // namespace subspace::testing
