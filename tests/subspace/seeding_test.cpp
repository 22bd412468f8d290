// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/seeding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

const Context kOneThread = {.num_threads = 1};

/// The number of the point that a seed is; -1 for none.
Index point_of(const CenteredPoints& points, const Vector& seed) {
  for (Index j = 0; j < points.size(); ++j) {
    if (points.points.col(j) == seed) return j;
  }
  return -1;
}

std::set<Index> points_of(const CenteredPoints& points, const Seeds& seeds) {
  std::set<Index> all;
  for (const auto seed : seeds.centers.points.colwise()) all.insert(point_of(points, seed));
  return all;
}

TEST(SeedByPoints, TakesDifferentPointsAndFindsTheNearestOfEach) {
  const CenteredPoints points(random_matrix(5, 1500, 1));
  for (const int k : {1, 7, 300, 1500}) {
    RandomStream random = stream(3, Stream::kTest, static_cast<std::uint32_t>(k));
    const Seeds seeds = seed_by_points(points, k, random, kOneThread);
    const std::set<Index> chosen = points_of(points, seeds);
    EXPECT_EQ(std::ssize(chosen), k);
    EXPECT_FALSE(chosen.contains(-1));
    for (const Index j : {0, 255, 256, 1024, 1499}) {
      const Vector distances =
          (seeds.centers.points.colwise() - points.points.col(j)).colwise().squaredNorm();
      EXPECT_NEAR(seeds.squared_distances[j], distances.minCoeff(), 1e-12);
      EXPECT_NEAR(distances[seeds.labels[static_cast<std::size_t>(j)]], distances.minCoeff(),
                  1e-12);
    }
  }
}

/// Of n points each is among k with probability k / n.
TEST(SeedByPoints, TakesAllPointsEquallyOften) {
  constexpr int kPoints = 10;
  constexpr int kSeeds = 3;
  constexpr int kDraws = 4000;
  const CenteredPoints points(random_matrix(2, kPoints, 2));
  std::vector<int> counts(kPoints, 0);
  for (int draw = 0; draw < kDraws; ++draw) {
    RandomStream random = stream(4, Stream::kTest, static_cast<std::uint32_t>(draw));
    for (const Index j : points_of(points, seed_by_points(points, kSeeds, random, kOneThread))) {
      ++counts[static_cast<std::size_t>(j)];
    }
  }
  constexpr double kShare = static_cast<double>(kSeeds) / kPoints;
  const double deviation = std::sqrt(kDraws * kShare * (1.0 - kShare));
  for (const int count : counts) EXPECT_NEAR(count, kDraws * kShare, 5.0 * deviation);
}

}  // namespace
}  // namespace subspace
