// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/elastic_net_path.h>
#include <subspace/self_expression/ssc.h>

#include "support/kkt.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ssc_oracle.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::random_matrix;

/// Just less memory than a stored Gram matrix asks for, four times its size.
Context streamed(const Matrix& X) {
  return {.max_memory = 4 * X.cols() * X.cols() * static_cast<std::int64_t>(sizeof(double)) - 1};
}

Matrix unit_subspaces() {
  Matrix X = testing::union_of_subspaces(20, 4, 5, 25, 0.05, 1).points;
  normalize_columns(X);
  return X;
}

/// Every step of every point, by the definition of the problem and beside a cold solve.
void expect_solved(const Matrix& X, const ElasticNetPath& path, double tau, double closeness) {
  for (Index k = 0; k < static_cast<Index>(path.gammas().size()); ++k) {
    const double gamma = path.gammas()[static_cast<std::size_t>(k)];
    const Matrix cold = elastic_net(X, {.tau = tau, .gamma = gamma}).coefficients;
    const SelfExpression& step = path.step(k);
    EXPECT_EQ(num_unconverged(step.solves), 0) << "gamma " << gamma;
    const Matrix C = step.coefficients;
    for (std::size_t p = 0; p < path.points().size(); ++p) {
      const Index j = path.points()[p];
      const Vector c = C.col(static_cast<Index>(p));
      EXPECT_LE(testing::elastic_net_violation(X, j, c, gamma, tau), testing::kOptimality)
          << "gamma " << gamma << ", point " << j;
      EXPECT_LE((c - cold.col(j)).cwiseAbs().maxCoeff(), closeness) << "gamma " << gamma;
    }
  }
}

TEST(ElasticNetPath, EveryStepIsTheColdSolution) {
  const Matrix X = unit_subspaces();
  for (const double tau : {0.5, 0.9, 1.0}) {
    for (const Context& context : {Context{}, streamed(X)}) {
      const ElasticNetPath path =
          elastic_net_path(X, {.tau = tau, .points = {0, 7, 99, 42}, .num_gammas = 12}, context);
      expect_solved(X, path, tau, 1e-7);
    }
  }
}

/// Every step of every point, and what lies between, by the definition of the problem and beside
/// a solution of its own.
void expect_ssc(const Matrix& X, const ElasticNetPath& path, const Context& context) {
  const Matrix K = X.transpose() * X;
  for (Index k = 0; k < static_cast<Index>(path.gammas().size()); ++k) {
    const double alpha = path.gammas()[static_cast<std::size_t>(k)];
    EXPECT_EQ(num_unconverged(path.step(k).solves), 0) << alpha;
    const Matrix C = path.step(k).coefficients;
    const Matrix cold = ssc(X, {.alpha = alpha}).coefficients;
    const Matrix between = path.at(1.1 * alpha, context).coefficients;
    const Matrix beside = ssc(X, {.alpha = 1.1 * alpha}).coefficients;
    for (std::size_t p = 0; p < path.points().size(); ++p) {
      const Index j = path.points()[p];
      const auto column = static_cast<Index>(p);
      EXPECT_LE((C.col(column) - cold.col(j)).cwiseAbs().maxCoeff(), 1e-8) << alpha;
      EXPECT_LE((between.col(column) - beside.col(j)).cwiseAbs().maxCoeff(), 1e-8) << alpha;
      EXPECT_LE(testing::ssc_violation(K, j, C.col(column), testing::ssc_weight(K, alpha), false),
                testing::kOptimality)
          << alpha;
    }
  }
}

TEST(ElasticNetPath, WithACommonWeightIsSscAtEveryAlpha) {
  for (const Matrix& X :
       {unit_subspaces(), random_matrix(12, 70, 3), Matrix(1e20 * random_matrix(30, 40, 4))}) {
    ElasticNetPathOptions options{
        .tau = 1.0, .common_weight = true, .gammas = {0.7, 2.0, 20.0, 500.0}};
    expect_ssc(X, elastic_net_path(X, options), {});
    options.points = {0, 31, 7};
    expect_ssc(X, elastic_net_path(X, options, streamed(X)), streamed(X));
  }
}

TEST(ElasticNetPath, WithACommonWeightGivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = unit_subspaces();
  const ElasticNetPathOptions options{.tau = 1.0, .common_weight = true, .num_gammas = 5};
  const ElasticNetPath one = elastic_net_path(X, options, {.num_threads = 1});
  const ElasticNetPath two = elastic_net_path(X, options, {.num_threads = 2});
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(Matrix(one.step(k).coefficients), Matrix(two.step(k).coefficients));
  }
}

TEST(ElasticNetPath, MayAlsoDescend) {
  const Matrix X = unit_subspaces();
  for (const double tau : {0.9, 1.0}) {
    const ElasticNetPath path =
        elastic_net_path(X, {.tau = tau, .points = {3, 4}, .gammas = {300, 50, 10, 2, 1.2, 0.5}});
    expect_solved(X, path, tau, 1e-7);
    EXPECT_EQ(path.step(5).coefficients.nonZeros(), 0);
  }
}

TEST(ElasticNetPath, BeginsWithOneCoefficient) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(2, 20);
    const Index points = *rc::gen::inRange(3, 40);
    const double tau = *rc::gen::element(0.3, 0.9, 1.0);
    const Matrix X =
        random_matrix(dimension, points, *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const ElasticNetPath path = elastic_net_path(X, {.tau = tau, .num_gammas = 5});
    for (Index j = 0; j < points; ++j) RC_ASSERT(path.support_size(0, j) == 1);
    for (Index k = 0; k < 5; ++k) RC_ASSERT(num_unconverged(path.step(k).solves) == 0);
  }));
}

TEST(ElasticNetPath, OfAllPointsIsElasticNetAtEveryGamma) {
  const Matrix X = unit_subspaces();
  const ElasticNetPath path = elastic_net_path(X, {.gammas = {2, 50, 500}});
  for (Index k = 0; k < 3; ++k) {
    const Matrix expected =
        elastic_net(X, {.gamma = path.gammas()[static_cast<std::size_t>(k)]}).coefficients;
    EXPECT_LE((Matrix(path.step(k).coefficients) - expected).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(Matrix(path.step(k).coefficients).diagonal().cwiseAbs().maxCoeff(), 0.0);
  }
}

TEST(ElasticNetPath, HasTheSolutionBetweenItsSteps) {
  const Matrix X = unit_subspaces();
  for (const double tau : {0.9, 1.0}) {
    const ElasticNetPath path =
        elastic_net_path(X, {.tau = tau, .points = {1, 30}, .num_gammas = 6});
    for (const double gamma : {0.7, 1.0001, 3.3, 77.0, 2000.0}) {
      const SelfExpression between = path.at(gamma);
      const Matrix cold = elastic_net(X, {.tau = tau, .gamma = gamma}).coefficients;
      EXPECT_EQ(num_unconverged(between.solves), 0) << gamma;
      const Matrix C = between.coefficients;
      EXPECT_LE((C.col(0) - cold.col(1)).cwiseAbs().maxCoeff(), 1e-7) << gamma;
      EXPECT_LE((C.col(1) - cold.col(30)).cwiseAbs().maxCoeff(), 1e-7) << gamma;
    }
  }
}

// Between two changes of the support the lasso is linear in 1/gamma.
TEST(ElasticNetPath, OfTheLassoIsPiecewiseLinear) {
  const Matrix X = random_matrix(12, 30, 5);
  const double low = 20.0;
  const double high = 20.0 * (1.0 + 1e-5);
  const double middle = 2.0 / (1.0 / low + 1.0 / high);
  const ElasticNetPath path = elastic_net_path(X, {.tau = 1.0, .gammas = {low, middle, high}});
  const Matrix mean = (Matrix(path.step(0).coefficients) + Matrix(path.step(2).coefficients)) / 2;
  EXPECT_LE((Matrix(path.step(1).coefficients) - mean).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(ElasticNetPath, TellsSupportAndFitErrorWhichFalls) {
  const Matrix X = unit_subspaces();
  const ElasticNetPath path = elastic_net_path(X, {.points = {5, 60}, .num_gammas = 20});
  for (Index column = 0; column < 2; ++column) {
    const Index j = path.points()[static_cast<std::size_t>(column)];
    for (Index k = 0; k < 20; ++k) {
      const Vector c = Matrix(path.step(k).coefficients).col(column);
      EXPECT_EQ(path.support_size(k, column), (c.array() != 0.0).count());
      EXPECT_NEAR(path.fit_error(k, column), (X.col(j) - X * c).norm() / X.col(j).norm(), 1e-12);
      if (k > 0) {
        EXPECT_LE(path.fit_error(k, column), path.fit_error(k - 1, column) + 1e-12);
      }
    }
  }
}

TEST(ElasticNetPath, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = unit_subspaces();
  for (const double tau : {0.9, 1.0}) {
    const ElasticNetPathOptions options{.tau = tau, .num_gammas = 8};
    const ElasticNetPath one = elastic_net_path(X, options, {.num_threads = 1});
    const ElasticNetPath two = elastic_net_path(X, options, {.num_threads = 2});
    for (Index k = 0; k < 8; ++k) {
      EXPECT_EQ(Matrix(one.step(k).coefficients), Matrix(two.step(k).coefficients));
    }
  }
}

TEST(ElasticNetPath, HasAResultForDegenerateData) {
  Matrix copies = random_matrix(4, 12, 6);
  for (Index j = 1; j < 12; j += 2) copies.col(j) = copies.col(j - 1);
  Matrix low_rank = random_matrix(8, 2, 3) * random_matrix(2, 30, 4);
  low_rank.col(4).setZero();
  const Matrix worlds[] = {Matrix::Zero(3, 5), Matrix::Ones(3, 1), Matrix::Identity(4, 4), copies,
                           low_rank,           1e150 * copies,     1e-150 * low_rank};
  for (const Matrix& X : worlds) {
    for (const auto& [tau, common] : {std::pair{0.5, false}, {1.0, false}, {1.0, true}}) {
      const ElasticNetPath path =
          elastic_net_path(X, {.tau = tau, .common_weight = common, .num_gammas = 10});
      for (Index k = 0; k < 10; ++k) {
        EXPECT_EQ(num_unconverged(path.step(k).solves), 0)
            << k << ", " << tau << ": " << max_residual(path.step(k).solves);
        EXPECT_TRUE(Matrix(path.step(k).coefficients).allFinite());
        for (Index j = 0; j < X.cols(); ++j) EXPECT_TRUE(std::isfinite(path.fit_error(k, j)));
      }
      EXPECT_EQ(num_unconverged(path.at(30.0).solves), 0);
    }
  }
}

TEST(ElasticNetPath, RefusesWhatIsOutOfRange) {
  const Matrix X = random_matrix(3, 4, 13);
  const auto refusal = [&](const ElasticNetPathOptions& options) {
    return testing::message_of<InvalidArgument>([&] { elastic_net_path(X, options); });
  };
  EXPECT_EQ(refusal({.tau = 0.0}), "elastic_net_path: tau = 0, must satisfy 0 < tau <= 1");
  EXPECT_EQ(refusal({.num_gammas = 1}),
            "elastic_net_path: num_gammas = 1, must satisfy num_gammas >= 2");
  EXPECT_EQ(refusal({.last_gamma = 1.0}),
            "elastic_net_path: last_gamma = 1, must satisfy last_gamma > 1.001");
  EXPECT_EQ(refusal({.gammas = {2, 0}}),
            "elastic_net_path: gamma = 0, must satisfy 0 < gamma < inf");
  EXPECT_EQ(refusal({.gammas = {2, 3, 3}}),
            "elastic_net_path: gammas[2] = 3 after 3, must be strictly ascending or descending");
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] {
              elastic_net_path(X, {.points = {0, 4}});
            }),
            "elastic_net_path: point = 4, must satisfy 0 <= point < 4");
  const ElasticNetPath path = elastic_net_path(X, {.num_gammas = 2});
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { path.step(2); }),
            "elastic_net_path: step = 2, must satisfy 0 <= step < 2");
  EXPECT_THROW(path.at(-1.0), InvalidArgument);
  EXPECT_THROW(elastic_net_path(Matrix(3, 0)), DataError);
  EXPECT_THROW(elastic_net_path(X, {}, Context{.max_memory = 10}), ResourceError);
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(elastic_net_path(X, {.num_gammas = 2}, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace
