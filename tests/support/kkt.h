// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cmath>

#include <subspace/core/types.h>

namespace subspace::testing {

/// The largest violation of the optimality conditions of
///     min_c  tau |c|_1 + (1 - tau)/2 |c|^2 + gamma_j/2 |x_j - X c|^2,  c_j = 0
/// for column j, from X and c alone: with d = gamma_j (x_j - X c), x_i'd = tau sign(c_i) + (1 -
/// tau) c_i on the support and |x_i'd| <= tau off it. Shares nothing with the solver.
inline double elastic_net_violation(const Matrix& X, Index j, const Vector& c, double gamma,
                                    double tau) {
  Vector correlations = X.transpose() * X.col(j);
  correlations(j) = 0.0;
  const double largest = correlations.cwiseAbs().maxCoeff();
  if (largest == 0.0) return c.cwiseAbs().maxCoeff();
  const double gamma_j = gamma * tau / largest;
  const Vector d = gamma_j * (X.col(j) - X * c);
  double violation = std::abs(c(j));
  for (Index i = 0; i < X.cols(); ++i) {
    if (i == j) continue;
    const double q = X.col(i).dot(d);
    violation =
        std::max(violation, c(i) != 0.0 ? std::abs(q - std::copysign(tau, c(i)) - (1 - tau) * c(i))
                                        : std::abs(q) - tau);
  }
  return violation;
}

/// The objective of the same problem.
inline double elastic_net_objective(const Matrix& X, Index j, const Vector& c, double gamma,
                                    double tau) {
  Vector correlations = X.transpose() * X.col(j);
  correlations(j) = 0.0;
  const double gamma_j = gamma * tau / correlations.cwiseAbs().maxCoeff();
  return tau * c.lpNorm<1>() + (1 - tau) / 2 * c.squaredNorm() +
         gamma_j / 2 * (X.col(j) - X * c).squaredNorm();
}

}  // namespace subspace::testing
