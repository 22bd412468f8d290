// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/synthetic.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>

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

}  // namespace
}  // namespace subspace::datasets
