// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/lossy_coding.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::HasSubstr;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using testing::same_partition;
using testing::union_of_subspaces;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

int distinct(const Labels& labels) {
  return static_cast<int>(std::set<int>(labels.begin(), labels.end()).size());
}

Labels labels_of(const Matrix& X, int num_clusters, const LossyCodingOptions& options = {},
                 std::uint64_t seed = 0, int threads = 2) {
  return lossy_coding(X, num_clusters, options, seed, {.num_threads = threads}).labels;
}

/// The smallest rate of all partitions of the points into two or three clusters with points.
double smallest_rate(const Matrix& X, int num_clusters, double distortion) {
  // What every set of points takes as a cluster; a bit a point.
  const std::size_t all = (std::size_t{1} << at(X.cols())) - 1;
  std::vector<double> share(all + 1, std::numeric_limits<double>::infinity());
  for (std::size_t set = 1; set <= all; ++set) {
    std::vector<Index> members;
    for (Index j = 0; j < X.cols(); ++j) {
      if ((set >> at(j) & 1U) != 0) members.push_back(j);
    }
    share[set] = coding_rate(X(Eigen::all, members), distortion) *
                 static_cast<double>(members.size()) / static_cast<double>(X.cols());
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t one = 1; one < all; ++one) {
    const std::size_t others = all ^ one;
    double rest = share[others];
    if (num_clusters == 3) {
      rest = std::numeric_limits<double>::infinity();
      for (std::size_t two = (others - 1) & others; two > 0; two = (two - 1) & others) {
        rest = std::min(rest, share[two] + share[others ^ two]);
      }
    }
    smallest = std::min(smallest, share[one] + rest);
  }
  return smallest;
}

/// The smallest rate within one move of one point that leaves no cluster empty.
double smallest_rate_nearby(const Matrix& X, const Labels& labels, int num_clusters,
                            double distortion) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (std::ranges::count(labels, labels[j]) == 1) continue;
    Labels moved = labels;
    for (int k = 0; k < num_clusters; ++k) {
      moved[j] = k;
      if (k == labels[j]) continue;
      smallest = std::min(smallest, cluster_coding_rate(X, moved, distortion));
    }
  }
  return smallest;
}

// Points without any structure: a search that moves, splits and merges misses the best of all
// partitions of one set in eight (27 of 200), and nothing is below it.
TEST(LossyCoding, FindsTheSmallestRateOfAllPartitionsOfMostSets) {
  constexpr int kSets = 60;
  int found_best = 0;
  for (std::uint64_t seed = 0; seed < kSets; ++seed) {
    const int num_clusters = seed % 2 == 0 ? 2 : 3;
    const Matrix X = random_matrix(seed % 3 == 0 ? 2 : 5, 8, seed);
    const double distortion = seed % 4 < 2 ? 0.01 : 0.3;
    const double smallest = smallest_rate(X, num_clusters, distortion);
    const double found = lossy_coding(X, num_clusters, {.distortion = distortion}, seed).rate;
    EXPECT_GE(found, smallest - 1e-9) << seed;
    if (found <= smallest + 1e-9) ++found_best;
  }
  EXPECT_GE(found_best, 45);
}

// The two kinds of products (fewer points than dimensions, more) on either side of a cluster.
TEST(LossyCoding, NoMoveOfAPointLowersTheRate) {
  EXPECT_TRUE(rc::check([] {
    const auto dimension = *rc::gen::inRange<Index>(1, 9);
    const auto count = *rc::gen::inRange<Index>(2, 30);
    const auto num_clusters = *rc::gen::inRange(1, static_cast<int>(std::min<Index>(count, 6)) + 1);
    const auto distortion = *rc::gen::element(1e-4, 0.01, 0.5, 10.0);
    const auto rounds = *rc::gen::element(0, 3);
    const Matrix X = random_matrix(dimension, count, *rc::gen::inRange<std::uint64_t>(0, 1000));
    const LossyCodingResult found =
        lossy_coding(X, num_clusters, {.distortion = distortion, .rounds = rounds});
    RC_ASSERT(found.info.converged());
    RC_ASSERT(distinct(found.labels) == num_clusters);
    const double rate = cluster_coding_rate(X, found.labels, distortion);
    RC_ASSERT(std::abs(found.rate - rate) <= 1e-10 * rate);
    RC_ASSERT(smallest_rate_nearby(X, found.labels, num_clusters, distortion) >=
              rate * (1.0 - 1e-9));
  }));
}

// In a space of far more dimensions than a cluster has points rounding weighs most: 1 + form of a
// point is then anywhere from 1 to D/(m e).
TEST(LossyCoding, MovesEndAtSmallDistortionsWhereNoneIsLeft) {
  for (const double distortion : {1e-7, 1e-8}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto world = union_of_subspaces(400, 10, 4, 25, 0.0, seed);
      const LossyCodingResult moved =
          lossy_coding(world.points, 4, {.distortion = distortion, .rounds = 0}, seed);
      EXPECT_TRUE(moved.info.converged()) << distortion << ' ' << seed;
      EXPECT_GE(smallest_rate_nearby(world.points, moved.labels, 4, distortion),
                moved.rate * (1.0 - 1e-8))
          << distortion << ' ' << seed;
      const LossyCodingResult searched =
          lossy_coding(world.points, 4, {.distortion = distortion, .rounds = 4}, seed);
      EXPECT_TRUE(same_partition(searched.labels, world.labels)) << distortion << ' ' << seed;
    }
  }
}

TEST(LossyCoding, SubspacesAreFoundFromAnyStart) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto world = union_of_subspaces(20, 3, 5, 30, 0.0, seed);
    EXPECT_TRUE(same_partition(labels_of(world.points, 5, {}, seed), world.labels)) << seed;
    const LossyCodingResult refined =
        refine_by_coding(world.points, random_labels(world.points.cols(), 5, seed), {}, seed);
    EXPECT_TRUE(same_partition(refined.labels, world.labels)) << seed;
  }
}

TEST(LossyCoding, SubspacesOfUnequalSizeWithNoiseAreFound) {
  const auto world = union_of_subspaces(20, 3, 4, 60, 0.01, 3);
  std::vector<Index> kept;
  for (Index j = 0; j < world.points.cols(); ++j) {
    if (j % 60 < 15 * (1 + world.labels[at(j)])) kept.push_back(j);
  }
  Labels truth;
  for (const Index j : kept) truth.push_back(world.labels[at(j)]);
  EXPECT_TRUE(same_partition(labels_of(world.points(Eigen::all, kept), 4), truth));
}

TEST(LossyCoding, RatesNeverRiseAndEndWithTheAnswer) {
  const auto world = union_of_subspaces(12, 4, 6, 25, 0.1, 1);
  const LossyCodingResult found = lossy_coding(world.points, 6, {.rounds = 5});
  ASSERT_GE(found.rates.size(), 6U);
  EXPECT_TRUE(std::ranges::is_sorted(found.rates, std::greater<>()));
  EXPECT_EQ(found.rate, found.rates.back());
  EXPECT_LT(found.rate, found.rates.front());
  EXPECT_LE(found.info.residual, 1e-9);
}

TEST(LossyCoding, DependsOnDirectionsOfPointsAlone) {
  const auto world = union_of_subspaces(10, 2, 4, 20, 0.05, 2);
  const Labels labels = labels_of(world.points, 4);
  Matrix changed = world.points;
  for (Index j = 0; j < changed.cols(); ++j) {
    changed.col(j) *= (j % 2 == 0 ? -1.0 : 1.0) * std::ldexp(1.0, static_cast<int>(j % 7) * 60);
  }
  EXPECT_TRUE(same_partition(labels_of(changed, 4), labels));
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(10, 10, 5)).householderQ();
  EXPECT_TRUE(same_partition(labels_of(Q * world.points, 4), labels));
}

TEST(LossyCoding, LabelsDoNotDependOnTheNumberOfThreads) {
  const auto world = union_of_subspaces(15, 5, 6, 30, 0.3, 4);
  const Labels one = labels_of(world.points, 6, {}, 1, 1);
  EXPECT_EQ(labels_of(world.points, 6, {}, 1, 2), one);
  EXPECT_EQ(labels_of(world.points, 6, {}, 1, 4), one);
}

TEST(LossyCoding, AsManyClustersAsAskedFor) {
  Matrix X = random_matrix(4, 12, 7);
  X.col(3) = X.col(2);
  X.col(4) = X.col(2);
  X.col(5).setZero();
  X.col(6).setZero();
  for (int k = 1; k <= 12; ++k) {
    const LossyCodingResult found = lossy_coding(X, k, {.rounds = 2});
    EXPECT_EQ(distinct(found.labels), k);
    EXPECT_TRUE(std::isfinite(found.rate)) << k;
  }
  EXPECT_EQ(distinct(labels_of(Matrix::Ones(3, 9), 4)), 4);
  EXPECT_EQ(distinct(labels_of(Matrix::Zero(3, 9), 4)), 4);
}

TEST(LossyCoding, NamesOfGivenLabelsStay) {
  const auto world = union_of_subspaces(12, 2, 3, 20, 0.0, 5);
  Labels named = world.labels;
  for (int& label : named) label = 10 * label - 7;
  std::swap(named[0], named[59]);
  const Labels found = refine_by_coding(world.points, named, {}).labels;
  std::swap(named[0], named[59]);
  EXPECT_EQ(found, named);
}

TEST(LossyCoding, RefusesWhatItCannotDo) {
  const Matrix X = random_matrix(3, 5, 0);
  EXPECT_THAT(message_of<InvalidArgument>([&] { lossy_coding(X, 0); }), HasSubstr("k = 0"));
  EXPECT_THAT(message_of<DataError>([&] { lossy_coding(X, 6); }),
              HasSubstr("5 points cannot form 6 clusters"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { lossy_coding(X, 2, {.distortion = 0.0}); }),
              HasSubstr("distortion = 0, must satisfy"));
  EXPECT_THROW(lossy_coding(X, 2, {.rounds = -1}), InvalidArgument);
  EXPECT_THROW(lossy_coding(X, 2, {}, 0, {.max_memory = 100}), ResourceError);
  EXPECT_THROW(refine_by_coding(X, {0, 1}, {}), DataError);
  Matrix with_nan = X;
  with_nan(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(lossy_coding(with_nan, 2), DataError);
}

}  // namespace
}  // namespace subspace
