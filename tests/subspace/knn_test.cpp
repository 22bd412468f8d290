// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neighbors/knn.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kSameFormula;
using testing::message_of;
using testing::random_matrix;

double distance(const Matrix& X, Index i, Index j, Metric metric) {
  if (metric == Metric::kEuclidean) return (X.col(i) - X.col(j)).stableNorm();
  const double norms = X.col(i).stableNorm() * X.col(j).stableNorm();
  return norms == 0.0 ? 1.0 : 1.0 - std::abs(X.col(i).dot(X.col(j))) / norms;
}

/// All pairs, sorted by distance and index.
Neighbors neighbors_by_sorting(const Matrix& X, int k, Metric metric) {
  Neighbors result;
  result.k = k;
  for (Index j = 0; j < X.cols(); ++j) {
    std::vector<std::pair<double, int>> others;
    for (Index i = 0; i < X.cols(); ++i) {
      if (i != j) others.emplace_back(distance(X, i, j, metric), static_cast<int>(i));
    }
    std::sort(others.begin(), others.end());
    for (int m = 0; m < k; ++m) {
      result.distances.push_back(others[m].first);
      result.indices.push_back(others[m].second);
    }
  }
  return result;
}

void expect_equal(const Neighbors& found, const Neighbors& expected, double tolerance) {
  EXPECT_EQ(found.k, expected.k);
  EXPECT_EQ(found.indices, expected.indices);
  ASSERT_EQ(found.distances.size(), expected.distances.size());
  for (std::size_t m = 0; m < found.distances.size(); ++m) {
    ASSERT_NEAR(found.distances[m], expected.distances[m],
                tolerance * std::max(1.0, expected.distances[m]));
  }
}

TEST(NearestNeighbors, EqualsSortingAllPairs) {
  // Sizes around and beyond the tiles, dimensions from one up.
  for (const Index n : {2, 3, 63, 64, 65, 200, 700}) {
    for (const Index dimension : {1, 3, 50}) {
      const Matrix X = random_matrix(dimension, n, static_cast<std::uint64_t>(n));
      for (const int k : {1, 5, 40}) {
        if (k >= n) continue;
        expect_equal(nearest_neighbors(X, k, Metric::kEuclidean),
                     neighbors_by_sorting(X, k, Metric::kEuclidean), kSameFormula);
      }
    }
  }
}

TEST(NearestNeighbors, AbsoluteCosineEqualsSortingAllPairs) {
  const Matrix X = random_matrix(20, 300, 1);
  expect_equal(nearest_neighbors(X, 7, Metric::kAbsoluteCosine),
               neighbors_by_sorting(X, 7, Metric::kAbsoluteCosine), kSameFormula);
}

TEST(NearestNeighbors, AllOthersWhenKIsNMinusOne) {
  const Matrix X = random_matrix(4, 90, 2);
  expect_equal(nearest_neighbors(X, 89, Metric::kEuclidean),
               neighbors_by_sorting(X, 89, Metric::kEuclidean), kSameFormula);
}

TEST(NearestNeighbors, EqualDistancesGoByIndex) {
  Matrix X(1, 5);
  X << 0, 1, -1, 2, -2;
  const Neighbors found = nearest_neighbors(X, 4, Metric::kEuclidean);
  EXPECT_THAT(std::vector<int>(found.indices.begin(), found.indices.begin() + 4),
              ElementsAre(1, 2, 3, 4));
}

TEST(NearestNeighbors, DuplicatesAreNeighborsAtDistanceZeroInOrder) {
  // Far from the origin, where |x|^2 + |y|^2 - 2x'y is all rounding error.
  const Matrix X = Matrix::Constant(3, 400, 1e8 / 3.0);
  const Neighbors found = nearest_neighbors(X, 3, Metric::kEuclidean);
  for (int j = 0; j < 400; ++j) {
    std::vector<int> expected;
    for (int i = 0; expected.size() < 3; ++i) {
      if (i != j) expected.push_back(i);
    }
    for (int m = 0; m < 3; ++m) {
      ASSERT_EQ(found.indices[3 * j + m], expected[m]) << "point " << j;
      ASSERT_EQ(found.distances[3 * j + m], 0.0);
    }
  }
}

TEST(NearestNeighbors, CancellationDoesNotChangeTheOrder) {
  // Two tight groups whose inner distances are 1e-9 of their norms.
  Matrix X = 1e-3 * random_matrix(5, 240, 3);
  X.leftCols(120).colwise() += Vector::Constant(5, 1e6);
  X.rightCols(120).colwise() -= Vector::Constant(5, 1e6);
  expect_equal(nearest_neighbors(X, 6, Metric::kEuclidean),
               neighbors_by_sorting(X, 6, Metric::kEuclidean), kSameFormula);
}

TEST(NearestNeighbors, ZeroVectorsHaveCosineDistanceOneToAll) {
  Matrix X = random_matrix(3, 6, 4);
  X.col(2).setZero();
  X.col(4).setZero();
  const Neighbors found = nearest_neighbors(X, 5, Metric::kAbsoluteCosine);
  for (const int j : {2, 4}) {
    for (int m = 0; m < 5; ++m) EXPECT_EQ(found.distances[5 * j + m], 1.0);
  }
  EXPECT_THAT(std::vector<int>(found.indices.begin() + 10, found.indices.begin() + 15),
              ElementsAre(0, 1, 3, 4, 5));
}

TEST(NearestNeighbors, MultiplesOfAPointAreOnePointForAbsoluteCosine) {
  Matrix X(3, 5);
  X.col(0) << 0.1, 0.7, -0.3;
  X.col(1) << 1, 0, 0;
  X.col(2) = -3.0 * X.col(0);
  X.col(3) = 1e-120 * X.col(0);
  X.col(4) = 1e140 * X.col(0);
  const Neighbors found = nearest_neighbors(X, 3, Metric::kAbsoluteCosine);
  EXPECT_THAT(std::vector<int>(found.indices.begin(), found.indices.begin() + 3),
              ElementsAre(2, 3, 4));
  EXPECT_THAT(std::vector<double>(found.distances.begin(), found.distances.begin() + 3),
              ElementsAre(0.0, 0.0, 0.0));
}

TEST(NearestNeighbors, ScaleDoesNotMatter) {
  const Matrix X = random_matrix(6, 80, 5);
  for (const Metric metric : {Metric::kEuclidean, Metric::kAbsoluteCosine}) {
    const Neighbors plain = nearest_neighbors(X, 4, metric);
    for (const double scale : {1e-150, 1e-300, 1e150, 1e300}) {
      const Neighbors scaled = nearest_neighbors(scale * X, 4, metric);
      EXPECT_EQ(scaled.indices, plain.indices) << scale;
      const double unit = metric == Metric::kEuclidean ? scale : 1.0;
      for (std::size_t m = 0; m < plain.distances.size(); ++m) {
        ASSERT_NEAR(scaled.distances[m] / unit, plain.distances[m], 1e-12);
      }
    }
  }
}

TEST(NearestNeighbors, BytesDoNotDependOnThreads) {
  const Matrix X = random_matrix(15, 900, 6);
  for (const Metric metric : {Metric::kEuclidean, Metric::kAbsoluteCosine}) {
    const Neighbors one = nearest_neighbors(X, 9, metric, {.num_threads = 1});
    for (const int threads : {2, 4}) {
      const Neighbors many = nearest_neighbors(X, 9, metric, {.num_threads = threads});
      EXPECT_EQ(many.indices, one.indices);
      EXPECT_EQ(many.distances, one.distances);
    }
  }
}

TEST(NearestNeighbors, LatticesOfTiesEqualSorting) {
  EXPECT_TRUE(rc::check("integer points with many equal distances", [] {
    const Index n = *rc::gen::inRange(3, 150);
    const int k = *rc::gen::inRange(1, static_cast<int>(n));
    const Matrix X =
        random_matrix(2, n, *rc::gen::arbitrary<std::uint32_t>()).array().round().matrix();
    const Neighbors expected = neighbors_by_sorting(X, k, Metric::kEuclidean);
    RC_ASSERT(nearest_neighbors(X, k, Metric::kEuclidean).indices == expected.indices);
  }));
}

TEST(NearestNeighbors, ReadsColumnsOfALargerMatrix) {
  const Matrix whole = random_matrix(10, 50, 7);
  const Matrix part = whole.topRows(4);
  EXPECT_EQ(nearest_neighbors(whole.topRows(4), 3, Metric::kEuclidean).distances,
            nearest_neighbors(part, 3, Metric::kEuclidean).distances);
}

TEST(NearestNeighbors, RefusesBadInput) {
  const Matrix X = random_matrix(2, 5, 8);
  const auto search = [](const Matrix& data, int k) {
    return message_of<Error>([&] { nearest_neighbors(data, k, Metric::kEuclidean); });
  };
  EXPECT_THROW(nearest_neighbors(X, 0, Metric::kEuclidean), InvalidArgument);
  EXPECT_THAT(search(X, 0), HasSubstr("nearest_neighbors: k = 0, must satisfy 1 <= k"));
  EXPECT_THROW(nearest_neighbors(X, 5, Metric::kEuclidean), DataError);
  EXPECT_THAT(search(X, 5), HasSubstr("must satisfy k <= 4"));
  EXPECT_THROW(nearest_neighbors(Matrix(2, 0), 1, Metric::kEuclidean), DataError);
  Matrix bad = X;
  bad(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(nearest_neighbors(bad, 2, Metric::kEuclidean), DataError);
  EXPECT_THAT(search(bad, 2),
              HasSubstr("nearest_neighbors: sample 3, feature 1 (counted from 0) is nan"));
}

TEST(NearestNeighbors, StopsWhenAsked) {
  CancelToken token;
  token.request();
  EXPECT_THROW(
      nearest_neighbors(random_matrix(3, 20, 9), 2, Metric::kEuclidean, {.cancel = &token}),
      Cancelled);
}

/// G_ij = 1 when j is among the k nearest of i.
Matrix graph_by_definition(const Matrix& X, int k) {
  const Neighbors neighbors = neighbors_by_sorting(X, k, Metric::kEuclidean);
  Matrix G = Matrix::Zero(X.cols(), X.cols());
  for (Index i = 0; i < X.cols(); ++i) {
    for (int m = 0; m < k; ++m) G(i, neighbors.indices[static_cast<std::size_t>(i * k + m)]) = 1.0;
  }
  return 0.5 * (G + G.transpose());
}

TEST(NeighborGraph, IsTheHalfSumOfBothDirections) {
  const Matrix X = random_matrix(3, 40, 10);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 4})), graph_by_definition(X, 4));
}

TEST(NeighborGraph, SelfCountsAmongTheNeighborsWhenIncluded) {
  const Matrix X = random_matrix(3, 40, 11);
  const Matrix expected = graph_by_definition(X, 4) + Matrix::Identity(40, 40);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 5, .include_self = true})), expected);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 1, .include_self = true})), Matrix::Identity(40, 40));
}

TEST(NeighborGraph, CutsKToTheOtherPoints) {
  const Matrix X = random_matrix(2, 4, 12);
  const Matrix complete = Matrix::Ones(4, 4) - Matrix::Identity(4, 4);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 3})), complete);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 100})), complete);
  EXPECT_EQ(Matrix(neighbor_graph(X, {.k = 100, .include_self = true})), Matrix::Ones(4, 4));
  EXPECT_EQ(neighbor_graph(Matrix::Ones(2, 1), {.k = 5}).nonZeros(), 0);
}

/// Entry by entry from the definition.
TEST(NeighborGraph, EdgesWeighCosinesToThePower) {
  const Matrix X = random_matrix(4, 30, 31);
  const Matrix unit = X.colwise().normalized();
  for (const Metric metric : {Metric::kAbsoluteCosine, Metric::kCosine}) {
    NeighborGraphOptions options = {.k = 6, .metric = metric};
    const Matrix alike(neighbor_graph(X, options));
    options.power = 3.0;
    const Matrix weighted(neighbor_graph(X, options));
    Matrix cosines = unit.transpose() * unit;
    if (metric == Metric::kAbsoluteCosine) cosines = cosines.cwiseAbs();
    const Matrix expected = (alike.array() * cosines.array().max(0.0).pow(options.power)).matrix();
    EXPECT_LT((weighted - expected).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(NeighborGraph, LeavesOutEdgesOfNoWeight) {
  const Matrix X = Matrix::Identity(3, 3);
  const SparseMatrix W = neighbor_graph(
      X, {.k = 2, .metric = Metric::kAbsoluteCosine, .include_self = true, .power = 2});
  EXPECT_EQ(Matrix(W), Matrix::Identity(3, 3));
  EXPECT_EQ(W.nonZeros(), 3);
}

TEST(NeighborGraph, RefusesBadInput) {
  EXPECT_THAT(message_of<InvalidArgument>(
                  [] { neighbor_graph(Matrix::Ones(2, 3), {.k = 1, .power = 8.0}); }),
              HasSubstr("power = 8, must be 0 for the metric euclidean"));
  EXPECT_THAT(message_of<InvalidArgument>([] { neighbor_graph(Matrix::Ones(2, 3), {.k = 0}); }),
              HasSubstr("neighbor_graph: neighbors = 0, must satisfy"));
  EXPECT_THAT(message_of<DataError>([] { neighbor_graph(Matrix(3, 0), {}); }),
              HasSubstr("neighbor_graph: "));
}

TEST(NeighborGraph, DescriptionReadsAndWritesTheOptions) {
  NeighborGraphOptions options;
  for (const Parameter& parameter : describe(options)) {
    if (parameter.name == "metric") set_from_text(parameter, "absolute-cosine", "graph.metric");
    if (parameter.name == "neighbors") set_from_text(parameter, "9", "graph.neighbors");
  }
  EXPECT_EQ(options.metric, Metric::kAbsoluteCosine);
  EXPECT_EQ(options.k, 9);
}

TEST(NearestNeighbors, RefusesWithoutMemoryForTheCandidates) {
  const Matrix X = random_matrix(5, 1000, 30);
  const auto search = [&](int k, std::int64_t memory) {
    return nearest_neighbors(X, k, Metric::kEuclidean, {.num_threads = 1, .max_memory = memory});
  };
  EXPECT_NO_THROW(search(5, 2'000'000));
  EXPECT_THROW(search(500, 2'000'000), ResourceError);
  EXPECT_THROW(neighbor_graph(X, {.k = 5}, {.max_memory = 1000}), ResourceError);
}

}  // namespace
}  // namespace subspace
