// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/coding_rate.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include <Eigen/QR>
#include <Eigen/SVD>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_labels;
using testing::random_matrix;

/// Of unit columns, by their singular values.
double rate_by_singular_values(const Matrix& X, double distortion) {
  const double scale = static_cast<double>(X.rows()) / (static_cast<double>(X.cols()) * distortion);
  const Vector sigma = Eigen::JacobiSVD<Matrix>(X).singularValues();
  return 0.5 * (1.0 + scale * sigma.array().square()).log().sum();
}

Matrix random_units(Index rows, Index columns, std::uint64_t seed) {
  return random_matrix(rows, columns, seed).colwise().normalized();
}

/// `per_ring` unit vectors about the origin of each of the planes (e_0, e_1), (e_2, e_3), ...
Matrix rings(int num_rings, int per_ring) {
  Matrix X = Matrix::Zero(2 * num_rings, num_rings * per_ring);
  for (int j = 0; j < X.cols(); ++j) {
    const double angle = 2.0 * std::numbers::pi * (j % per_ring) / per_ring;
    X(2 * (j / per_ring), j) = std::cos(angle);
    X(2 * (j / per_ring) + 1, j) = std::sin(angle);
  }
  return X;
}

TEST(CodingRate, IsThatOfTheSingularValues) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Matrix X = random_units(1 + static_cast<Index>(seed % 13),
                                  1 + static_cast<Index>(seed / 13 % 17), seed);
    const double distortion = std::pow(10.0, -static_cast<double>(seed % 4));
    const double expected = rate_by_singular_values(X, distortion);
    RC_ASSERT(std::abs(coding_rate(X, distortion) - expected) < 1e-11 * (1.0 + expected));
  }));
}

TEST(CodingRate, OfIsotropicColumnsIsTheLargestThereIs) {
  EXPECT_NEAR(coding_rate(Matrix::Identity(40, 40), 0.01), 92.3024, 5e-5);
  EXPECT_NEAR(coding_rate(Matrix::Identity(200, 200), 0.001), 690.8755, 5e-5);
  EXPECT_NEAR(coding_rate(Matrix::Identity(128, 128), 0.2), 114.6726, 5e-5);
  EXPECT_LT(coding_rate(random_units(40, 1440, 1), 0.01), 92.3024);
}

TEST(CodingRate, OfClustersIsTheMeanOverTheirPoints) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Index n = 2 + static_cast<Index>(seed % 30);
    const Matrix X = random_units(5, n, seed);
    const Labels labels = random_labels(n, 3, seed);
    double expected = 0.0;
    for (int label = 0; label < 3; ++label) {
      std::vector<Index> members;
      for (Index j = 0; j < n; ++j) {
        if (labels[static_cast<std::size_t>(j)] == label) members.push_back(j);
      }
      if (members.empty()) continue;
      expected += static_cast<double>(members.size()) / static_cast<double>(n) *
                  rate_by_singular_values(X(Eigen::all, members), 0.01);
    }
    RC_ASSERT(std::abs(cluster_coding_rate(X, labels) - expected) < 1e-11 * (1.0 + expected));
  }));
}

/// log det is concave, and the moments of a whole are the mean of those of its parts.
TEST(CodingRate, NeverGrowsWhenAClusterIsSplit) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Index n = 4 + static_cast<Index>(seed % 40);
    const Matrix X = random_matrix(1 + static_cast<Index>(seed % 9), n, seed);
    const Labels coarse = random_labels(n, 2, seed);
    Labels fine = coarse;
    const Labels halves = random_labels(n, 2, seed + 1);
    for (std::size_t j = 0; j < fine.size(); ++j) {
      if (fine[j] == 1) fine[j] += halves[j];
    }
    RC_ASSERT(cluster_coding_rate(X, fine) <= cluster_coding_rate(X, coarse) + 1e-10);
  }));
}

/// What confidence in the own graph cannot see: two rings in one cluster and another one in halves.
TEST(CodingRate, PrefersWholeRingsToMergedAndPartedOnes) {
  constexpr int kPoses = 24;
  const Matrix X = rings(4, kPoses);
  Labels truth, merged;
  for (int j = 0; j < X.cols(); ++j) {
    truth.push_back(j / kPoses);
    const int ring = j / kPoses;
    const bool second_half = j % kPoses >= kPoses / 2;
    merged.push_back(ring < 2 ? 0 : ring == 2 ? (second_half ? 1 : 2) : 3);
  }
  // A ring in its plane: two equal eigenvalues 1/2 of the mean moments, and six of zero.
  EXPECT_NEAR(cluster_coding_rate(X, truth), std::log(1.0 + 8.0 / (2.0 * 0.01)), 1e-12);
  EXPECT_GT(cluster_coding_rate(X, merged), 1.1 * cluster_coding_rate(X, truth));
}

TEST(CodingRate, KnowsNeitherScaleNorPlaceNorNames) {
  const Matrix X = random_matrix(6, 40, 3);
  const Labels labels = random_labels(40, 4, 3);
  const double rate = cluster_coding_rate(X, labels);
  EXPECT_NEAR(cluster_coding_rate(1e150 * X, labels), rate, 1e-12 * rate);
  EXPECT_NEAR(cluster_coding_rate(1e-150 * X, labels), rate, 1e-12 * rate);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(6, 6, 4)).householderQ();
  EXPECT_NEAR(cluster_coding_rate(Q * X, labels), rate, 1e-12 * rate);
  Labels renamed = labels;
  for (int& label : renamed) label = 7 - 3 * label;
  EXPECT_NEAR(cluster_coding_rate(X, renamed), rate, 1e-12 * rate);
}

TEST(CodingRate, OfNothingButZerosIsZero) {
  EXPECT_EQ(coding_rate(Matrix::Zero(3, 5)), 0.0);
  EXPECT_EQ(cluster_coding_rate(Matrix::Zero(3, 2), {4, -4}), 0.0);
}

TEST(CodingRate, DoesNotDependOnThreads) {
  const Matrix X = random_matrix(70, 600, 5);
  const Labels labels = random_labels(600, 3, 5);
  EXPECT_EQ(cluster_coding_rate(X, labels, 0.01, {.num_threads = 1}),
            cluster_coding_rate(X, labels, 0.01, {.num_threads = 3}));
}

TEST(CodingRate, RefusesWhatItCannotWorkWith) {
  using testing::message_of;
  EXPECT_EQ(message_of<InvalidArgument>([] { coding_rate(Matrix::Ones(2, 2), 0.0); }),
            "cluster_coding_rate: distortion = 0, must be > 0");
  EXPECT_EQ(message_of<DataError>([] {
              cluster_coding_rate(Matrix::Ones(2, 3), {0, 1});
            }),
            "cluster_coding_rate: 2 labels and 3 samples, must be as many");
  EXPECT_THROW(coding_rate(Matrix(3, 0)), DataError);
  EXPECT_THROW(coding_rate(Matrix::Constant(2, 2, std::nan(""))), DataError);
  EXPECT_THROW(cluster_coding_rate(Matrix::Ones(20, 30), Labels(30, 0), 0.01, {.max_memory = 100}),
               ResourceError);
}

}  // namespace
}  // namespace subspace
