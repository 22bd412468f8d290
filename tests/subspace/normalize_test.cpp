// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/preprocess/preprocess.h>

#include "support/random_data.h"

namespace subspace {
namespace {

Matrix random_points(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  return Matrix::NullaryExpr(rows, columns, [&random] { return random.normal(); });
}

template <typename Expected, typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(NormalizeColumns, GivesUnitColumnsAlongTheOldOnes) {
  const Matrix X = random_points(17, 9, 1);
  Matrix unit = X;
  EXPECT_EQ(normalize_columns(unit), 0);
  for (Index j = 0; j < X.cols(); ++j) {
    EXPECT_NEAR(unit.col(j).norm(), 1.0, 1e-15);
    EXPECT_LT((unit.col(j) * X.col(j).norm() - X.col(j)).norm(), 1e-14 * X.col(j).norm());
  }
}

TEST(NormalizeColumns, DoesNotDependOnTheScale) {
  const Matrix X = random_points(8, 1, 2);
  Matrix expected = X;
  normalize_columns(expected);
  for (const int exponent : {-1000, -600, -500, 500, 600, 1000}) {
    Matrix scaled = X.unaryExpr([exponent](double x) { return std::ldexp(x, exponent); });
    EXPECT_EQ(normalize_columns(scaled), 0) << exponent;
    EXPECT_LT((scaled - expected).norm(), 1e-15) << exponent;
  }
}

TEST(NormalizeColumns, HandlesTheEndsOfTheRange) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  Matrix X(2, 4);
  X << 3.0 * tiny, huge, 1e150, 3e-150,  //
      -4.0 * tiny, huge, 0.0, 4e-150;
  EXPECT_EQ(normalize_columns(X), 0);
  EXPECT_NEAR(X(0, 0), 0.6, 1e-15);
  EXPECT_NEAR(X(1, 0), -0.8, 1e-15);
  EXPECT_NEAR(X(0, 1), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(X(0, 2), 1.0, 1e-15);
  EXPECT_NEAR(X(1, 3), 0.8, 1e-15);
}

TEST(NormalizeColumns, KeepsAndCountsZeroColumns) {
  Matrix X = Matrix::Zero(3, 4);
  X.col(2) << 0.0, -2.0, 0.0;
  EXPECT_EQ(normalize_columns(X), 3);
  Matrix expected = Matrix::Zero(3, 4);
  expected(1, 2) = -1.0;
  EXPECT_EQ(X, expected);
}

TEST(CenterColumns, LeavesAZeroMeanAndKeepsDifferences) {
  const Matrix X = random_points(5, 12, 3).array() + 7.0;
  Matrix centered = X;
  center_columns(centered);
  EXPECT_LT(centered.rowwise().mean().norm(), 1e-14);
  EXPECT_LT((centered.col(4) - centered.col(1) - (X.col(4) - X.col(1))).norm(), 1e-13);
}

TEST(CenterColumns, SurvivesSumsThatOverflow) {
  Matrix X = Matrix::Constant(1, 4, 1e308);
  center_columns(X);
  EXPECT_LT(X.cwiseAbs().maxCoeff(), 1e293);
}

TEST(RequireFinite, AcceptsEveryFiniteNumber) {
  Matrix X = random_points(6, 6, 4);
  X(0, 0) = std::numeric_limits<double>::max();
  X(1, 1) = -std::numeric_limits<double>::max();
  X(2, 2) = std::numeric_limits<double>::denorm_min();
  X(3, 3) = -0.0;
  EXPECT_NO_THROW(require_finite(X, "cluster"));
}

TEST(RequireFinite, NamesTheFirstOffender) {
  const double inf = std::numeric_limits<double>::infinity();
  Matrix X = random_points(20, 6, 5);
  X(17, 3) = std::nan("");
  X(2, 4) = inf;
  EXPECT_EQ(refusal<DataError>([&] { require_finite(X, "cluster"); }),
            "cluster: sample 3, feature 17 (counted from 0) is nan; all values must be finite");
  X(17, 3) = 0.0;
  EXPECT_EQ(refusal<DataError>([&] { require_finite(X, "kmeans"); }),
            "kmeans: sample 4, feature 2 (counted from 0) is inf; all values must be finite");
  X(2, 4) = -inf;
  EXPECT_EQ(refusal<DataError>([&] { require_finite(X, "kmeans"); }),
            "kmeans: sample 4, feature 2 (counted from 0) is -inf; all values must be finite");
}

TEST(RequireFinite, FindsAnOffenderAtAnyPosition) {
  EXPECT_TRUE(rc::check([] {
    const Index rows = *rc::gen::inRange<Index>(1, 12);
    const Index columns = *rc::gen::inRange<Index>(1, 12);
    const Index i = *rc::gen::inRange<Index>(0, rows);
    const Index j = *rc::gen::inRange<Index>(0, columns);
    Matrix X = random_points(rows, columns, 6);
    X(i, j) = std::nan("");
    const std::string expected = message("f: sample ", j, ", feature ", i,
                                         " (counted from 0) is nan; all values must be finite");
    RC_ASSERT(refusal<DataError>([&] { require_finite(X, "f"); }) == expected);
  }));
}

TEST(RequireFinite, RefusesAnEmptyMatrix) {
  EXPECT_THAT(refusal<DataError>([] { require_finite(Matrix(0, 5), "cluster"); }),
              ::testing::HasSubstr("5 samples and 0 features"));
  EXPECT_THAT(refusal<DataError>([] { require_finite(Matrix(3, 0), "cluster"); }),
              ::testing::HasSubstr("0 samples and 3 features"));
}

TEST(PreprocessOptions, AreDescribed) {
  PreprocessOptions options;
  const Parameters parameters = describe(options);
  ASSERT_EQ(parameters.size(), 4U);
  for (const Parameter& parameter : parameters) {
    if (parameter.name == "normalization") set_from_text(parameter, "none", "normalization");
    if (parameter.name == "pca") set_from_text(parameter, "12", "pca");
    if (parameter.name == "center") set_from_text(parameter, "true", "center");
    if (parameter.name == "append_one") set_from_text(parameter, "0.5", "append_one");
  }
  EXPECT_EQ(options.append_one, 0.5);
  EXPECT_EQ(options.normalization, Normalization::kNone);
  EXPECT_EQ(options.pca, 12);
  EXPECT_TRUE(options.center);
  options.pca = -1;
  EXPECT_THROW(check(describe(options), "cluster"), InvalidArgument);
}

TEST(Preprocess, RefusesWithoutMemoryForItsCopyOfThePoints) {
  const Matrix X = random_points(20, 100, 9);
  constexpr std::int64_t kPoints = 20 * 100 * 8;
  EXPECT_NO_THROW(preprocess(X, {}, {.max_memory = 2 * kPoints}));
  EXPECT_EQ(refusal<ResourceError>([&] { preprocess(X, {}, {.max_memory = 2 * kPoints - 1}); }),
            "preprocess: needs about 3.2e-05 GB of memory, 3.2e-05 GB allowed; the points are "
            "copied; give fewer samples or features");
  const PreprocessOptions projected{.pca = 3};
  EXPECT_NO_THROW(preprocess(X, projected, {.max_memory = 4 * kPoints}));
  EXPECT_THROW(preprocess(X, projected, {.max_memory = 3 * kPoints}), ResourceError);
}

TEST(Preprocessor, TakesNewPointsTheWayOfTheOldOnes) {
  const Matrix X = testing::random_matrix(7, 20, 3).array() + 2.0;
  for (const bool center : {false, true}) {
    for (const int pca : {0, 4}) {
      for (const auto normalization : {Normalization::kNone, Normalization::kUnitColumns}) {
        const PreprocessOptions options = {center, normalization, pca};
        const Preprocessor made = fit_preprocessor(X, options);
        EXPECT_EQ(apply(made, X).points, preprocess(X, options).points);
        // One by one they end where they end together.
        const Matrix whole = apply(made, X).points;
        for (const Index j : {0, 7, 19}) {
          EXPECT_LE((apply(made, X.col(j)).points - whole.col(j)).norm(), 1e-13);
        }
      }
    }
  }
}

/// Each point keeps what the other steps make of it, with the value below.
TEST(AppendOne, IsACoordinateBeforeNormalising) {
  const Matrix X = testing::random_matrix(7, 20, 3).array() + 2.0;
  for (const bool center : {false, true}) {
    for (const int pca : {0, 4}) {
      for (const double value : {1.0, 0.25}) {
        PreprocessOptions options = {center, Normalization::kNone, pca};
        const Matrix before = preprocess(X, options).points;
        options.append_one = value;
        const Preprocessor made = fit_preprocessor(X, options);
        const Matrix longer = apply(made, X).points;
        ASSERT_EQ(longer.rows(), before.rows() + 1);
        EXPECT_EQ(made.output_dimension(), longer.rows());
        EXPECT_EQ(longer.topRows(before.rows()), before);
        EXPECT_EQ(longer.bottomRows(1), Matrix::Constant(1, 20, value));
        EXPECT_EQ(apply(made, X.col(3)).points.rows(), longer.rows());  // also of new points
        options.normalization = Normalization::kUnitColumns;
        const Matrix unit = preprocess(X, options).points;
        EXPECT_LT((unit - longer.colwise().normalized()).cwiseAbs().maxCoeff(), 1e-15);
      }
    }
  }
}

/// A plane past the origin spans three dimensions, and is a linear subspace of three with the
/// coordinate: two such planes share no direction that they do not share as affine ones.
TEST(AppendOne, MakesAffineSubspacesLinearOnes) {
  const auto rank = [](const Matrix& X) {
    return Eigen::ColPivHouseholderQR<Matrix>(X).setThreshold(1e-10).rank();
  };
  const Matrix direction = testing::random_matrix(6, 2, 4);
  Matrix X(6, 40);
  X.leftCols(20) = (direction * testing::random_matrix(2, 20, 5)).colwise() +
                   Vector(testing::random_matrix(6, 1, 6));
  X.rightCols(20) = (direction * testing::random_matrix(2, 20, 7)).colwise() +
                    Vector(2.0 * X.col(0));  // a parallel plane in the span of the first
  EXPECT_EQ(rank(X), 3);
  const Matrix longer = preprocess(X, {.append_one = 1.0}).points;
  EXPECT_EQ(rank(longer.leftCols(20)), 3);
  EXPECT_EQ(rank(longer.rightCols(20)), 3);
  EXPECT_EQ(rank(longer), 4);
}

TEST(AppendOne, GivesEveryPointADirection) {
  Matrix X = testing::random_matrix(3, 5, 8);
  X.col(2).setZero();
  EXPECT_EQ(preprocess(X, {}).num_zero, 1);
  const Preprocessed longer = preprocess(X, {.append_one = 1.0});
  EXPECT_EQ(longer.num_zero, 0);
  EXPECT_EQ(longer.points.col(2), Vector(Vector::Unit(4, 3)));
  EXPECT_EQ(refusal<InvalidArgument>([&] { preprocess(X, {.append_one = -1.0}); }),
            "preprocess: append_one = -1, must satisfy append_one >= 0");
}

/// The points, their copy, and the longer one that it is copied to.
TEST(AppendOne, CountsItsCopyOfThePoints) {
  const Matrix X = random_points(20, 100, 9);
  constexpr std::int64_t kNeeds = (2 * 20 + 21) * 100 * 8;
  EXPECT_NO_THROW(preprocess(X, {.append_one = 1.0}, {.max_memory = kNeeds}));
  EXPECT_THROW(preprocess(X, {.append_one = 1.0}, {.max_memory = kNeeds - 1}), ResourceError);
}

TEST(Preprocessor, RefusesPointsOfAnotherDimension) {
  const Preprocessor made = fit_preprocessor(Matrix::Ones(3, 2), {});
  EXPECT_EQ(refusal<DataError>([&] { apply(made, Matrix::Ones(4, 2)); }),
            "preprocess: points have 4 features, must have 3");
}

}  // namespace
}  // namespace subspace
