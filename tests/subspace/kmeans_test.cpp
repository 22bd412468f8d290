// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/kmeans.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <set>

#include <subspace/core/error.h>
#include <subspace/core/random.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using testing::blobs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kRounding;
using testing::message_of;
using testing::random_matrix;
using testing::same_partition;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double inertia_of(const Matrix& X, const KMeansResult& result) {
  double sum = 0.0;
  for (Index j = 0; j < X.cols(); ++j) {
    sum += (X.col(j) - result.centers.col(result.labels[j])).squaredNorm();
  }
  return sum;
}

Index nearest_center(const Matrix& centers, const Vector& x) {
  Index nearest = 0;
  (centers.colwise() - x).colwise().squaredNorm().minCoeff(&nearest);
  return nearest;
}

int num_used(const Labels& labels) {
  return static_cast<int>(std::set<int>(labels.begin(), labels.end()).size());
}

/// Labels are 0, 1, 2, ... in the order in which they first appear.
void expect_numbered_by_appearance(const Labels& labels) {
  int next = 0;
  for (const int label : labels) {
    ASSERT_LE(label, next);
    if (label == next) ++next;
  }
}

Matrix means_of(const Matrix& X, const Labels& labels, Index k) {
  Matrix sums = Matrix::Zero(X.rows(), k);
  Vector counts = Vector::Zero(k);
  for (Index j = 0; j < X.cols(); ++j) {
    sums.col(labels[j]) += X.col(j);
    ++counts[labels[j]];
  }
  return sums * counts.cwiseInverse().asDiagonal();
}

/// Plain Lloyd without bounds or GEMM from given labels, until nothing changes.
double plain_lloyd_inertia(const Matrix& X, Labels labels, Index k) {
  Matrix centers = means_of(X, labels, k);
  for (bool changed = true; changed; centers = means_of(X, labels, k)) {
    changed = false;
    for (Index j = 0; j < X.cols(); ++j) {
      const int nearest = static_cast<int>(nearest_center(centers, X.col(j)));
      changed = changed || nearest != labels[j];
      labels[j] = nearest;
    }
  }
  double sum = 0.0;
  for (Index j = 0; j < X.cols(); ++j) sum += (X.col(j) - centers.col(labels[j])).squaredNorm();
  return sum;
}

/// The lowest inertia over all assignments of n points to k clusters.
double best_inertia_by_enumeration(const Matrix& X, int k) {
  const Index n = X.cols();
  Labels labels(static_cast<std::size_t>(n), 0);
  double best = std::numeric_limits<double>::infinity();
  for (bool more = true; more;) {
    if (num_used(labels) == k) {
      const Matrix centers = means_of(X, labels, k);
      double sum = 0.0;
      for (Index j = 0; j < n; ++j) sum += (X.col(j) - centers.col(labels[j])).squaredNorm();
      best = std::min(best, sum);
    }
    Index digit = 0;
    while (digit < n && ++labels[digit] == k) labels[digit++] = 0;
    more = digit < n;
  }
  return best;
}

TEST(KMeans, SeparatesBlobs) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto data = blobs(10, 8, 30, 25.0, seed);
    const KMeansResult result = kmeans(data.points, 8, {}, seed);
    EXPECT_TRUE(same_partition(result.labels, data.labels));
    EXPECT_TRUE(result.info.converged());
  }
}

TEST(KMeans, ConvergedResultIsAFixedPoint) {
  const Matrix X = random_matrix(6, 2500, 1);  // more than two tiles, no structure to help
  const KMeansResult result =
      kmeans(X, 17, {.restarts = 2, .max_iterations = 10000, .tolerance = 0.0});
  ASSERT_TRUE(result.info.converged());
  EXPECT_LT((result.centers - means_of(X, result.labels, 17)).norm(), kRounding);
  for (Index j = 0; j < X.cols(); ++j) {
    const double own = (X.col(j) - result.centers.col(result.labels[j])).norm();
    const double best =
        (X.col(j) - result.centers.col(nearest_center(result.centers, X.col(j)))).norm();
    ASSERT_LE(own, best + kRounding) << "point " << j;
  }
  EXPECT_NEAR(plain_lloyd_inertia(X, result.labels, 17), result.inertia,
              kRounding * result.inertia);
}

TEST(KMeans, ReportsTheTrueInertia) {
  const Matrix X = random_matrix(5, 300, 2).array() + 1e3;
  for (const int max_iterations : {1, 2, 300}) {
    const KMeansResult result = kmeans(X, 9, {.max_iterations = max_iterations});
    EXPECT_NEAR(result.inertia, inertia_of(X, result), 1e-9 * result.inertia);
    EXPECT_LE(result.info.iterations, max_iterations);
  }
}

TEST(KMeans, LabelsBelongToTheReturnedCentersAtTheIterationLimit) {
  const Matrix X = random_matrix(4, 500, 3);
  const KMeansResult result = kmeans(X, 12, {.restarts = 1, .max_iterations = 2, .tolerance = 0.0});
  EXPECT_EQ(result.info.termination, Termination::kIterationLimit);
  for (Index j = 0; j < X.cols(); ++j) {
    ASSERT_EQ(result.labels[j], nearest_center(result.centers, X.col(j)));
  }
}

TEST(KMeans, FindsTheOptimumOfSmallProblems) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix X = random_matrix(2, 9, seed);
    const double best = best_inertia_by_enumeration(X, 3);
    EXPECT_NEAR(kmeans(X, 3, {.restarts = 50}, seed).inertia, best, kRounding) << seed;
  }
}

TEST(KMeans, MoreRestartsAreNeverWorse) {
  const Matrix X = random_matrix(3, 200, 4);
  double previous = std::numeric_limits<double>::infinity();
  for (const int restarts : {1, 2, 5, 20}) {
    const KMeansResult result = kmeans(X, 15, {.restarts = restarts}, 5);
    EXPECT_LE(result.inertia, previous);
    EXPECT_LT(result.best_restart, restarts);
    previous = result.inertia;
  }
}

TEST(KMeans, OneClusterIsTheMean) {
  const Matrix X = random_matrix(4, 50, 5);
  const KMeansResult result = kmeans(X, 1);
  EXPECT_EQ(num_used(result.labels), 1);
  EXPECT_LT((result.centers.col(0) - X.rowwise().mean()).norm(), kRounding);
}

TEST(KMeans, AsManyClustersAsPoints) {
  for (const Index n : {1, 2, 3, 30}) {
    const Matrix X = random_matrix(2, n, 6);
    const KMeansResult result = kmeans(X, static_cast<int>(n));
    EXPECT_EQ(num_used(result.labels), n);
    EXPECT_NEAR(result.inertia, 0.0, kRounding);
  }
}

TEST(KMeans, EveryNumberOfClustersUsesAllOfThem) {
  const Matrix X = random_matrix(2, 30, 7);
  for (int k = 1; k <= 30; ++k) {
    const KMeansResult result = kmeans(X, k, {.restarts = 2});
    EXPECT_EQ(num_used(result.labels), k);
    expect_numbered_by_appearance(result.labels);
  }
}

TEST(KMeans, DistinctPointsTooNearForTheSquaredNormsStillFillAllClusters) {
  Matrix X(1, 6);
  X << 1.0, 1.0 + 1e-12, 1.0 + 2e-12, -1.0, -1.0 + 1e-12, 7.0;
  const KMeansResult result = kmeans(X, 6);
  EXPECT_EQ(num_used(result.labels), 6);
}

TEST(KMeans, FewerDistinctPointsThanClustersLeavesClustersUnused) {
  Matrix X(2, 9);
  for (Index j = 0; j < 9; ++j) X.col(j).setConstant(static_cast<double>(j % 3) / 3.0);
  const KMeansResult result = kmeans(X, 5);
  EXPECT_THAT(result.labels, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_NEAR(result.inertia, 0.0, 1e-30);
  EXPECT_TRUE(result.centers.allFinite());
  EXPECT_EQ(num_used(kmeans(Matrix::Zero(3, 10), 4).labels), 1);
  EXPECT_EQ(num_used(kmeans(Matrix::Constant(3, 10, -2.5), 10).labels), 1);
}

TEST(KMeans, LabelsAreNumberedByFirstAppearanceAndCentersFollow) {
  const auto data = blobs(4, 4, 20, 30.0, 8);
  const KMeansResult result = kmeans(data.points, 4, {}, 3);
  expect_numbered_by_appearance(result.labels);
  EXPECT_LT((result.centers - means_of(data.points, result.labels, 4)).norm(), kRounding);
}

TEST(KMeans, BytesDoNotDependOnThreads) {
  const Matrix X = random_matrix(7, 3000, 9);
  for (const int restarts : {1, 5}) {
    const KMeansOptions options = {.restarts = restarts};
    const KMeansResult one = kmeans(X, 11, options, 1, {.num_threads = 1});
    for (const int threads : {2, 4}) {
      const KMeansResult many = kmeans(X, 11, options, 1, {.num_threads = threads});
      EXPECT_EQ(many.labels, one.labels);
      EXPECT_EQ(many.centers, one.centers);
      EXPECT_EQ(many.inertia, one.inertia);
      EXPECT_EQ(many.best_restart, one.best_restart);
    }
  }
}

constexpr KMeansOptions kFromRows = {.init = KMeansInit::kRows};

TEST(KMeansFromRows, EndsInAFixedPointThatUsesAllClusters) {
  const Matrix X = random_matrix(2, 30, 7);
  KMeansOptions options = kFromRows;
  options.restarts = 2;
  options.tolerance = 0.0;
  for (int k = 1; k <= 30; ++k) {
    const KMeansResult result = kmeans(X, k, options);
    ASSERT_EQ(num_used(result.labels), k);
    expect_numbered_by_appearance(result.labels);
    EXPECT_LT((result.centers - means_of(X, result.labels, k)).norm(), kRounding);
    for (Index j = 0; j < X.cols(); ++j) {
      EXPECT_EQ(nearest_center(result.centers, X.col(j)), result.labels[j]);
    }
  }
}

TEST(KMeansFromRows, SeparatesBlobs) {
  const auto data = blobs(4, 4, 20, 30.0, 8);
  EXPECT_TRUE(same_partition(kmeans(data.points, 4, kFromRows, 3).labels, data.labels));
}

/// Starts are worse than those of k-means++ where clusters are many: with one start each, its
/// inertia is higher on average.
TEST(KMeansFromRows, IsAnotherStart) {
  const auto data = blobs(12, 12, 10, 30.0, 8);
  double rows = 0.0;
  double plus_plus = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    KMeansOptions once = kFromRows;
    once.restarts = 1;
    rows += kmeans(data.points, 12, once, seed).inertia;
    plus_plus += kmeans(data.points, 12, {.restarts = 1}, seed).inertia;
  }
  EXPECT_GT(rows, 1.5 * plus_plus);
}

TEST(KMeansFromRows, FewerDistinctPointsThanClustersLeavesClustersUnused) {
  Matrix X(2, 9);
  for (Index j = 0; j < 9; ++j) X.col(j).setConstant(static_cast<double>(j % 3) / 3.0);
  const KMeansResult result = kmeans(X, 5, kFromRows);
  EXPECT_THAT(result.labels, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_TRUE(result.centers.allFinite());
  EXPECT_EQ(num_used(kmeans(Matrix::Zero(3, 10), 4, kFromRows).labels), 1);
}

TEST(KMeansFromRows, BytesDoNotDependOnThreads) {
  const Matrix X = random_matrix(7, 3000, 9);
  const KMeansResult one = kmeans(X, 11, kFromRows, 1, {.num_threads = 1});
  const KMeansResult two = kmeans(X, 11, kFromRows, 1, {.num_threads = 2});
  EXPECT_EQ(one.labels, two.labels);
  EXPECT_EQ(one.centers, two.centers);
}

TEST(KMeans, SameSeedSameResultOtherSeedOtherStart) {
  const Matrix X = random_matrix(5, 400, 10);
  const KMeansOptions once = {.restarts = 1};
  EXPECT_EQ(kmeans(X, 20, once, 1).labels, kmeans(X, 20, once, 1).labels);
  EXPECT_NE(kmeans(X, 20, once, 1).labels, kmeans(X, 20, once, 2).labels);
}

TEST(KMeans, ScaleAndShiftDoNotMatter) {
  const auto data = blobs(5, 4, 15, 12.0, 11);
  const KMeansResult plain = kmeans(data.points, 4);
  for (const double scale : {1e-150, 1e150}) {
    const KMeansResult scaled = kmeans(scale * data.points, 4);
    EXPECT_TRUE(same_partition(scaled.labels, plain.labels));
    EXPECT_LT((scaled.centers / scale - plain.centers).norm(), 1e-10);
    EXPECT_NEAR(scaled.inertia / scale / scale, plain.inertia, 1e-10 * plain.inertia);
  }
  const Matrix far = data.points.array() + 1e9;
  EXPECT_TRUE(same_partition(kmeans(far, 4).labels, plain.labels));
  EXPECT_TRUE(same_partition(kmeans(1e-310 * data.points, 4).labels, plain.labels));
}

TEST(KMeans, PermutingPointsPermutesThePartition) {
  EXPECT_TRUE(rc::check("on separated blobs the partition is that of the blobs", [] {
    const int k = *rc::gen::inRange(1, 6);
    auto data = blobs(6, k, 10, 40.0, *rc::gen::arbitrary<std::uint32_t>());
    RandomStream random = stream(*rc::gen::arbitrary<std::uint32_t>(), Stream::kTest);
    for (Index j = data.points.cols() - 1; j > 0; --j) {
      const auto other = static_cast<Index>(random.below(static_cast<std::uint64_t>(j + 1)));
      data.points.col(j).swap(data.points.col(other));
      std::swap(data.labels[j], data.labels[other]);
    }
    RC_ASSERT(static_cast<bool>(same_partition(kmeans(data.points, k).labels, data.labels)));
  }));
}

TEST(KMeans, RefusesBadInput) {
  const Matrix X = random_matrix(2, 5, 12);
  EXPECT_THAT(message_of<InvalidArgument>([&] { kmeans(X, 0); }),
              HasSubstr("kmeans: k = 0, must satisfy 1 <= k"));
  EXPECT_THAT(message_of<DataError>([&] { kmeans(X, 6); }),
              HasSubstr("kmeans: 5 points cannot form 6 clusters"));
  Matrix bad = X;
  bad(0, 2) = kNan;
  EXPECT_THAT(message_of<DataError>([&] { kmeans(bad, 2); }),
              HasSubstr("kmeans: sample 2, feature 0 (counted from 0) is nan"));
  bad(0, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(kmeans(bad, 2), DataError);
  EXPECT_THROW(kmeans(Matrix(3, 0), 1), DataError);
  EXPECT_THROW(kmeans(Matrix(0, 3), 1), DataError);
  EXPECT_THAT(message_of<InvalidArgument>([&] { kmeans(X, 2, {.restarts = 0}); }),
              HasSubstr("kmeans: restarts = 0, must satisfy"));
  EXPECT_THROW(kmeans(X, 2, {.max_iterations = 0}), InvalidArgument);
  EXPECT_THROW(kmeans(X, 2, {.tolerance = -1.0}), InvalidArgument);
  EXPECT_THROW(kmeans(X, 2, {.tolerance = kNan}), InvalidArgument);
}

TEST(KMeans, StopsWhenAsked) {
  CancelToken token;
  token.request();
  EXPECT_THROW(kmeans(random_matrix(3, 20, 13), 2, {}, 0, {.cancel = &token}), Cancelled);
}

TEST(KMeans, RefusesWithoutMemoryForItsCopyOfThePoints) {
  const Matrix X = random_matrix(50, 400, 20);
  constexpr std::int64_t kPoints = 50 * 400 * 8;
  const auto run = [&](int threads, std::int64_t memory) {
    return kmeans(X, 3, {.restarts = 4}, 0, {.num_threads = threads, .max_memory = memory});
  };
  EXPECT_THROW(run(1, kPoints), ResourceError);
  EXPECT_THROW(run(1, 2 * kPoints), ResourceError) << "the bounds of the points count as well";
  EXPECT_NO_THROW(run(1, 2 * kPoints + 140'000));
  EXPECT_THROW(run(4, 2 * kPoints + 140'000), ResourceError) << "four starts at once";
}

}  // namespace
}  // namespace subspace
