// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <string>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/pca.h>

namespace subspace {
namespace {

Matrix random_points(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  return Matrix::NullaryExpr(rows, columns, [&random] { return random.normal(); });
}

struct Shape {
  Index rows;
  Index columns;
  bool center;
};

/// Both moment matrices, with and without a mean.
class PcaOfShape : public ::testing::TestWithParam<Shape> {};

TEST_P(PcaOfShape, AgreesWithTheSingularValueDecomposition) {
  const auto [rows, columns, center] = GetParam();
  const Matrix X = random_points(rows, columns, 1).array() + 0.5;
  const int r = 5;
  const Pca pca = fit_pca(X, r, center);

  const Vector mean = center ? Vector(X.rowwise().mean()) : Vector(Vector::Zero(rows));
  const Matrix centered = X.colwise() - mean;
  const Eigen::JacobiSVD<Matrix> svd(centered, Eigen::ComputeThinU);
  EXPECT_LT((pca.mean - mean).norm(), 1e-13);
  EXPECT_LT((pca.basis.transpose() * pca.basis - Matrix::Identity(r, r)).norm(), 1e-13);
  for (int d = 0; d < r; ++d) {
    const double variance = std::pow(svd.singularValues()[d], 2) / static_cast<double>(columns);
    EXPECT_NEAR(pca.variances[d], variance, 1e-12 * variance);
    EXPECT_NEAR(std::abs(pca.basis.col(d).dot(svd.matrixU().col(d))), 1.0, 1e-12);
    Index largest = 0;
    pca.basis.col(d).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(pca.basis(largest, d), 0.0);
  }
}

TEST_P(PcaOfShape, VariancesAreThoseOfTheCoordinates) {
  const auto [rows, columns, center] = GetParam();
  const Matrix X = random_points(rows, columns, 2);
  const Pca pca = fit_pca(X, 4, center);
  const Matrix coordinates = project(pca, X);
  const Matrix moments = coordinates * coordinates.transpose() / static_cast<double>(columns);
  EXPECT_LT((moments - Matrix(pca.variances.asDiagonal())).norm(), 1e-12 * pca.variances[0]);
}

TEST_P(PcaOfShape, IsTheSameOnAnyNumberOfThreads) {
  const auto [rows, columns, center] = GetParam();
  const Matrix X = random_points(rows, columns, 3);
  const Pca one = fit_pca(X, 3, center, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const Pca many = fit_pca(X, 3, center, {.num_threads = threads});
    EXPECT_EQ(one.basis, many.basis);
    EXPECT_EQ(one.variances, many.variances);
  }
}

INSTANTIATE_TEST_SUITE_P(Pca, PcaOfShape,
                         ::testing::Values(Shape{12, 40, false}, Shape{12, 40, true},
                                           Shape{40, 12, false}, Shape{40, 12, true},
                                           Shape{20, 20, false}, Shape{20, 20, true}));

TEST(Pca, CompletesTheBasisBeyondTheRank) {
  for (const bool wide : {true, false}) {
    const Matrix X = wide ? Matrix(random_points(9, 2, 4) * random_points(2, 30, 5))
                          : Matrix(random_points(30, 2, 4) * random_points(2, 9, 5));
    const Pca pca = fit_pca(X, 6, false);
    EXPECT_LT((pca.basis.transpose() * pca.basis - Matrix::Identity(6, 6)).norm(), 1e-13);
    EXPECT_LT((pca.basis * project(pca, X) - X).norm(), 1e-12 * X.norm());
    EXPECT_LT(pca.variances.tail(4).maxCoeff(), 1e-12 * pca.variances[0]);
    EXPECT_GE(pca.variances.minCoeff(), 0.0);
  }
}

TEST(Pca, DoesNotDependOnTheScale) {
  const Matrix X = random_points(6, 20, 6);
  const Pca plain = fit_pca(X, 3, true);
  for (const double scale : {1e-150, 1e150}) {
    const Pca scaled = fit_pca(scale * X, 3, true);
    EXPECT_LT((scaled.basis - plain.basis).norm(), 1e-12) << scale;
    EXPECT_NEAR(scaled.variances[0] / scale / scale, plain.variances[0],
                1e-12 * plain.variances[0]);
  }
}

TEST(Pca, OfZeroIsAnOrthonormalBasisOfNoVariance) {
  const Pca pca = fit_pca(Matrix::Zero(7, 3), 2, false);
  EXPECT_LT((pca.basis.transpose() * pca.basis - Matrix::Identity(2, 2)).norm(), 1e-14);
  EXPECT_EQ(pca.variances, Vector::Zero(2));
}

TEST(Pca, RefusesWhatItCannotDo) {
  const Matrix X = random_points(5, 8, 7);
  try {
    fit_pca(X, 6, false);
    FAIL() << "accepted six of five dimensions";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("num_dimensions = 6, must satisfy 1 <= num_dimensions <= 5"));
  }
  EXPECT_THROW(fit_pca(X, 0, false), DataError);
  Matrix with_nan = X;
  with_nan(2, 3) = std::nan("");
  EXPECT_THROW(fit_pca(with_nan, 2, false), DataError);
  EXPECT_THROW(project(fit_pca(X, 2, false), Matrix::Zero(4, 2)), DataError);
  EXPECT_THROW(fit_pca(X, 2, false, {.max_memory = 100}), ResourceError);
}

}  // namespace
}  // namespace subspace
