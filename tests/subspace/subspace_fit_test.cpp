// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/subspace_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>

#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::ElementsAre;
using testing::random_labels;
using testing::random_matrix;
using testing::union_of_subspaces;

/// Large enough for the products with a few columns to be taken instead of the moment matrix.
constexpr Index kFeatures = 72;
constexpr Index kPointsOfCluster = 80;

Matrix members(const Matrix& X, const Labels& labels, int name, bool affine) {
  std::vector<Index> chosen;
  for (Index j = 0; j < X.cols(); ++j) {
    if (labels[static_cast<std::size_t>(j)] == name) chosen.push_back(j);
  }
  Matrix Y = X(Eigen::all, chosen);
  if (affine) Y.colwise() -= Vector(Y.rowwise().mean());
  return Y;
}

/// The squared length of Y within the subspace, as a share of the most that any of its dimension
/// can hold.
double share_held(const Matrix& B, const Matrix& Y) {
  const Vector values =
      Eigen::SelfAdjointEigenSolver<Matrix>(Y * Y.transpose(), Eigen::EigenvaluesOnly)
          .eigenvalues();
  return (B.transpose() * Y).squaredNorm() / values.tail(B.cols()).sum();
}

TEST(SubspaceFit, NearerSubspacesHoldMoreThanThoseBeforeAndMostOfAll) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const int dimension = *rc::gen::inRange(1, 9);
    const bool affine = *rc::gen::arbitrary<bool>();
    const auto world = union_of_subspaces(kFeatures, 6, 3, kPointsOfCluster, 0.05, seed);
    const SubspaceShapes shapes = {.dimensions = {dimension, dimension, dimension},
                                   .affine = affine};
    // Subspaces of other labels, a third of which are the true ones.
    Labels others = world.labels;
    const Labels random = random_labels(world.points.cols(), 3, seed);
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (j % 3 != 0) others[j] = random[j];
    }
    const Subspaces before = fit_exactly(world.points, others, shapes, {});
    const Subspaces nearer = fit_nearer(world.points, world.labels, before, shapes, {});
    RC_ASSERT(nearer.classes == before.classes);
    for (std::size_t c = 0; c < nearer.classes.size(); ++c) {
      const Matrix Y = members(world.points, world.labels, nearer.classes[c], affine);
      const Matrix& B = nearer.bases[c];
      RC_ASSERT(B.cols() == dimension);
      RC_ASSERT((B.transpose() * B - Matrix::Identity(dimension, dimension)).norm() < 1e-12);
      RC_ASSERT(share_held(B, Y) > share_held(before.bases[c], Y) - 1e-12);
      // Where leading eigenvalues lie close together a few rounds leave a few hundredths.
      RC_ASSERT(share_held(B, Y) > 0.9);
    }
  }));
}

/// A subspace on which the points have no part at all cannot grow towards them by products alone.
TEST(SubspaceFit, ClustersWithoutPointsInTheirSubspaceAreFittedAnew) {
  Matrix X = Matrix::Zero(kFeatures, kPointsOfCluster);
  X.topRows(4) = random_matrix(4, kPointsOfCluster, 1);
  const Labels labels(static_cast<std::size_t>(kPointsOfCluster), 0);
  const SubspaceShapes shapes = {.dimensions = {2}};
  Subspaces before = fit_exactly(X, labels, shapes, {});
  before.bases[0].setZero();
  before.bases[0].bottomRows(2).setIdentity();
  const Subspaces nearer = fit_nearer(X, labels, before, shapes, {});
  EXPECT_NEAR(share_held(nearer.bases[0], X), 1.0, 1e-12);
}

TEST(SubspaceFit, NewSmallAndFlatClustersAreFittedExactly) {
  const auto world = union_of_subspaces(kFeatures, 3, 2, kPointsOfCluster, 0.0, 3);
  Labels labels = world.labels;
  labels.back() = 2;  // one point: new and small
  const SubspaceShapes shapes = {.dimensions = {5, 5, 5}};
  const Subspaces before = fit_exactly(world.points, world.labels, shapes, {});
  const Subspaces nearer = fit_nearer(world.points, labels, before, shapes, {});
  EXPECT_THAT(nearer.classes, ElementsAre(0, 1, 2));
  EXPECT_THAT(nearer.dimensions, ElementsAre(3, 3, 1)) << "never more than the points span";
  for (std::size_t c = 0; c < 3; ++c) {
    const Matrix Y = members(world.points, labels, static_cast<int>(c), false);
    EXPECT_NEAR(share_held(nearer.bases[c], Y), 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace subspace
