// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "visual/map_gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/random_data.h"
#include "support/tolerances.h"
#include "visual/similarities.h"

namespace subspace {
namespace {

using testing::kRounding;
using testing::random_matrix;

/// Every other point, nearest first.
Neighbors all_neighbors(const Matrix& X) {
  Neighbors result;
  result.k = static_cast<int>(X.cols()) - 1;
  for (Index i = 0; i < X.cols(); ++i) {
    std::vector<std::pair<double, int>> others;
    for (Index j = 0; j < X.cols(); ++j) {
      if (j != i) others.emplace_back((X.col(i) - X.col(j)).norm(), static_cast<int>(j));
    }
    std::sort(others.begin(), others.end());
    for (const auto& [distance, index] : others) {
      result.distances.push_back(distance);
      result.indices.push_back(index);
    }
  }
  return result;
}

double divergence(const SparseMatrix& P, const Matrix& Y) {
  double Z = 0.0;
  for (Index i = 0; i < Y.cols(); ++i) {
    for (Index j = 0; j < Y.cols(); ++j) {
      if (i != j) Z += 1.0 / (1.0 + (Y.col(i) - Y.col(j)).squaredNorm());
    }
  }
  double sum = 0.0;
  for (Index i = 0; i < P.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator p(P, i); p; ++p) {
      const double w = 1.0 / (1.0 + (Y.col(i) - Y.col(p.row())).squaredNorm());
      sum += p.value() * std::log(p.value() * Z / w);
    }
  }
  return sum;
}

TEST(MapGradient, IsThatOfTheDivergence) {
  // Numbers of points below, at and above a multiple of the lanes and of a tile.
  for (const Index n : {2, 3, 7, 8, 9, 33, 40}) {
    const SparseMatrix P = map_similarities(all_neighbors(random_matrix(4, n, 1)), 2.0, {});
    const Matrix Y = 2.0 * random_matrix(2, n, 2);
    MapGradient gradient(P);
    const Matrix found = gradient.at(Y, 1.0, {});
    const double h = 1e-6;
    for (Index at = 0; at < Y.size(); ++at) {
      Matrix ahead = Y;
      Matrix behind = Y;
      ahead.reshaped()[at] += h;
      behind.reshaped()[at] -= h;
      const double slope = (divergence(P, ahead) - divergence(P, behind)) / (2.0 * h);
      // Central differences: h^2 times third derivatives, and rounding of the divergence over h.
      EXPECT_NEAR(found.reshaped()[at], slope, 1e-8) << n << " points, entry " << at;
    }
  }
}

TEST(MapGradient, ExaggerationMultipliesTheAttraction) {
  const SparseMatrix P = map_similarities(all_neighbors(random_matrix(4, 20, 3)), 4.0, {});
  const Matrix Y = random_matrix(2, 20, 4);
  MapGradient plain(P);
  const SparseMatrix strong_P = 3.0 * P;
  MapGradient strong(strong_P);
  EXPECT_LT((plain.at(Y, 3.0, {}) - strong.at(Y, 1.0, {})).norm(), kRounding);
}

TEST(MapGradient, SumsToZero) {
  const SparseMatrix P = map_similarities(all_neighbors(random_matrix(3, 50, 5)), 5.0, {});
  MapGradient gradient(P);
  EXPECT_LT(gradient.at(random_matrix(2, 50, 6), 2.0, {}).rowwise().sum().norm(), kRounding);
}

TEST(MapSimilarities, AreADistributionOverPairs) {
  const SparseMatrix P = map_similarities(all_neighbors(random_matrix(5, 30, 7)), 3.0, {});
  EXPECT_NEAR(P.sum(), 1.0, kRounding);
  EXPECT_EQ(Vector(P.diagonal()).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ((P - SparseMatrix(P.transpose())).norm(), 0.0);
}

TEST(MapSimilarities, MeetThePerplexity) {
  // A ring of points: all see the same distances, so p_j|i = p_i|j and a column is p_j|i / N.
  const Index n = 24;
  Matrix X(2, n);
  for (Index i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    X.col(i) << std::cos(angle), std::sin(angle);
  }
  for (const double perplexity : {2.5, 6.0, 15.0}) {
    const SparseMatrix P = map_similarities(all_neighbors(X), perplexity, {});
    double entropy = 0.0;
    for (SparseMatrix::InnerIterator p(P, 0); p; ++p) {
      const double conditional = p.value() * static_cast<double>(n);
      if (conditional > 0.0) entropy -= conditional * std::log(conditional);
    }
    EXPECT_NEAR(std::exp(entropy), perplexity, 1e-4);
  }
}

TEST(MapSimilarities, OfEquallyFarPointsAreEqual) {
  const Index n = 6;
  const SparseMatrix P = map_similarities(all_neighbors(Matrix::Identity(n, n)), 2.0, {});
  const double expected = 1.0 / static_cast<double>(n * (n - 1));
  for (Index i = 0; i < n; ++i) {
    for (SparseMatrix::InnerIterator p(P, i); p; ++p) {
      EXPECT_NEAR(p.value(), expected, kRounding);
    }
  }
}

}  // namespace
}  // namespace subspace
