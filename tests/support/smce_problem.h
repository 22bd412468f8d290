// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <subspace/core/types.h>

namespace subspace::testing {

/// The problem of one point written down from its definition,
///     min_c  1/2 |U c|^2 + sum_j p_j |c_j|,  1'c = 1,
/// on the `others` nearest points. Shares nothing with the solver.
struct SmceProblem {
  std::vector<Index> neighbors = {};
  Matrix U = {};
  Vector distances = {};
  Vector penalties = {};

  SmceProblem(const Matrix& X, Index i, Index others, double lambda) {
    for (Index j = 0; j < X.cols(); ++j) {
      if (j != i) neighbors.push_back(j);
    }
    std::stable_sort(neighbors.begin(), neighbors.end(), [&](Index a, Index b) {
      return (X.col(a) - X.col(i)).norm() < (X.col(b) - X.col(i)).norm();
    });
    neighbors.resize(static_cast<std::size_t>(std::min<Index>(others, X.cols() - 1)));
    const auto count = static_cast<Index>(neighbors.size());
    U.resize(X.rows(), count);
    distances.resize(count);
    for (Index k = 0; k < count; ++k) {
      U.col(k) = X.col(neighbors[static_cast<std::size_t>(k)]) - X.col(i);
      distances(k) = U.col(k).norm();
      U.col(k) /= distances(k);
    }
    penalties = lambda / distances.sum() * distances;
  }

  double objective(const Vector& c) const {
    return 0.5 * (U * c).squaredNorm() + penalties.dot(c.cwiseAbs());
  }

  /// The largest violation of the optimality conditions at the multiplier that serves best, found
  /// by trying those that a pair of conditions balances.
  double violation(const Vector& c) const {
    const Vector g = U.transpose() * (U * c);
    const auto at = [&](double nu) {
      double worst = std::abs(c.sum() - 1.0);
      for (Index k = 0; k < c.size(); ++k) {
        const double excess = c(k) == 0.0 ? std::abs(nu - g(k)) - penalties(k)
                                          : std::abs(nu - g(k) - std::copysign(penalties(k), c(k)));
        worst = std::max(worst, excess);
      }
      return worst;
    };
    double best = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < c.size(); ++k) {
      if (c(k) != 0.0) best = std::min(best, at(g(k) + std::copysign(penalties(k), c(k))));
    }
    return best;
  }
};

}  // namespace subspace::testing
