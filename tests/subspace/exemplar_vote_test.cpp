// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/exemplar_vote.h>

#include <gmock/gmock.h>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/exemplars.h>

#include "support/degenerate_data.h"
#include "support/lasso_violation.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::message_of;
using testing::random_matrix;
using testing::union_of_subspaces;

Matrix unit(Matrix X) {
  normalize_columns(X);
  return X;
}

TEST(RepresentByExemplars, MeetsTheOptimalityConditionsOnNewPoints) {
  for (const double lambda : {1.5, 20.0, 200.0}) {
    const Matrix E = 3.0 * random_matrix(12, 30, 1);
    const Matrix X = 0.1 * random_matrix(12, 50, 2);
    const auto found = represent_by_exemplars(E, X, {.lambda = lambda});
    ASSERT_EQ(found.coefficients.rows(), 30);
    ASSERT_EQ(found.coefficients.cols(), 50);
    const Matrix C = found.coefficients;
    const Matrix directions = unit(X);
    for (Index j = 0; j < X.cols(); ++j) {
      EXPECT_LE(testing::lasso_violation(unit(E), directions.col(j), C.col(j), lambda), 1e-8);
      EXPECT_TRUE(found.solves[static_cast<std::size_t>(j)].converged());
    }
  }
}

TEST(RepresentByExemplars, AgreesWithTheSearchThatFoundThem) {
  const Matrix X = random_matrix(10, 60, 3);
  const EscOptions options = {.num_exemplars = 15, .lambda = 50.0};
  const auto chosen = select_exemplars(X, options, 1);
  Matrix E(10, 15);
  for (Index i = 0; i < 15; ++i) E.col(i) = X.col(chosen.points[static_cast<std::size_t>(i)]);
  const auto again = represent_by_exemplars(E, X, options);
  EXPECT_LE((Matrix(again.coefficients) - Matrix(chosen.coefficients)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((again.costs - chosen.costs).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(RepresentByExemplars, OtherDimensionsAreRefused) {
  EXPECT_EQ(
      message_of<DataError>(
          [] { represent_by_exemplars(random_matrix(3, 2, 1), random_matrix(4, 2, 1)); }),
      "represent_by_exemplars: points have 4 features, the exemplars have 3; they must agree");
}

TEST(ExemplarVote, FindsTheSubspaceOfNewPoints) {
  const auto all = union_of_subspaces(20, 3, 4, 60, 0.0, 5);
  Labels own, expected;
  Matrix known(20, 120), fresh(20, 120);
  for (Index j = 0; j < 240; ++j) {
    (j % 2 == 0 ? known : fresh).col(j / 2) = all.points.col(j);
    (j % 2 == 0 ? own : expected).push_back(10 * all.labels[static_cast<std::size_t>(j)] - 3);
  }
  const LabelledExemplars model = choose_exemplars(known, own, {.per_class = 12});
  EXPECT_EQ(model.labels.size(), 48u);
  const ExemplarVotes found = predict(model, fresh);
  EXPECT_EQ(found.labels, expected);
  EXPECT_GT(found.margins.minCoeff(), 0.0);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.largest_violation, 1e-6);
  // The length of a point says nothing.
  EXPECT_EQ(predict(model, 1e-3 * fresh).labels, expected);
}

/// The residual of each class from the coefficients, written out.
TEST(ExemplarVote, TakesTheClassWithTheSmallestResidual) {
  const Matrix X = random_matrix(6, 40, 7);
  const Labels labels = testing::random_labels(40, 3, 8);
  const LabelledExemplars model = choose_exemplars(X, labels, {.per_class = 4, .lambda = 30.0});
  const Matrix fresh = unit(random_matrix(6, 25, 9));
  const Matrix C = represent_by_exemplars(model.exemplars, fresh, {.lambda = 30.0}).coefficients;
  const NearestSubspaces found = predict(model, fresh);
  for (Index j = 0; j < fresh.cols(); ++j) {
    Vector residuals(3);
    for (int k = 0; k < 3; ++k) {
      Vector x = fresh.col(j);
      for (Index i = 0; i < model.exemplars.cols(); ++i) {
        if (model.labels[static_cast<std::size_t>(i)] == k) x -= C(i, j) * model.exemplars.col(i);
      }
      residuals[k] = x.norm();
    }
    Index best = 0;
    EXPECT_NEAR(found.residuals[j], residuals.minCoeff(&best), 1e-12);
    EXPECT_EQ(found.labels[static_cast<std::size_t>(j)], best);
  }
}

TEST(ExemplarVote, DegenerateDataGiveLabelsOrSayWhy) {
  for (const Index n : {1, 2, 5}) {
    for (const Matrix& X : testing::degenerate_data(4, n)) {
      const Labels labels = testing::random_labels(n, 2, 3);
      if (X.isZero(0.0)) {
        EXPECT_EQ(message_of<DataError>([&] { choose_exemplars(X, labels); }),
                  "choose_exemplars: all points are zero, none has a direction");
        continue;
      }
      const NearestSubspaces found = predict(choose_exemplars(X, labels), X);
      EXPECT_EQ(found.labels.size(), static_cast<std::size_t>(n));
      EXPECT_TRUE(found.residuals.allFinite());
    }
  }
}

TEST(ExemplarVote, PointsThatDoNotFitAreRefusedBeforehand) {
  const Matrix X = random_matrix(6, 40, 7);
  const LabelledExemplars model = choose_exemplars(X, testing::random_labels(40, 3, 8));
  Context small;
  small.max_memory = 6 * 40 * 8;  // one copy of the points
  EXPECT_THAT(message_of<ResourceError>([&] { predict(model, X, small); }),
              ::testing::StartsWith("predict: "));
}

TEST(ExemplarVote, AnEmptyModelIsRefused) {
  EXPECT_EQ(message_of<InvalidArgument>([] { predict(LabelledExemplars{}, Matrix(3, 1)); }),
            "predict: 0 labels of 0 exemplars, must be one each and some");
}

}  // namespace
}  // namespace subspace
