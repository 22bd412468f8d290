// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include <subspace/core/error.h>
#include <subspace/diagnostics/linearity.h>
#include <subspace/preprocess/normalize.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::HasSubstr;
using testing::random_matrix;
using testing::union_of_subspaces;

Matrix orthonormal(Index rows, Index columns, std::uint64_t seed) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(rows, columns, seed)).householderQ() *
         Matrix::Identity(rows, columns);
}

/// Flats of the given dimension, `distance` away from the origin.
Matrix affine_subspaces(Index ambient, Index dimension, int count, Index each, double distance,
                        double noise, std::uint64_t seed) {
  Matrix X(ambient, count * each);
  for (int k = 0; k < count; ++k) {
    const std::uint64_t own = 1000 * seed + static_cast<std::uint64_t>(k);
    const Matrix basis = orthonormal(ambient, dimension + 1, own);
    X.middleCols(k * each, each) =
        (basis.leftCols(dimension) * random_matrix(dimension, each, own + 300)).colwise() +
        distance * basis.col(dimension);
  }
  return X + noise * random_matrix(ambient, count * each, seed + 77);
}

/// Points at random places of circles about `center`.
Matrix rings(const std::vector<double>& radii, Index each, double center, double noise,
             std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest, 5);
  Matrix X(2, static_cast<Index>(radii.size()) * each);
  for (Index j = 0; j < X.cols(); ++j) {
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    const double radius = radii[static_cast<std::size_t>(j / each)];
    X.col(j) << center + radius * std::cos(angle), center + radius * std::sin(angle);
  }
  return X + noise * random_matrix(2, X.cols(), seed);
}

// ---- known worlds

TEST(Linearity, DoesNotWarnOfLinearSubspaces) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const double noise = seed % 3 == 0 ? 0.0 : (seed % 3 == 1 ? 0.02 : 0.1);
    for (const Matrix& X : {union_of_subspaces(3, 1, 3, 30, noise, seed).points,
                            union_of_subspaces(3, 2, 3, 40, noise, seed).points,
                            union_of_subspaces(10, 3, 4, 30, noise, seed).points,
                            union_of_subspaces(30, 6, 3, 30, noise, seed).points}) {
      const Linearity found = check_linearity(X);
      EXPECT_EQ(found.shape, LocalShape::kLinear) << "seed " << seed;
      EXPECT_FALSE(found.warning.has_value()) << *found.warning;
      EXPECT_GE(found.statistic, 0.75) << "seed " << seed << ", dimension " << found.dimension;
    }
  }
}

TEST(Linearity, WarnsOfRings) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double center : {0.0, 3.0}) {
      const Matrix X = rings({1.0, 2.0}, 80, center, seed % 2 == 0 ? 0.0 : 0.01, seed);
      // In the plane, and turned into ten dimensions.
      for (const Matrix& points : {X, Matrix(orthonormal(10, 2, seed) * X)}) {
        const Linearity found = check_linearity(points);
        EXPECT_EQ(found.shape, LocalShape::kCurved) << "seed " << seed << ", centre " << center;
        EXPECT_EQ(found.dimension, 1);
        ASSERT_TRUE(found.warning.has_value());
        EXPECT_THAT(*found.warning, HasSubstr("curved sets of dimension about 1"));
        EXPECT_THAT(*found.warning, HasSubstr("try SMCE or KSSC"));
      }
    }
  }
}

TEST(Linearity, WarnsOfFlatsPastTheOriginAndSuggestsAffineMethods) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double noise : {0.0, 0.01}) {
      const Matrix lines = affine_subspaces(2, 1, 2, 60, 2.0, noise, seed);
      EXPECT_LT(check_linearity(lines).statistic, 0.6) << "seed " << seed;
      EXPECT_TRUE(check_linearity(lines).warning.has_value()) << "seed " << seed;
      for (const Index dimension : {1, 2, 4}) {
        const Linearity found =
            check_linearity(affine_subspaces(20, dimension, 3, 60, 3.0, noise, seed));
        EXPECT_EQ(found.shape, LocalShape::kAffine) << "seed " << seed << ", " << dimension;
        EXPECT_EQ(found.dimension, dimension);
        ASSERT_TRUE(found.warning.has_value());
        EXPECT_THAT(*found.warning, HasSubstr("try an affine method, or SMCE"));
      }
    }
  }
}

// Rings about the origin in planes of their own are linear subspaces of two dimensions.
TEST(Linearity, DoesNotWarnOfGreatCircles) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Matrix X(5, 160);
    X << orthonormal(5, 2, seed) * rings({1.0}, 80, 0.0, 0.0, seed),
        orthonormal(5, 2, seed + 50) * rings({2.0}, 80, 0.0, 0.0, seed + 1);
    EXPECT_FALSE(check_linearity(X).warning.has_value()) << seed;
  }
}

TEST(Linearity, MovingLinearSubspacesOffTheOriginIsNoticed) {
  Matrix X = union_of_subspaces(8, 2, 3, 60, 0.0, 3).points;
  EXPECT_FALSE(check_linearity(X).warning.has_value());
  X.colwise() += 4.0 * random_matrix(8, 1, 4).col(0).normalized();
  EXPECT_EQ(check_linearity(X).shape, LocalShape::kAffine);
}

// ---- invariances

TEST(Linearity, DoesNotDependOnRotationScaleThreadsOrCopies) {
  const Matrix X = rings({1.0, 2.0}, 60, 2.0, 0.01, 9);
  const Linearity expected = check_linearity(X);
  const Matrix Q = orthonormal(2, 2, 10);
  EXPECT_NEAR(check_linearity(Q * X).statistic, expected.statistic, 1e-9);
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
    EXPECT_NEAR(check_linearity(scale * X).statistic, expected.statistic, 1e-9) << scale;
  }
  for (const int threads : {1, 2, 4}) {
    EXPECT_EQ(check_linearity(X, {}, {.num_threads = threads}).statistic, expected.statistic);
  }
  Matrix doubled(2, 240);
  doubled << X, X;
  EXPECT_EQ(check_linearity(doubled).statistic, expected.statistic);
}

// ---- edges and refusals

TEST(Linearity, SaysNothingOfDataThatSayNothing) {
  Matrix unit = union_of_subspaces(5, 2, 3, 30, 0.0, 1).points;
  normalize_columns(unit);
  for (const Matrix& X : {unit, Matrix(Matrix::Zero(4, 50)), Matrix(Matrix::Ones(4, 50)),
                          random_matrix(3, 9, 2), random_matrix(3, 1, 3)}) {
    const Linearity found = check_linearity(X);
    EXPECT_EQ(found.shape, LocalShape::kUnknown);
    EXPECT_TRUE(std::isnan(found.statistic));
    EXPECT_FALSE(found.warning.has_value());
  }
  // One dimension, one line, a cloud: nothing speaks against linear subspaces.
  for (const Matrix& X :
       {random_matrix(1, 40, 4), Matrix(random_matrix(6, 1, 5) * random_matrix(1, 50, 6)),
        random_matrix(4, 100, 7), random_matrix(100, 12, 8)}) {
    EXPECT_EQ(check_linearity(X).shape, LocalShape::kLinear);
  }
}

TEST(Linearity, HoldsOnAGridOfDegenerateData) {
  for (const Index dimension : {1, 2, 5, 100}) {
    for (const Index points : {1, 2, 10, 11, 12, 20, 50}) {
      for (const double scale : {1e-150, 1.0, 1e150}) {
        Matrix X = random_matrix(dimension, points, 11);
        if (points > 4) X.col(points - 1) = X.col(0);
        if (points > 4) X.col(3).setZero();
        const Linearity found = check_linearity(scale * X, {.max_dimension = 40});
        EXPECT_TRUE(found.shape == LocalShape::kUnknown || std::isfinite(found.statistic));
      }
    }
  }
}

TEST(Linearity, RefusesOptionsOutOfRangeAndBadData) {
  const Matrix X = random_matrix(3, 30, 12);
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { check_linearity(X, {.threshold = 2.0}); }),
            "check_linearity: threshold = 2, must satisfy 0 < threshold <= 1");
  EXPECT_THROW(check_linearity(Matrix(3, 0)), DataError);
  EXPECT_THROW(check_linearity(X, {}, {.max_memory = 100}), ResourceError);
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(check_linearity(X, {}, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace
