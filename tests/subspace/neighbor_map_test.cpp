// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/visual/neighbor_map.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <subspace/core/error.h>
#include <subspace/neighbors/knn.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::blobs;
using ::testing::HasSubstr;
using testing::message_of;
using testing::random_matrix;

/// The share of points whose nearest point in the map has another label.
double share_of_strangers(const Matrix& map, const Labels& labels) {
  const Neighbors nearest = nearest_neighbors(map, 1, Metric::kEuclidean);
  int strangers = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[static_cast<std::size_t>(nearest.indices[i])] != labels[i]) ++strangers;
  }
  return static_cast<double>(strangers) / static_cast<double>(labels.size());
}

TEST(NeighborMap, SeparateBlobsStaySeparate) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const testing::Blobs data = blobs(10, 3, 100, 20.0, seed);
    const Matrix map = neighbor_map(data.points, {}, seed);
    ASSERT_EQ(map.rows(), 2);
    ASSERT_EQ(map.cols(), 300);
    EXPECT_EQ(share_of_strangers(map, data.labels), 0.0);
  }
}

TEST(NeighborMap, NeighborsOnACircleStayNeighbors) {
  // One closed line in ten dimensions: its map must follow it around.
  const Index n = 200;
  const Matrix plane = random_matrix(10, 2, 4);
  Matrix X(10, n);
  for (Index i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    X.col(i) = std::cos(angle) * plane.col(0) + std::sin(angle) * plane.col(1);
  }
  const Matrix map = neighbor_map(X, {.perplexity = 10.0});
  const Neighbors nearest = nearest_neighbors(map, 1, Metric::kEuclidean);
  for (Index i = 0; i < n; ++i) {
    const Index apart = std::abs(nearest.indices[static_cast<std::size_t>(i)] - i);
    EXPECT_LE(std::min(apart, n - apart), 3) << "point " << i;
  }
}

TEST(NeighborMap, HasTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = random_matrix(7, 333, 5);
  const NeighborMapOptions options = {.iterations = 60, .exaggerated_iterations = 20};
  const Matrix one = neighbor_map(X, options, 9, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    EXPECT_EQ(neighbor_map(X, options, 9, {.num_threads = threads}), one);
  }
}

TEST(NeighborMap, DoesNotDependOnUnits) {
  // Powers of two, for they change no digit; beyond the square root of the largest number.
  const Matrix X = random_matrix(5, 120, 6);
  const NeighborMapOptions options = {.iterations = 50};
  const Matrix map = neighbor_map(X, options);
  EXPECT_EQ(neighbor_map(std::ldexp(1.0, 600) * X, options), map);
  EXPECT_EQ(neighbor_map(std::ldexp(1.0, -600) * X, options), map);
}

TEST(NeighborMap, DuplicatesAndConstantDataHaveFinitePlaces) {
  Matrix X = random_matrix(4, 90, 7);
  X.leftCols(60).colwise() = Vector(X.col(0));
  EXPECT_TRUE(neighbor_map(X, {.perplexity = 5.0}).allFinite());
  for (const double value : {0.0, 1.0, 1e300}) {
    EXPECT_TRUE(neighbor_map(Matrix::Constant(3, 50, value)).allFinite()) << value;
  }
}

TEST(NeighborMap, MoreDuplicatesThanNeighborsPart) {
  // With as many neighbours as duplicates one place for all would be right: Q = P.
  const Matrix map = neighbor_map(Matrix::Ones(3, 200), {.perplexity = 5.0});
  const Vector range = map.rowwise().maxCoeff() - map.rowwise().minCoeff();
  EXPECT_GT(range.minCoeff(), 1.0);
}

TEST(NeighborMap, TinySetsHaveFinitePlaces) {
  EXPECT_EQ(neighbor_map(Matrix::Ones(3, 1)), Matrix::Zero(2, 1));
  for (const Index n : {2, 3, 4, 5, 9}) {
    for (const Index dimension : {1, 2, 6}) {
      const Matrix map = neighbor_map(random_matrix(dimension, n, 8));
      EXPECT_EQ(map.cols(), n);
      EXPECT_TRUE(map.allFinite());
      EXPECT_LT(map.rowwise().mean().norm(), 1e-9 * (1.0 + map.norm())) << "centred";
    }
  }
}

TEST(NeighborMap, WhatIsOutOfRangeIsNamed) {
  const Matrix X = random_matrix(3, 10, 1);
  const auto words = [&](const NeighborMapOptions& options) {
    return message_of<InvalidArgument>([&] { neighbor_map(X, options); });
  };
  EXPECT_THAT(words({.perplexity = 0.5}), HasSubstr("neighbor_map: perplexity = 0.5, must"));
  EXPECT_THAT(words({.iterations = -1}), HasSubstr("neighbor_map: iterations = -1, must"));
  EXPECT_THAT(words({.exaggeration = 0.0}), HasSubstr("neighbor_map: exaggeration = 0, must"));
  EXPECT_THAT(words({.exaggerated_iterations = -2}),
              HasSubstr("neighbor_map: exaggerated_iterations = -2, must"));
  EXPECT_THAT(message_of<DataError>([] { neighbor_map(Matrix(3, 0)); }), HasSubstr("neighbor_map"));
  Matrix broken = X;
  broken(1, 4) = std::nan("");
  EXPECT_THAT(message_of<DataError>([&] { neighbor_map(broken); }),
              HasSubstr("neighbor_map: sample 4, feature 1"));
}

TEST(NeighborMap, ReportsProgressAndStopsWhenAsked) {
  const Matrix X = random_matrix(3, 40, 2);
  CancelToken cancel;
  std::int64_t last = 0;
  const auto watch = [&](const ProgressEvent& event) {
    if (event.phase != "map") return;
    EXPECT_EQ(event.done, last + 1);
    EXPECT_EQ(event.total, 400);
    last = event.done;
    if (last == 7) cancel.request();
  };
  EXPECT_THROW(neighbor_map(X, {}, 0, {.progress = watch, .cancel = &cancel}), Cancelled);
  EXPECT_EQ(last, 7);
}

TEST(NeighborMap, RefusesWhatExceedsTheMemoryAllowed) {
  EXPECT_THAT(message_of<ResourceError>(
                  [] { neighbor_map(random_matrix(3, 500, 3), {}, 0, {.max_memory = 1000}); }),
              HasSubstr("neighbor_map"));
}

}  // namespace
}  // namespace subspace
