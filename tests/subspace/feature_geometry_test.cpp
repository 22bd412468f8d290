// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/feature_geometry.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::ElementsAre;
using testing::kRounding;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using ::testing::SizeIs;
using testing::union_of_subspaces;

TEST(SecondMoment, IsTheMeanOfOuterProducts) {
  const Matrix X = random_matrix(300, 70, 1);  // more than one tile
  Matrix expected = Matrix::Zero(300, 300);
  for (Index j = 0; j < X.cols(); ++j) expected += X.col(j) * X.col(j).transpose() / 70.0;
  const Matrix found = second_moment(X);
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_EQ(found, found.transpose());
  EXPECT_EQ(found, second_moment(X, {.num_threads = 1}));
}

TEST(Spectrum, IsThatOfTheSingularValueDecomposition) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{5, 40}, {40, 5}, {1, 1}, {7, 7}}) {
    const Matrix X = random_matrix(rows, columns, 3);
    const Vector sigma = Eigen::JacobiSVD<Matrix>(X).singularValues();
    const Spectrum found = spectrum(X);
    ASSERT_EQ(found.singular_values.size(), sigma.size());
    EXPECT_NEAR(found.largest, sigma[0], kRounding * sigma[0]);
    EXPECT_LE((found.singular_values - sigma / sigma[0]).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Spectrum, EffectiveRankCountsEqualDirections) {
  // r equal singular values: entropy log r.
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 5)).householderQ();
  for (const Index r : {1, 4, 12}) {
    EXPECT_NEAR(spectrum(Q.leftCols(r)).effective_rank, static_cast<double>(r), 1e-6);
  }
  // sigma = (3, 1): shares 3/4 and 1/4.
  const Matrix X{{3, 0}, {0, 1}};
  const double entropy = -0.75 * std::log(0.75) - 0.25 * std::log(0.25);
  EXPECT_NEAR(spectrum(X).effective_rank, std::exp(entropy), kRounding);
  EXPECT_NEAR(spectrum(1e200 * X).effective_rank, std::exp(entropy), kRounding);
  EXPECT_EQ(spectrum(Matrix::Zero(3, 5)).effective_rank, 0.0);
  EXPECT_EQ(spectrum(Matrix::Zero(3, 5)).singular_values, Vector::Zero(3));
}

TEST(ClusterSpectra, SeesTheDimensionOfEachCluster) {
  const auto world = union_of_subspaces(20, 3, 4, 50, 0.0, 6);
  const ClusterSpectra found = cluster_spectra(world.points, world.labels);
  EXPECT_THAT(found.clusters, ElementsAre(0, 1, 2, 3));
  for (const Spectrum& own : found.spectra) {
    EXPECT_GT(own.singular_values[2], 0.3);
    EXPECT_LT(own.singular_values[3], 1e-7);
    EXPECT_LT(own.effective_rank, 3.0 + 1e-5);
  }
  EXPECT_GT(spectrum(world.points).effective_rank, 9.0);
}

/// Every pair in turn.
CosineTable cosines_by_pairs(const Matrix& X, const Labels& labels, const Labels& clusters) {
  const Index k = static_cast<Index>(clusters.size());
  const auto place = [&clusters](int label) {
    return std::find(clusters.begin(), clusters.end(), label) - clusters.begin();
  };
  Matrix sums = Matrix::Zero(k, k);
  Matrix counts = Matrix::Zero(k, k);
  double between = 0.0;
  double pairs = 0.0;
  for (Index i = 0; i < X.cols(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      if (i == j) continue;
      const double norms = X.col(i).norm() * X.col(j).norm();
      const double value = norms > 0.0 ? std::abs(X.col(i).dot(X.col(j))) / norms : 0.0;
      sums(place(labels[i]), place(labels[j])) += value;
      counts(place(labels[i]), place(labels[j])) += 1.0;
      if (labels[i] != labels[j]) {
        between += value;
        pairs += 1.0;
      }
    }
  }
  CosineTable table;
  table.means = sums.cwiseQuotient(counts);
  double within = 0.0;
  double counted = 0.0;
  for (Index c = 0; c < k; ++c) {
    if (counts(c, c) == 0.0) continue;
    within += table.means(c, c);
    counted += 1.0;
  }
  table.within = within / counted;
  table.between = between / pairs;
  return table;
}

TEST(AbsoluteCosines, AreTheMeansOverAllPairs) {
  EXPECT_TRUE(rc::check("pair by pair", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Index n = *rc::gen::inRange<Index>(8, 320);  // several tiles at the upper end
    Matrix X = random_matrix(5, n, seed);
    X.col(2).setZero();
    Labels labels = random_labels(n, 3, seed);
    labels[0] = 77;  // alone
    labels[1] = labels[2] = -5;
    const CosineTable found = absolute_cosines(X, labels);
    const CosineTable expected = cosines_by_pairs(X, labels, found.clusters);
    RC_ASSERT(found.exact);
    for (Index a = 0; a < found.means.rows(); ++a) {
      for (Index b = 0; b < found.means.cols(); ++b) {
        const double x = found.means(a, b);
        const double y = expected.means(a, b);
        RC_ASSERT((std::isnan(x) && std::isnan(y)) || std::abs(x - y) < kRounding);
      }
    }
    RC_ASSERT(std::abs(found.within - expected.within) < kRounding);
    RC_ASSERT(std::abs(found.between - expected.between) < kRounding);
  }));
}

TEST(AbsoluteCosines, KnownWorlds) {
  // Orthogonal lines, both directions of each: 1 within, 0 between.
  const Matrix X{{1, -2, 0, 0, 5}, {0, 0, 3, -1, 0}};
  const CosineTable lines = absolute_cosines(X, {0, 0, 1, 1, 0});
  EXPECT_EQ(lines.within, 1.0);
  EXPECT_EQ(lines.between, 0.0);
  // Directions spread evenly over the plane: the mean of |cos| is 2 / pi.
  Matrix circle(2, 4000);
  for (Index j = 0; j < 4000; ++j) {
    const double angle = 2.0 * M_PI * static_cast<double>(j) / 4000.0;
    circle.col(j) << std::cos(angle), std::sin(angle);
  }
  const CosineTable even = absolute_cosines(circle, Labels(4000, 3));
  EXPECT_NEAR(even.within, 2.0 / M_PI, 1e-3);
  EXPECT_TRUE(std::isnan(even.between));
  const CosineTable alone = absolute_cosines(X.leftCols(1), {9});
  EXPECT_TRUE(std::isnan(alone.within));
  EXPECT_TRUE(std::isnan(alone.between));
}

TEST(AbsoluteCosines, AChoiceOfPointsEstimatesAllAndKeepsSmallClusters) {
  const auto world = union_of_subspaces(10, 2, 3, 1000, 0.2, 8);
  Labels labels = world.labels;
  labels[0] = labels[1] = labels[2] = 50;
  const CosineTable all = absolute_cosines(world.points, labels);
  const CosineTable some = absolute_cosines(world.points, labels, {.max_points = 900}, 4);
  EXPECT_FALSE(some.exact);
  EXPECT_EQ(some.clusters, all.clusters);
  EXPECT_NE(some.between, all.between);
  // 300 points of each: the sampling error is a few hundredths over the root of 300.
  EXPECT_NEAR(some.between, all.between, 0.01);
  EXPECT_LE((some.means - all.means).topLeftCorner(3, 3).cwiseAbs().maxCoeff(), 0.03);
  EXPECT_FALSE(std::isnan(some.means(3, 3)));
}

TEST(AbsoluteCosines, ThreadsRotationAndScaleLeaveThem) {
  const auto world = union_of_subspaces(12, 3, 4, 200, 0.1, 9);
  const CosineTable one = absolute_cosines(world.points, world.labels, {}, 0, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const CosineTable more =
        absolute_cosines(world.points, world.labels, {}, 0, {.num_threads = threads});
    EXPECT_EQ(one.means, more.means);
    EXPECT_EQ(one.between, more.between);
  }
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 2)).householderQ();
  const CosineTable turned = absolute_cosines(-1e-160 * (Q * world.points), world.labels);
  EXPECT_LE((turned.means - one.means).cwiseAbs().maxCoeff(), kRounding);
}

TEST(PrincipalExemplars, AreThePointsNearestToEachAxis) {
  // Two clusters in orthogonal planes; in each a strong and a weak axis.
  const Matrix X{{9, -8, 0.1, 0.5, 0, 0, 0},
                 {1, 0, 3, -2, 0, 0, 0},
                 {0, 0, 0, 0, 5, 6, 0},
                 {0, 0, 0, 0, 0, 1, 1}};
  const Labels labels = {2, 2, 2, 2, 1, 1, 1};
  const auto found = principal_exemplars(X, labels, {.directions = 2, .points = 2});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].cluster, 1);
  EXPECT_EQ(found[1].cluster, 2);
  ASSERT_THAT(found[1].points, SizeIs(2));
  for (const Exemplars& own : found) {
    for (std::size_t d = 0; d < own.points.size(); ++d) {
      // By decreasing |cos| among the own cluster, nothing left out that is nearer.
      const auto cosine = [&](Index j) {
        return std::abs(own.directions.col(static_cast<Index>(d)).dot(X.col(j))) / X.col(j).norm();
      };
      EXPECT_GE(cosine(own.points[d][0]), cosine(own.points[d][1]));
      for (Index j = 0; j < X.cols(); ++j) {
        if (labels[j] != own.cluster || j == own.points[d][0] || j == own.points[d][1]) continue;
        EXPECT_LE(cosine(j), cosine(own.points[d][1]));
      }
      for (const Index j : own.points[d]) EXPECT_EQ(labels[j], own.cluster);
    }
  }
  // The axis of cluster 2 is turned by atan(16.6 / 131.26) / 2 = .063: (9, 1), at .111, is nearer
  // to it than (-8, 0).
  EXPECT_THAT(found[1].points[0], ElementsAre(0, 1));
  EXPECT_THAT(found[1].points[1], ElementsAre(2, 3));
}

TEST(PrincipalExemplars, FewPointsAndZerosHaveWhatTheyHave) {
  Matrix X = random_matrix(5, 3, 1);
  X.col(2).setZero();
  const auto found = principal_exemplars(X, {0, 0, 1});
  EXPECT_EQ(found[0].directions.cols(), 2);
  EXPECT_THAT(found[0].points[0], SizeIs(2));
  EXPECT_EQ(found[1].directions.cols(), 1);
  EXPECT_THAT(found[1].points[0], ElementsAre(2));
}

TEST(PrincipalExemplars, DistinctOnesAreShownOnceAndWhereTheyBelong) {
  // Axes 0 (strong) and 1; point 1 is point 0 but for a factor, point 2 its opposite, and what is
  // near axis 1 is still nearer to axis 0 than nothing.
  const Matrix X{{4, 8, -8, 9, 9, 0}, {0, 0, 0, 1, -1, 1}, {0, 0, 0, 0, 0, 0}};
  const Labels labels(6, 0);
  const auto plain = principal_exemplars(X, labels, {.directions = 2, .points = 4});
  EXPECT_THAT(plain[0].points[0], ElementsAre(0, 1, 2, 3));
  const auto found =
      principal_exemplars(X, labels, {.directions = 2, .points = 4, .distinct = true});
  EXPECT_EQ(found[0].directions, plain[0].directions);
  EXPECT_THAT(found[0].points[0], ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(found[0].points[1], ElementsAre(5));
  const auto all = principal_exemplars(X, labels, {.directions = 2, .points = 9, .distinct = true});
  EXPECT_THAT(all[0].points[0], ElementsAre(0, 2, 3, 4)) << "5 is orthogonal to it";
}

TEST(FeatureGeometry, RefusalsNameTheValueAndTheRule) {
  Matrix X = random_matrix(2, 3, 1);
  EXPECT_EQ(message_of<DataError>([&] {
              absolute_cosines(X, {0, 1});
            }),
            "absolute_cosines: 2 labels and 3 samples, must be as many");
  EXPECT_EQ(message_of<DataError>([&] { cluster_spectra(X, {}); }),
            "cluster_spectra: 0 labels and 3 samples, must be as many");
  EXPECT_EQ(message_of<DataError>([&] { principal_exemplars(X, {0}); }),
            "principal_exemplars: 1 labels and 3 samples, must be as many");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              absolute_cosines(X, {0, 1, 1}, {.max_points = 1});
            }),
            "absolute_cosines: max_points = 1, must satisfy max_points >= 2");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              principal_exemplars(X, {0, 1, 1}, {.directions = 0});
            }),
            "principal_exemplars: directions = 0, must satisfy directions >= 1");
  X(0, 1) = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      message_of<DataError>([&] { second_moment(X); }),
      "second_moment: sample 1, feature 0 (counted from 0) is -inf; all values must be finite");
  EXPECT_EQ(message_of<DataError>([&] { spectrum(Matrix(0, 0)); }),
            "spectrum: the data has 0 samples and 0 features, must have at least one of each");
}

}  // namespace
}  // namespace subspace
