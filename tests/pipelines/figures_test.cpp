// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/figures.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/neighbors/knn.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"

namespace subspace::pipelines {
namespace {

using subspace::testing::blobs;
using subspace::testing::Blobs;
using subspace::testing::kEigenpair;
using subspace::testing::message_of;
using subspace::testing::random_matrix;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// All points with the same label joined with weight 1, loops included.
SparseMatrix joined_within(const Labels& labels) {
  const auto n = static_cast<Index>(labels.size());
  Matrix W = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      W(i, j) = labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)];
    }
  }
  return W.sparseView();
}

int level(const HeatMap& map, int row, int column) {
  return map.levels[static_cast<std::size_t>(row * map.side + column)];
}

Figures affinity_figures(const SparseMatrix& affinity, const Labels& labels, int num_clusters) {
  return make_figures({.embedding = {}, .embedding_of = {}, .affinity = affinity}, labels,
                      num_clusters, 0);
}

TEST(HeatMap, OfClustersThatAreJoinedWithinIsBlockDiagonal) {
  // Labels in turn, so that sorting them matters; 100, 150 and 50 points of 300.
  Labels labels;
  for (int i = 0; i < 50; ++i) labels.insert(labels.end(), {1, 0, 1, 2, 0, 1});
  const HeatMap map = affinity_figures(joined_within(labels), labels, 3).affinity;
  ASSERT_EQ(map.side, 96);
  ASSERT_EQ(map.levels.size(), 96U * 96U);
  ASSERT_THAT(map.bounds, ElementsAre(DoubleNear(1.0 / 3.0, 1e-15), DoubleNear(5.0 / 6.0, 1e-15)));
  const auto cluster_at = [](int block) { return block < 32 ? 0 : block < 80 ? 1 : 2; };
  for (int row = 0; row < 96; ++row) {
    for (int column = 0; column < 96; ++column) {
      if (cluster_at(row) != cluster_at(column)) {
        ASSERT_EQ(level(map, row, column), 0) << row << ", " << column;
      } else if (row != column) {
        ASSERT_EQ(level(map, row, column), 255) << row << ", " << column;
      } else {
        // Three or four points, not joined with themselves: 2/3 or 3/4 of the others' mean.
        ASSERT_NEAR(level(map, row, column), 255 * std::sqrt(0.7), 10) << row;
      }
    }
  }
}

TEST(HeatMap, OfFewPointsShowsEveryEntryInTheOrderOfLabels) {
  // Points 1 and 3 have label 0, then 0 and 2 with label 1; label 2 has none.
  const Labels labels = {1, 0, 1, 0};
  Matrix W = Matrix::Zero(4, 4);
  W(1, 3) = W(3, 1) = 4.0;
  W(1, 0) = W(0, 1) = 1.0;
  W(2, 2) = 100.0;  // a loop
  const HeatMap map = affinity_figures(W.sparseView(), labels, 3).affinity;
  ASSERT_EQ(map.side, 4);
  EXPECT_THAT(map.bounds, ElementsAre(0.5));
  // Order 1, 3, 0, 2; the 98th percentile of {1, 1, 4, 4} is 4 or just below.
  EXPECT_THAT(map.levels, ElementsAre(0, 255, 128, 0,  //
                                      255, 0, 0, 0,    //
                                      128, 0, 0, 0,    //
                                      0, 0, 0, 0));
}

TEST(HeatMap, OneStrongPairDoesNotHideTheOthers) {
  const Labels labels(60, 0);
  Matrix W = joined_within(labels);
  W(3, 7) = W(7, 3) = 1e6;
  const HeatMap map = affinity_figures(W.sparseView(), labels, 1).affinity;
  EXPECT_EQ(level(map, 3, 7), 255);
  EXPECT_EQ(level(map, 20, 40), 255);
}

TEST(HeatMap, WithoutAnyEdgeIsBlack) {
  const HeatMap map = affinity_figures(SparseMatrix(5, 5), {0, 0, 1, 1, 1}, 2).affinity;
  EXPECT_THAT(map.levels, Each(0));
  EXPECT_THAT(map.bounds, ElementsAre(0.4));
}

TEST(Eigenvalues, AreThoseOfTheDenseLaplacian) {
  const Blobs data = blobs(5, 3, 15, 4.0, 1);
  const SparseMatrix W = neighbor_graph(data.points, {.k = 8});
  const Vector scale = (W * Vector::Ones(45)).cwiseSqrt().cwiseInverse();
  const Matrix laplacian =
      Matrix::Identity(45, 45) - Matrix(scale.asDiagonal() * W * scale.asDiagonal());
  const Vector expected = Eigen::SelfAdjointEigenSolver<Matrix>(laplacian).eigenvalues();
  const std::vector<double> found = affinity_figures(W, data.labels, 3).eigenvalues;
  ASSERT_EQ(found.size(), 13U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[static_cast<Index>(i)], kEigenpair);
  }
}

TEST(Eigenvalues, AreAsManyAsThereArePoints) {
  const Matrix X = random_matrix(3, 8, 2);
  const SparseMatrix W = neighbor_graph(X, {.k = 7});
  EXPECT_EQ(affinity_figures(W, Labels(8, 0), 2).eigenvalues.size(), 8U);
  EXPECT_THAT(affinity_figures(W, Labels(8, 0), 8).eigenvalues, IsEmpty());
}

TEST(Eigenvalues, CountTheComponents) {
  Labels labels;
  for (int i = 0; i < 40; ++i) labels.push_back(i % 4);
  const std::vector<double> found = affinity_figures(joined_within(labels), labels, 4).eigenvalues;
  ASSERT_EQ(found.size(), 14U);
  EXPECT_EQ(std::ranges::count_if(found, [](double value) { return value < 1e-8; }), 4);
}

TEST(Map, IsInTheUnitSquareAndFillsOneSide) {
  const Blobs data = blobs(6, 3, 30, 15.0, 3);
  const Figures figures = make_figures({data.points, "points", {}}, data.labels, 3, 1);
  EXPECT_EQ(figures.map_of, "points");
  EXPECT_EQ(figures.affinity.side, 0);
  EXPECT_THAT(figures.eigenvalues, IsEmpty());
  ASSERT_EQ(figures.map.size(), 90U);
  Eigen::ArrayXXf places(2, 90);
  for (Index i = 0; i < 90; ++i) {
    EXPECT_EQ(figures.map_points[static_cast<std::size_t>(i)], i);
    places(0, i) = figures.map[static_cast<std::size_t>(i)][0];
    places(1, i) = figures.map[static_cast<std::size_t>(i)][1];
  }
  EXPECT_GE(places.minCoeff(), 0.0F);
  EXPECT_LE(places.maxCoeff(), 1.0F);
  const Eigen::Array2f low = places.rowwise().minCoeff();
  const Eigen::Array2f high = places.rowwise().maxCoeff();
  EXPECT_FLOAT_EQ((high - low).maxCoeff(), 1.0F);
  EXPECT_NEAR((low + high)[0], 1.0F, 1e-6) << "in the middle";
  EXPECT_NEAR((low + high)[1], 1.0F, 1e-6);
  const Neighbors nearest =
      nearest_neighbors(places.cast<double>().matrix(), 1, Metric::kEuclidean);
  for (std::size_t i = 0; i < 90; ++i) {
    EXPECT_EQ(data.labels[static_cast<std::size_t>(nearest.indices[i])], data.labels[i]);
  }
}

TEST(Map, OfOnePointIsInTheMiddle) {
  const Figures figures = make_figures({Matrix::Ones(3, 1), "points", {}}, {0}, 1, 0);
  EXPECT_THAT(figures.map, ElementsAre(std::array<float, 2>{0.5F, 0.5F}));
}

TEST(Map, ShowsEveryOneOfManyDuplicates) {
  // What the spectral embedding of a graph of three components is.
  Labels labels;
  for (int i = 0; i < 90; ++i) labels.push_back(i % 3);
  Matrix points(3, 90);
  for (Index i = 0; i < 90; ++i) points.col(i) = Vector::Unit(3, i % 3);
  const Figures figures = make_figures({points, "spectral embedding", {}}, labels, 3, 0);
  Matrix places(2, 90);
  for (Index i = 0; i < 90; ++i) {
    places(0, i) = figures.map[static_cast<std::size_t>(i)][0];
    places(1, i) = figures.map[static_cast<std::size_t>(i)][1];
  }
  const Neighbors nearest = nearest_neighbors(places, 1, Metric::kEuclidean);
  for (std::size_t i = 0; i < 90; ++i) {
    EXPECT_GT(nearest.distances[i], 1e-3);
    EXPECT_EQ(labels[static_cast<std::size_t>(nearest.indices[i])], labels[i]);
  }
}

TEST(Map, OfManyPointsShowsEverySecond) {
  const Figures figures =
      make_figures({random_matrix(2, 5003, 4), "points", {}}, Labels(5003, 0), 1, 0);
  ASSERT_EQ(figures.map.size(), 2502U);
  ASSERT_EQ(figures.map_points.size(), 2502U);
  for (std::size_t i = 0; i < figures.map_points.size(); ++i) {
    ASSERT_EQ(figures.map_points[i], static_cast<Index>(2 * i));
  }
}

TEST(Figures, AreTheSameForAnyNumberOfThreads) {
  const Blobs data = blobs(6, 4, 20, 3.0, 5);
  const Evidence evidence = {data.points, "points", neighbor_graph(data.points, {.k = 6})};
  const Figures one = make_figures(evidence, data.labels, 4, 7, {.num_threads = 1});
  const Figures two = make_figures(evidence, data.labels, 4, 7, {.num_threads = 2});
  EXPECT_EQ(one.affinity.levels, two.affinity.levels);
  EXPECT_EQ(one.eigenvalues, two.eigenvalues);
  EXPECT_EQ(one.map, two.map);
}

TEST(Figures, WhatDoesNotFitIsNamed) {
  const Evidence evidence = {random_matrix(2, 5, 6), "points", SparseMatrix(4, 4)};
  EXPECT_THAT(message_of<DataError>([&] { make_figures(evidence, Labels(5, 0), 1, 0); }),
              HasSubstr("make_figures: an affinity of 4 points and 5 labels, must be as many"));
  EXPECT_THAT(message_of<DataError>([&] { make_figures(evidence, Labels(4, 0), 1, 0); }),
              HasSubstr("make_figures: an embedding of 5 points and 4 labels"));
  EXPECT_THAT(message_of<DataError>([&] {
                make_figures({}, {0, 2}, 2, 0);
              }),
              HasSubstr("make_figures: label 2 of point 1, must satisfy 0 <= label < 2"));
}

}  // namespace
}  // namespace subspace::pipelines
