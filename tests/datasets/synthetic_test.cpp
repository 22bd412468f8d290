// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/synthetic.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include <subspace/core/error.h>
#include <subspace/datasets/sha256.h>

namespace subspace::datasets {
namespace {

TEST(UnionOfSubspacesTest, CleanPointsAreUnitVectorsOfIndependentSubspaces) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Generated data = union_of_subspaces({.seed = seed});
    ASSERT_EQ(data.points.X.rows(), 30);
    ASSERT_EQ(data.points.X.cols(), 500);
    ASSERT_EQ(data.truth.size(), 500U);
    EXPECT_LT((data.points.X.colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
    for (int l = 0; l < 5; ++l) {
      EXPECT_EQ(std::ranges::count(data.truth, l), 100);
      const Matrix own = data.points.X.middleCols(100 * l, 100);
      EXPECT_TRUE(std::all_of(data.truth.begin() + 100 * l, data.truth.begin() + 100 * (l + 1),
                              [&](int label) { return label == l; }));
      const Vector singular = Eigen::JacobiSVD<Matrix>(own).singularValues();
      EXPECT_GT(singular(5), 1.0);  // 100 points spread over 6 directions: about sqrt(100 / 6) each
      EXPECT_LT(singular(6), 1e-13);
    }
    EXPECT_GT(Eigen::JacobiSVD<Matrix>(data.points.X).singularValues()(29), 1e-6)
        << "5 x 6 fill the space";
  }
}

TEST(UnionOfSubspacesTest, NoiseHasTheAskedDeviationAndLeavesTheCleanPartAlone) {
  const Matrix clean = union_of_subspaces({.seed = 3}).points.X;
  const Matrix noise = union_of_subspaces({.noise = 0.05, .seed = 3}).points.X - clean;
  const auto n = static_cast<double>(noise.size());
  EXPECT_NEAR(noise.norm() / std::sqrt(n), 0.05, 4 * 0.05 / std::sqrt(2 * n));
  EXPECT_NEAR(noise.mean(), 0.0, 4 * 0.05 / std::sqrt(n));
}

TEST(UnionOfSubspacesTest, TheSeedIsAllThatMatters) {
  const Generated a = union_of_subspaces({.seed = 1});
  EXPECT_EQ(a.points.X, union_of_subspaces({.seed = 1}).points.X);
  EXPECT_NE(a.points.X, union_of_subspaces({.seed = 2}).points.X);
  EXPECT_EQ(a.points.sha256, content_sha256(a.points.X));
  const Generated fewer = union_of_subspaces({.num_subspaces = 2, .seed = 1});
  EXPECT_EQ(a.points.X.leftCols(200), fewer.points.X)
      << "a subspace does not depend on how many follow";
}

TEST(UnionOfSubspacesTest, EdgesOfTheOptions) {
  const Generated one = union_of_subspaces(
      {.num_subspaces = 1, .dimension = 1, .ambient = 1, .points_per_subspace = 1});
  EXPECT_EQ(std::abs(one.points.X(0, 0)), 1.0);
  const Generated full = union_of_subspaces(
      {.num_subspaces = 1, .dimension = 4, .ambient = 4, .points_per_subspace = 9});
  EXPECT_EQ(full.points.X.cols(), 9);
}

TEST(UnionOfSubspacesTest, BadOptionsAreRefusedByName) {
  const auto expect_refused = [](const UnionOfSubspacesOptions& options, const std::string& text) {
    try {
      union_of_subspaces(options);
      ADD_FAILURE() << text;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.what(), "union_of_subspaces: " + text);
    }
  };
  expect_refused({.num_subspaces = 0}, "num_subspaces = 0, must satisfy num_subspaces >= 1");
  expect_refused({.dimension = 31}, "dimension = 31, must satisfy 1 <= dimension <= ambient");
  expect_refused({.dimension = 0}, "dimension = 0, must satisfy 1 <= dimension <= ambient");
  expect_refused({.ambient = -1}, "ambient = -1, must satisfy ambient >= 1");
  expect_refused({.points_per_subspace = 0},
                 "points_per_subspace = 0, must satisfy points_per_subspace >= 1");
  expect_refused({.noise = -0.5}, "noise = -0.5, must satisfy 0 <= noise < infinity");
}

TEST(UnionOfSubspacesTest, DimensionsSizesAndOutliersAsAsked) {
  const Generated data = union_of_subspaces({.num_subspaces = 3,
                                             .ambient = 12,
                                             .seed = 5,
                                             .dimensions = {1, 2, 4},
                                             .sizes = {5, 30, 9},
                                             .num_outliers = 7});
  ASSERT_EQ(data.points.X.cols(), 51);
  EXPECT_EQ(std::ranges::count(data.truth, -1), 7);
  Index first = 0;
  const std::vector<int> dimensions = {1, 2, 4}, sizes = {5, 30, 9};
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(std::ranges::count(data.truth, static_cast<int>(l)), sizes[l]);
    const Vector singular =
        Eigen::JacobiSVD<Matrix>(Matrix(data.points.X.middleCols(first, sizes[l])))
            .singularValues();
    EXPECT_GT(singular(dimensions[l] - 1), 0.1);
    EXPECT_LT(singular.tail(singular.size() - dimensions[l]).maxCoeff(), 1e-13);
    first += sizes[l];
  }
  EXPECT_LT((data.points.X.rightCols(7).colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
}

TEST(UnionOfSubspacesTest, AffineSubspacesAreTheLinearOnesMoved) {
  const UnionOfSubspacesOptions linear = {.num_subspaces = 2, .dimension = 3, .seed = 4};
  UnionOfSubspacesOptions affine = linear;
  affine.affine = true;
  const Matrix shift = union_of_subspaces(affine).points.X - union_of_subspaces(linear).points.X;
  for (int l = 0; l < 2; ++l) {
    const Matrix own = shift.middleCols(100 * l, 100);
    EXPECT_LT((own.colwise() - own.col(0)).norm(), 1e-13) << "one offset a subspace";
    EXPECT_NEAR(own.col(0).norm(), 1.0, 1e-14);
  }
  EXPECT_GT((shift.col(0) - shift.col(100)).norm(), 0.1) << "another for each";
}

TEST(UnionOfSubspacesTest, ListsOfTheWrongLengthAreRefused) {
  EXPECT_THROW(union_of_subspaces({.dimensions = {1, 2}}), InvalidArgument);
  EXPECT_THROW(union_of_subspaces({.num_subspaces = 2, .sizes = {3, 0}}), InvalidArgument);
  EXPECT_THROW(union_of_subspaces({.num_outliers = -1}), InvalidArgument);
}

/// Smallest distance between points of the two classes over the usual distance inside one.
double gap(const Generated& data) {
  const Index half = data.points.X.cols() / 2;
  const Matrix a = data.points.X.leftCols(half), b = data.points.X.rightCols(half);
  double between = 1e300, within = 0.0;
  for (Index i = 0; i < half; ++i) {
    between = std::min(between, (b.colwise() - a.col(i)).colwise().norm().minCoeff());
    within += (a.colwise() - a.col(i)).colwise().norm().mean() / static_cast<double>(half);
  }
  return between / within;
}

TEST(ManifoldMixtureTest, BiasesKeepTheManifoldsApart) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const double apart = gap(manifold_mixture({.points_per_manifold = 300, .seed = seed}));
    const double meeting =
        gap(manifold_mixture({.biases = false, .points_per_manifold = 300, .seed = seed}));
    EXPECT_GT(apart, 2 * meeting) << "seed " << seed;
  }
}

/// Without biases the network is positively homogeneous, so both manifolds are cones with their
/// tips at 0; locally a manifold is as flat as its dimension says.
TEST(ManifoldMixtureTest, ManifoldsHaveTheirDimension) {
  const Generated data = manifold_mixture({.points_per_manifold = 4000, .seed = 1});
  for (int l = 0; l < 2; ++l) {
    const Matrix own = data.points.X.middleCols(4000 * l, 4000);
    // A few nearest neighbours lie in one linear piece of the network.
    const Vector distance = (own.colwise() - own.col(0)).colwise().norm();
    std::vector<Index> order(4000);
    for (Index i = 0; i < 4000; ++i) order[static_cast<std::size_t>(i)] = i;
    std::ranges::sort(order, {}, [&](Index i) { return distance(i); });
    const int dimension = l == 0 ? 3 : 6;
    Matrix near(30, dimension + 6);
    for (Index i = 0; i < near.cols(); ++i) {
      near.col(i) = own.col(order[static_cast<std::size_t>(i + 1)]) - own.col(0);
    }
    const Vector singular = Eigen::JacobiSVD<Matrix>(near).singularValues();
    EXPECT_GT(singular(dimension - 1), 2 * singular(dimension)) << singular.transpose();
  }
}

TEST(ManifoldMixtureTest, TheSeedIsAllThatMattersAndBadOptionsAreRefused) {
  const ManifoldMixtureOptions options = {.points_per_manifold = 20, .seed = 3};
  EXPECT_EQ(manifold_mixture(options).points.X, manifold_mixture(options).points.X);
  EXPECT_THROW(manifold_mixture({.dimensions = {}}), InvalidArgument);
  EXPECT_THROW(manifold_mixture({.dimensions = {0}}), InvalidArgument);
  EXPECT_THROW(manifold_mixture({.hidden = 0}), InvalidArgument);
}

TEST(DoubleSpiralTest, CleanPointsLieOnTheirArm) {
  const Generated data = double_spiral({.points_per_arm = 200, .noise = 0.0, .seed = 2});
  ASSERT_EQ(data.points.X.cols(), 400);
  for (Index j = 0; j < 400; ++j) {
    const Eigen::Vector2d x = (j < 200 ? 1.0 : -1.0) * data.points.X.col(j);
    const double t = x.norm();  // the radius is the angle
    EXPECT_GE(t, 1.5 * 3.141592);
    EXPECT_LE(t, 4.5 * 3.141593);
    EXPECT_NEAR((x - t * Eigen::Vector2d(std::cos(t), std::sin(t))).norm(), 0.0, 1e-12);
  }
}

/// The angle of the paper's toy is 1.5 pi (1 + 2 u) with u uniform, so each arm's sorted u must
/// stay near (j + 1/2) / n: Kolmogorov's distance above 1.95 / sqrt(n) has probability 0.001.
TEST(DoubleSpiralTest, AnglesAreUniformOnBothArms) {
  constexpr Index kSize = 2048;
  const Matrix X = double_spiral({.points_per_arm = kSize, .noise = 0.0, .seed = 0}).points.X;
  for (const Index arm : {0, 1}) {
    Vector u = (X.middleCols(arm * kSize, kSize).colwise().norm() / (1.5 * std::numbers::pi));
    u = (u.array() - 1.0) / 2.0;
    std::ranges::sort(u);
    const Vector uniform = Vector::LinSpaced(kSize, 0.5, kSize - 0.5) / kSize;
    EXPECT_LT((u - uniform).cwiseAbs().maxCoeff(), 1.95 / std::sqrt(kSize)) << "arm " << arm;
  }
}

TEST(DoubleSpiralTest, NoiseAndSeed) {
  const Matrix clean = double_spiral({.noise = 0.0, .seed = 1}).points.X;
  const Matrix noise = double_spiral({.noise = 0.1, .seed = 1}).points.X - clean;
  const auto n = static_cast<double>(noise.size());
  EXPECT_NEAR(noise.norm() / std::sqrt(n), 0.1, 4 * 0.1 / std::sqrt(2 * n));
  EXPECT_NE(clean, double_spiral({.noise = 0.0, .seed = 2}).points.X);
  EXPECT_THROW(double_spiral({.noise = -1.0}), InvalidArgument);
  EXPECT_THROW(double_spiral({.points_per_arm = 0}), InvalidArgument);
}

}  // namespace
}  // namespace subspace::datasets
