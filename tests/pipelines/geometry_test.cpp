// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/pipelines/figures.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace::pipelines {
namespace {

using subspace::testing::message_of;
using subspace::testing::random_matrix;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Orthogonal subspaces of dimensions 1, 2 and 5 in twelve, their points in turn.
struct World {
  std::vector<Index> dimensions = {1, 2, 5};
  Matrix basis = {};  ///< its columns span one subspace after the other
  Matrix points = Matrix(12, 90);
  Labels labels = {};
};

World orthogonal_world(const Matrix& basis) {
  World world;
  world.basis = basis;
  for (Index j = 0; j < 90; ++j) {
    const auto k = static_cast<std::size_t>(j % 3);
    const Index first = k == 0 ? 0 : k == 1 ? 1 : 3;
    const Index dimension = world.dimensions[k];
    world.points.col(j) = basis.middleCols(first, dimension) *
                          random_matrix(dimension, 1, 40 + static_cast<std::uint64_t>(j));
    world.labels.push_back(static_cast<int>(2 * k));  // 0, 2, 4: label 1 has no point
  }
  return world;
}

Matrix rotation() { return Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 9)).householderQ(); }

Matrix of_cluster(const World& world, int label) {
  std::vector<Index> members;
  for (Index j = 0; j < 90; ++j) {
    if (world.labels[static_cast<std::size_t>(j)] == label) members.push_back(j);
  }
  return world.points(Eigen::all, members);
}

Vector singular_values(const Matrix& X) {
  const Vector sigma = Eigen::JacobiSVD<Matrix>(X).singularValues();
  return sigma / sigma[0];
}

void expect_values(const std::vector<double>& found, const Vector& expected) {
  ASSERT_EQ(std::ssize(found), expected.size());
  for (Index i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], expected[i], 1e-7) << i;
  }
}

TEST(Geometry, SingularValuesCountTheDimensionOfEachCluster) {
  const World world = orthogonal_world(rotation());
  const FeatureGeometry found = make_geometry(world.points, "points", world.labels);
  EXPECT_EQ(found.of, "points");
  EXPECT_EQ(found.dimension, 12);
  EXPECT_EQ(found.all.points, 90);
  expect_values(found.all.singular_values, singular_values(world.points));
  ASSERT_THAT(found.clusters, SizeIs(3));
  for (std::size_t k = 0; k < 3; ++k) {
    const ClusterGeometry& own = found.clusters[k];
    EXPECT_EQ(own.cluster, static_cast<int>(2 * k));
    EXPECT_EQ(own.own.points, 30);
    expect_values(own.own.singular_values, singular_values(of_cluster(world, own.cluster)));
    const auto nonzero =
        std::ranges::count_if(own.own.singular_values, [](double value) { return value > 1e-6; });
    EXPECT_EQ(nonzero, world.dimensions[k]);
    EXPECT_LE(own.own.effective_rank, static_cast<double>(world.dimensions[k]) + 1e-4);
    // Along a direction that a cluster does not extend in there is no nearest point.
    EXPECT_EQ(std::ssize(own.closest), k == 0 ? 1 : k == 1 ? 2 : 3);
  }
}

TEST(Geometry, ClosestAreThePlantedPoints) {
  // Two clusters with three axes each: for every axis pairs of points of falling purity, the first
  // two of which are planted, and points half way between two axes.
  const Matrix basis = Eigen::HouseholderQR<Matrix>(random_matrix(8, 8, 3)).householderQ();
  const std::vector<double> strength = {9.0, 6.0, 3.0};
  std::vector<Vector> columns;
  Labels labels;
  std::vector<std::vector<std::vector<Index>>> planted(2, std::vector<std::vector<Index>>(3));
  const auto add = [&](int cluster, const Vector& coordinates) {
    columns.push_back(basis.middleCols(3 * cluster, 3) * coordinates);
    labels.push_back(cluster);
  };
  for (int rank = 0; rank < 4; ++rank) {
    for (int cluster = 0; cluster < 2; ++cluster) {
      for (Index axis = 0; axis < 3; ++axis) {
        // The impurities of two points are opposite: the axes stay where they are.
        for (const double sign : {1.0, -1.0}) {
          Vector z = Vector::Zero(3);
          z[axis] = strength[static_cast<std::size_t>(axis)];
          z[(axis + 1) % 3] = sign * 0.01 * (2 * rank + 1) * z[axis];
          if (rank < 2) {
            planted[static_cast<std::size_t>(cluster)][static_cast<std::size_t>(axis)].push_back(
                std::ssize(columns));
          }
          add(cluster, z);
        }
      }
    }
  }
  for (int cluster = 0; cluster < 2; ++cluster) {
    add(cluster, Vector{{1.0, 1.0, 0.0}});
    add(cluster, Vector{{1.0, -1.0, 0.0}});
  }
  Matrix X(8, std::ssize(columns));
  for (Index j = 0; j < X.cols(); ++j) X.col(j) = columns[static_cast<std::size_t>(j)];
  const FeatureGeometry found = make_geometry(X, "points", labels);
  for (std::size_t cluster = 0; cluster < 2; ++cluster) {
    ASSERT_THAT(found.clusters[cluster].closest, SizeIs(3));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_THAT(found.clusters[cluster].closest[axis],
                  ::testing::UnorderedElementsAreArray(planted[cluster][axis]))
          << cluster << ", " << axis;
    }
  }
}

TEST(Geometry, NoPictureIsShownTwice) {
  // One point many times, and its multiples, beside three others.
  Matrix X = Matrix::Zero(3, 12);
  for (Index j = 0; j < 9; ++j) X.col(j) = static_cast<double>(j + 1) * Vector::Unit(3, 0);
  X.col(9) << 5.0, 1.0, 0.0;
  X.col(10) << 5.0, -1.0, 0.0;
  X.col(11) << 0.0, 0.0, 1.0;
  const FeatureGeometry found = make_geometry(X, "points", Labels(12, 0));
  EXPECT_THAT(found.clusters[0].closest,
              ElementsAre(UnorderedElementsAre(0, 9, 10), IsEmpty(), ElementsAre(11)));
}

TEST(Geometry, CovarianceIsThatOfEigenInOneOrderForAll) {
  // Axes of their own for each cluster, mixed up: in the order of the picture they are blocks.
  Eigen::PermutationMatrix<Eigen::Dynamic> mixed(12);
  mixed.indices() << 7, 2, 9, 0, 11, 4, 1, 10, 3, 8, 5, 6;
  const World world = orthogonal_world(Matrix(mixed * Matrix::Identity(12, 12)));
  const FeatureGeometry found = make_geometry(world.points, "points", world.labels);
  const HeatMap& all = found.all.covariance;
  ASSERT_EQ(all.side, 12);
  // The first cluster has place 0, the second 5 and 6, the third 7 to 11. No cluster varies along
  // the other four dimensions, which stand with the first.
  const Matrix C = (world.points * world.points.transpose() / 90.0).cwiseAbs();
  std::vector<std::vector<Index>> dimensions_of(3);
  for (Index d = 0; d < 8; ++d) {
    dimensions_of[d == 0 ? 0U : d < 3 ? 1U : 2U].push_back(mixed.indices()[d]);
  }
  std::vector<Index> order;
  for (std::size_t k = 0; k < 3; ++k) {
    std::ranges::sort(dimensions_of[k], [&](Index a, Index b) { return C(a, a) > C(b, b); });
    order.insert(order.end(), dimensions_of[k].begin(), dimensions_of[k].end());
    if (k > 0) continue;
    for (Index i = 0; i < 12; ++i) {
      if (C(i, i) == 0.0) order.push_back(i);
    }
  }
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) {
      const double share =
          C(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]) / C.maxCoeff();
      EXPECT_NEAR(all.levels[static_cast<std::size_t>(12 * i + j)], 255.0 * share, 0.51);
    }
  }
  // A cluster's own picture is dark where its dimensions are and empty elsewhere.
  const HeatMap& second = found.clusters[1].own.covariance;
  ASSERT_EQ(second.side, 12);
  for (int i = 0; i < 144; ++i) {
    const bool own = i / 12 >= 5 && i / 12 < 7 && i % 12 >= 5 && i % 12 < 7;
    if (!own) {
      EXPECT_EQ(second.levels[static_cast<std::size_t>(i)], 0) << i;
    }
  }
  EXPECT_EQ(second.levels[5 * 12 + 5], 255);
}

TEST(Geometry, LargeCovariancesAreMeansOfBlocks) {
  Matrix X = Matrix::Zero(2 * kCovarianceSide, 2 * kCovarianceSide);
  X.diagonal().setOnes();
  const FeatureGeometry found = make_geometry(X, "points", Labels(2 * kCovarianceSide, 0));
  const HeatMap& map = found.all.covariance;
  ASSERT_EQ(map.side, kCovarianceSide);
  for (int i = 0; i < map.side * map.side; ++i) {
    EXPECT_EQ(map.levels[static_cast<std::size_t>(i)], i % (map.side + 1) == 0 ? 255 : 0);
  }
  EXPECT_EQ(found.clusters[0].own.covariance.side, kClusterCovarianceSide);
}

TEST(Geometry, LimitsHold) {
  const Matrix wide = random_matrix(kCovarianceDimensions + 1, 60, 2);
  Labels labels;
  for (int i = 0; i < 60; ++i) labels.push_back(i % 30);
  const FeatureGeometry pixels = make_geometry(wide, "points", labels);
  EXPECT_EQ(pixels.all.covariance.side, 0);
  EXPECT_THAT(pixels.all.singular_values, SizeIs(60));
  EXPECT_THAT(pixels.clusters, SizeIs(30));
  EXPECT_THAT(pixels.clusters[0].closest, ElementsAre(SizeIs(2), IsEmpty()));

  const FeatureGeometry small = make_geometry(wide.topRows(5), "points", labels);
  EXPECT_EQ(small.clusters[kCovarianceClusters - 1].own.covariance.side, 5);
  EXPECT_EQ(small.clusters[kCovarianceClusters].own.covariance.side, 0);

  const FeatureGeometry long_one =
      make_geometry(random_matrix(kSingularValues + 20, 300, 1), "points", Labels(300, 0));
  EXPECT_EQ(std::ssize(long_one.all.singular_values), kSingularValues);
  EXPECT_GT(long_one.all.effective_rank, static_cast<double>(kSingularValues))
      << "of all singular values, not of those kept";

  const Matrix huge = Matrix::Zero(kSpectrumSide + 1, kSpectrumSide + 1);
  EXPECT_THAT(make_geometry(huge, "points", Labels(kSpectrumSide + 1, 0)).all.singular_values,
              IsEmpty());
}

TEST(Geometry, EdgesHaveWhatTheyHave) {
  const FeatureGeometry zeros = make_geometry(Matrix::Zero(3, 4), "points", Labels(4, 1));
  EXPECT_THAT(zeros.clusters[0].own.singular_values, ElementsAre(0.0, 0.0, 0.0));
  EXPECT_EQ(zeros.clusters[0].own.effective_rank, 0.0);
  EXPECT_THAT(zeros.clusters[0].closest, IsEmpty());
  const FeatureGeometry one = make_geometry(Matrix::Ones(3, 1), "points", {7});
  EXPECT_THAT(one.clusters[0].closest, ElementsAre(ElementsAre(0)));
  EXPECT_THAT(make_geometry(Matrix(0, 0), "points", {}).clusters, IsEmpty());
  // Memory that does not suffice costs the picture, not the run.
  const FeatureGeometry tight = make_geometry(random_matrix(600, 600, 1), "points", Labels(600, 0),
                                              {.max_memory = 1'000'000});
  EXPECT_THAT(tight.all.singular_values, IsEmpty());
  EXPECT_EQ(message_of<DataError>([] { make_geometry(Matrix::Ones(2, 3), "points", {0}); }),
            "make_geometry: 1 labels and 3 points, must be as many");
}

TEST(Geometry, IsTheSameForAnyNumberOfThreadsAndARotationLeavesItsNumbers) {
  const World world = orthogonal_world(rotation());
  const FeatureGeometry one =
      make_geometry(world.points, "points", world.labels, {.num_threads = 1});
  const FeatureGeometry two =
      make_geometry(world.points, "points", world.labels, {.num_threads = 2});
  const FeatureGeometry turned =
      make_geometry(Matrix(-rotation().transpose() * world.points), "points", world.labels);
  EXPECT_EQ(one.all.covariance.levels, two.all.covariance.levels);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(one.clusters[k].own.singular_values, two.clusters[k].own.singular_values);
    EXPECT_EQ(one.clusters[k].closest, two.clusters[k].closest);
    EXPECT_NEAR(one.clusters[k].own.effective_rank, turned.clusters[k].own.effective_rank, 1e-5);
  }
}

TEST(Geometry, ComesWithTheFiguresOfLearnedFeatures) {
  const World world = orthogonal_world(rotation());
  Evidence evidence;
  EXPECT_FALSE(make_figures(evidence, world.labels, 5, 0).geometry);
  evidence.features = world.points;
  const Figures figures = make_figures(evidence, world.labels, 5, 0);
  ASSERT_TRUE(figures.geometry);
  EXPECT_EQ(figures.geometry->of, "learned features");
  evidence.features = world.points.leftCols(4);
  EXPECT_EQ(message_of<DataError>([&] { make_figures(evidence, world.labels, 5, 0); }),
            "make_figures: features of 4 points and 90 labels, must be as many");
}

}  // namespace
}  // namespace subspace::pipelines
