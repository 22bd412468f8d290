// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include <subspace/core/types.h>

namespace subspace::testing {

/// Orthogonal matching pursuit of column j as it is defined: correlations with the residual over
/// all other points, a least-squares fit by QR from scratch after every choice.
struct MatchingPursuit {
  Vector coefficients = {};
  std::vector<Index> support = {};  ///< in the order of choice
  /// How far the chosen correlations were above the next, relative to them: choices with a margin
  /// near rounding may rightly differ.
  double smallest_margin = 1.0;
  double smallest_squared_pivot = 1.0;  ///< of the chosen points, relative to their length
};

inline Matrix columns_of(const Matrix& X, const std::vector<Index>& columns) {
  Matrix chosen(X.rows(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    chosen.col(static_cast<Index>(k)) = X.col(columns[k]);
  }
  return chosen;
}

inline Vector fit(const Matrix& A, const Vector& x) {
  if (A.cols() == 0) return {};
  return A.colPivHouseholderQr().solve(x);
}

inline MatchingPursuit matching_pursuit(const Matrix& X, Index j, int most, double tolerance) {
  MatchingPursuit result;
  result.coefficients = Vector::Zero(X.cols());
  Vector residual = X.col(j);
  const auto unfinished = [&] {
    return residual.squaredNorm() > std::max(tolerance, 1e-14) * X.col(j).squaredNorm();
  };
  while (static_cast<int>(result.support.size()) < most && unfinished()) {
    Vector correlations = (X.transpose() * residual).cwiseAbs();
    correlations[j] = -1.0;
    for (const Index i : result.support) correlations[i] = -1.0;
    Index best = 0;
    const double largest = correlations.maxCoeff(&best);
    if (largest <= 1e-13 * X.col(best).norm() * X.col(j).norm()) break;
    correlations[best] = 0.0;
    result.smallest_margin =
        std::min(result.smallest_margin, 1.0 - correlations.maxCoeff() / largest);
    const Matrix before = columns_of(X, result.support);
    Vector part = X.col(best);
    if (before.cols() > 0) part -= before * fit(before, X.col(best));
    result.smallest_squared_pivot =
        std::min(result.smallest_squared_pivot, part.squaredNorm() / X.col(best).squaredNorm());
    result.support.push_back(best);
    const Matrix A = columns_of(X, result.support);
    residual = X.col(j) - A * fit(A, X.col(j));
  }
  const Vector fitted = fit(columns_of(X, result.support), X.col(j));
  for (std::size_t k = 0; k < result.support.size(); ++k) {
    result.coefficients[result.support[k]] = fitted[static_cast<Index>(k)];
  }
  return result;
}

}  // namespace subspace::testing
