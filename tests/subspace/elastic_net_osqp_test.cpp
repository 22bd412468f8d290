// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>

#include "support/kkt.h"
#include "support/osqp_judge.h"
#include "support/random_data.h"

namespace subspace {
namespace {

/// Columns of both solvers for one small random problem: OSQP's objective must not be lower than
/// ours, nor ours lower than OSQP's, by more than a millionth.
double objective_gap(std::uint64_t seed, double gamma, double tau) {
  RandomStream random = stream(seed, Stream::kTest, 3);
  const Index dimension = 3 + static_cast<Index>(random.below(10));
  const Index points = 6 + static_cast<Index>(random.below(18));
  Matrix X = testing::random_matrix(dimension, points, seed);
  normalize_columns(X);
  const Index j = static_cast<Index>(random.below(static_cast<std::uint64_t>(points)));
  const Matrix C = elastic_net(X, {.tau = tau, .gamma = gamma}).coefficients;
  Vector correlations = X.transpose() * X.col(j);
  correlations(j) = 0.0;
  const double weight = gamma * tau / correlations.cwiseAbs().maxCoeff();
  const Vector judged = testing::osqp_elastic_net(X, j, tau, weight);
  const double ours = testing::elastic_net_objective(X, j, C.col(j), gamma, tau);
  const double theirs = testing::elastic_net_objective(X, j, judged, gamma, tau);
  return std::abs(ours - theirs) / std::max(1.0, std::abs(theirs));
}

TEST(ElasticNetAgainstOsqp, ObjectivesAgreeOnTwoHundredElasticNets) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_LE(objective_gap(seed, seed % 2 == 0 ? 50 : 8, seed % 3 == 0 ? 0.9 : 0.5), 1e-6)
        << "seed " << seed;
  }
}

TEST(ElasticNetAgainstOsqp, ObjectivesAgreeOnTwoHundredLassos) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
    EXPECT_LE(objective_gap(seed, seed % 2 == 0 ? 50 : 400, 1.0), 1e-6) << "seed " << seed;
  }
}

}  // namespace
}  // namespace subspace
