// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/neighbor_vote.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::blobs;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kAbsoluteCosine, Metric::kCosine};

double distance(const Vector& x, const Vector& y, Metric metric) {
  if (metric == Metric::kEuclidean) return (x - y).norm();
  if (x.isZero(0.0) || y.isZero(0.0)) return 1.0;
  const double cosine = x.dot(y) / (x.norm() * y.norm());
  return 1.0 - (metric == Metric::kCosine ? cosine : std::abs(cosine));
}

/// Sorted by distance and index, then the vote counted in a table.
int vote_by_sorting(const Matrix& X, const Labels& labels, const Vector& query, int k,
                    Metric metric) {
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < X.cols(); ++i) order.emplace_back(distance(X.col(i), query, metric), i);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
  std::map<int, int> voices;
  for (const auto& [d, i] : order) ++voices[labels[i]];
  int most = 0;
  for (const auto& [label, count] : voices) most = std::max(most, count);
  for (const auto& [d, i] : order) {
    if (voices[labels[i]] == most) return labels[i];
  }
  return -1;
}

TEST(NeighborVote, IsWhatSortingAllDistancesGives) {
  EXPECT_TRUE(rc::check("vote by sorting", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Index n = *rc::gen::inRange<Index>(1, 150);
    const int k = *rc::gen::inRange(1, 12);
    const Metric metric =
        *rc::gen::elementOf(std::vector(std::begin(kMetrics), std::end(kMetrics)));
    const Matrix X = random_matrix(4, n, seed);
    const Labels labels = random_labels(n, 4, seed);
    const Matrix queries = random_matrix(4, 30, seed + 1);
    const Labels found = neighbor_vote(X, labels, queries, {.k = k, .metric = metric});
    for (Index j = 0; j < queries.cols(); ++j) {
      RC_ASSERT(found[j] == vote_by_sorting(X, labels, queries.col(j), k, metric));
    }
  }));
}

TEST(NeighborQuery, AgreesWithTheSearchWithinOneSet) {
  // Its own nearest neighbour comes first; the others are those of the search that leaves it out.
  const Matrix X = random_matrix(6, 700, 3);
  for (const Metric metric : kMetrics) {
    const Neighbors within = nearest_neighbors(X, 4, metric);
    const Neighbors queried = nearest_neighbors(X, X, 5, metric);
    ASSERT_EQ(queried.indices.size(), 3500U);
    for (std::size_t j = 0; j < 700; ++j) {
      EXPECT_EQ(queried.indices[5 * j], static_cast<int>(j));
      EXPECT_EQ(queried.distances[5 * j], 0.0);
      for (std::size_t m = 0; m < 4; ++m) {
        EXPECT_EQ(queried.indices[5 * j + m + 1], within.indices[4 * j + m]);
        EXPECT_EQ(queried.distances[5 * j + m + 1], within.distances[4 * j + m]);
      }
    }
  }
}

TEST(NeighborQuery, CosineKnowsTheSignAndItsRange) {
  const Matrix X{{1, -2, 0, 0}, {0, 0, 3, 0}};
  const Matrix query{{5}, {0}};
  const Neighbors found = nearest_neighbors(X, query, 4, Metric::kCosine);
  EXPECT_THAT(found.indices, ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(found.distances, ElementsAre(0.0, 1.0, 1.0, 2.0));
  EXPECT_THAT(nearest_neighbors(X, query, 2, Metric::kAbsoluteCosine).indices, ElementsAre(0, 1));
}

TEST(NeighborQuery, RefusesWhatCannotBeAsked) {
  const Matrix X = random_matrix(3, 4, 1);
  EXPECT_EQ(message_of<DataError>([&] { nearest_neighbors(X, X, 5, Metric::kCosine); }),
            "nearest_neighbors: k = 5, must satisfy k <= 4, the number of points of the reference");
  EXPECT_EQ(message_of<InvalidArgument>([&] { nearest_neighbors(X, X, 0, Metric::kCosine); }),
            "nearest_neighbors: k = 0, must satisfy 1 <= k");
  EXPECT_EQ(message_of<DataError>(
                [&] { nearest_neighbors(X, Matrix::Zero(2, 1), 1, Metric::kEuclidean); }),
            "nearest_neighbors: the reference has 3 features, the queries have 2; they must agree");
}

TEST(NeighborVote, TiesGoToTheNearest) {
  const Matrix X{{0.0, 1.0, 2.0, 10.0}};
  const Labels labels = {4, 2, 2, 4};
  const NeighborVoteOptions one = {.k = 2, .metric = Metric::kEuclidean};
  EXPECT_THAT(neighbor_vote(X, labels, Matrix{{0.1, 0.9}}, one), ElementsAre(4, 2));
  const NeighborVoteOptions all = {.k = 100, .metric = Metric::kEuclidean};
  EXPECT_THAT(neighbor_vote(X, labels, Matrix{{-1.0, 1.2}}, all), ElementsAre(4, 2));
}

TEST(NeighborVote, ScaleCountsForDistanceNotForAngle) {
  const Matrix X{{1, 0}, {0, 1}};
  const Matrix query{{0.1}, {0.05}};
  EXPECT_THAT(neighbor_vote(X, {0, 1}, 1e150 * query, {.k = 1}), ElementsAre(0));
  EXPECT_THAT(neighbor_vote(X, {0, 1}, -query, {.k = 1}), ElementsAre(1));
  EXPECT_THAT(neighbor_vote(X, {0, 1}, -query, {.k = 1, .metric = Metric::kAbsoluteCosine}),
              ElementsAre(0));
}

TEST(NeighborVote, RotationAndThreadsLeaveTheLabels) {
  const auto world = blobs(9, 6, 80, 2.0, 12);
  const Matrix queries = random_matrix(9, 500, 5);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(9, 9, 2)).householderQ();
  for (const Metric metric : kMetrics) {
    const NeighborVoteOptions options = {.metric = metric};
    const Labels one =
        neighbor_vote(world.points, world.labels, queries, options, {.num_threads = 1});
    EXPECT_EQ(neighbor_vote(Q * world.points, world.labels, Q * queries, options), one);
    for (const int threads : {2, 4}) {
      EXPECT_EQ(
          neighbor_vote(world.points, world.labels, queries, options, {.num_threads = threads}),
          one);
    }
  }
}

TEST(NeighborVote, OnePointZeroPointsAndDuplicates) {
  const Matrix X = random_matrix(3, 1, 1);
  EXPECT_THAT(neighbor_vote(X, {9}, random_matrix(3, 4, 2)), Each(9));
  // A zero point is at the same angle to all: the first ones vote.
  EXPECT_THAT(neighbor_vote(random_matrix(3, 4, 3), {1, 2, 2, 1}, Matrix::Zero(3, 1), {.k = 3}),
              ElementsAre(2));
  const Matrix same = Matrix::Ones(3, 3);
  EXPECT_THAT(neighbor_vote(same, {5, 6, 6}, same, {.k = 1}), Each(5));
}

TEST(NeighborVote, RefusalsNameTheValueAndTheRule) {
  Matrix X = random_matrix(3, 4, 1);
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              neighbor_vote(X, {0, 1, 0, 1}, X, {.k = 0});
            }),
            "neighbor_vote: neighbors = 0, must satisfy neighbors >= 1");
  EXPECT_EQ(message_of<DataError>([&] { neighbor_vote(X, {0}, X); }),
            "neighbor_vote: 1 labels and 4 samples, must be as many");
  X(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      message_of<DataError>([&] { neighbor_vote(random_matrix(3, 1, 1), {0}, X); }),
      "neighbor_vote: sample 0, feature 0 (counted from 0) is inf; all values must be finite");
}

}  // namespace
}  // namespace subspace
