// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/discretize.h>

#include <gmock/gmock.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/cluster/assign.h>
#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using testing::kRounding;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using testing::same_partition;

Matrix random_rotation(Index k, std::uint64_t seed) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(k, k, seed)).householderQ();
}

/// Cluster indicators scaled to unit rows, rotated: the embedding of k disconnected components.
Matrix rotated_indicator(const Labels& labels, Index k, std::uint64_t seed) {
  Matrix P = Matrix::Zero(k, static_cast<Index>(labels.size()));
  for (std::size_t j = 0; j < labels.size(); ++j) P(labels[j], static_cast<Index>(j)) = 1.0;
  P.rowwise().normalize();
  return random_rotation(k, seed) * P;
}

/// Labels of which each of k is used.
Labels covering_labels(Index n, int k, std::uint64_t seed) {
  Labels labels = random_labels(n, k, seed);
  for (int c = 0; c < k; ++c) labels[c] = c;
  return labels;
}

/// Rows to norm sqrt(N), columns to norm 1, as the method's description says.
Matrix normalized(Matrix U) {
  for (Index i = 0; i < U.rows(); ++i) {
    U.row(i) *= std::sqrt(static_cast<double>(U.cols())) / U.row(i).norm();
    if (U(i, 0) > 0.0) U.row(i) *= -1.0;
  }
  U.colwise().normalize();
  return U;
}

Matrix cluster_sums(const Matrix& V, const Labels& labels) {
  Matrix sums = Matrix::Zero(V.rows(), V.rows());
  for (Index j = 0; j < V.cols(); ++j) sums.col(labels[j]) += V.col(j);
  return sums;
}

TEST(Discretize, RecoversTheComponentsOfARotatedIndicator) {
  for (const int k : {1, 2, 5, 20}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Labels truth = covering_labels(200, k, seed);
      const DiscretizeResult result = discretize(rotated_indicator(truth, k, seed + 50), {}, seed);
      EXPECT_TRUE(same_partition(result.labels, truth)) << "k = " << k;
      EXPECT_TRUE(result.info.converged());
    }
  }
}

TEST(Discretize, BalancedIndicatorHasCutZero) {
  Labels truth;
  for (int j = 0; j < 60; ++j) truth.push_back(j % 4);
  const DiscretizeResult result = discretize(rotated_indicator(truth, 4, 1));
  EXPECT_NEAR(result.ncut, 0.0, 60.0 * kRounding);
}

TEST(Discretize, ReportsTheValueOfItsLabelsAndStopsAtAFixedPoint) {
  const Labels truth = covering_labels(300, 6, 2);
  const Matrix U = rotated_indicator(truth, 6, 3) + 0.01 * random_matrix(6, 300, 4);
  const DiscretizeResult result = discretize(U, {.max_iterations = 200});
  ASSERT_TRUE(result.info.converged());
  const Matrix V = normalized(U);
  const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> svd(
      cluster_sums(V, result.labels), Eigen::ComputeFullU | Eigen::ComputeFullV);
  EXPECT_NEAR(result.ncut, 2.0 * (300.0 - svd.singularValues().sum()), 300.0 * kRounding);
  // The best rotation for the labels leads back to the labels.
  const Matrix rotated = (svd.matrixU() * svd.matrixV().transpose()).transpose() * V;
  for (Index j = 0; j < 300; ++j) {
    Index largest = 0;
    rotated.col(j).maxCoeff(&largest);
    ASSERT_EQ(result.labels[j], largest);
  }
}

TEST(Discretize, RestartsNeverRaiseTheCut) {
  const Matrix U = random_matrix(8, 250, 5);
  double previous = std::numeric_limits<double>::infinity();
  for (const int restarts : {1, 3, 10}) {
    const DiscretizeResult result = discretize(U, {.restarts = restarts, .max_iterations = 50}, 7);
    EXPECT_LE(result.ncut, previous);
    previous = result.ncut;
  }
}

TEST(Discretize, SignsAndScalesOfEigenvectorsDoNotMatter) {
  const Labels truth = covering_labels(150, 5, 6);
  const Matrix U = rotated_indicator(truth, 5, 7) + 0.02 * random_matrix(5, 150, 8);
  const DiscretizeResult plain = discretize(U, {}, 3);
  Matrix changed = U;
  changed.row(1) *= -1.0;
  changed.row(2) *= 1e150;
  changed.row(4) *= -1e-150;
  const DiscretizeResult same = discretize(changed, {}, 3);
  EXPECT_TRUE(same_partition(plain.labels, same.labels));
  EXPECT_NEAR(plain.ncut, same.ncut, 1e-9);
}

TEST(Discretize, IsolatedPointsGoToTheLowestLabel) {
  const Labels truth = covering_labels(80, 3, 9);
  Matrix U = rotated_indicator(truth, 3, 10);
  U.col(40).setZero();
  U.col(79).setZero();
  const DiscretizeResult result = discretize(U);
  EXPECT_EQ(result.labels[40], 0);
  EXPECT_EQ(result.labels[79], 0);
  Labels rest_found = result.labels;
  Labels rest_truth = truth;
  for (const int j : {79, 40}) {
    rest_found.erase(rest_found.begin() + j);
    rest_truth.erase(rest_truth.begin() + j);
  }
  EXPECT_TRUE(same_partition(rest_found, rest_truth));
}

TEST(Discretize, AllZeroIsOneCluster) {
  const DiscretizeResult result = discretize(Matrix::Zero(3, 10));
  EXPECT_THAT(result.labels, Each(0));
  EXPECT_EQ(result.ncut, 20.0);
  EXPECT_TRUE(result.info.converged());
}

TEST(Discretize, MoreDimensionsThanPointsStillLabels) {
  const DiscretizeResult result = discretize(random_matrix(5, 2, 11));
  ASSERT_EQ(result.labels.size(), 2U);
  for (const int label : result.labels) {
    EXPECT_GE(label, 0);
    EXPECT_LT(label, 5);
  }
}

TEST(Discretize, BytesDoNotDependOnThreads) {
  const Matrix U = random_matrix(6, 2500, 12);
  const DiscretizeOptions options = {.restarts = 4};
  const DiscretizeResult one = discretize(U, options, 1, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const DiscretizeResult many = discretize(U, options, 1, {.num_threads = threads});
    EXPECT_EQ(many.labels, one.labels);
    EXPECT_EQ(many.ncut, one.ncut);
  }
}

TEST(Discretize, RefusesBadInput) {
  Matrix U = random_matrix(2, 4, 13);
  EXPECT_THAT(message_of<InvalidArgument>([&] { discretize(U, {.restarts = 0}); }),
              HasSubstr("discretize: restarts = 0, must satisfy"));
  EXPECT_THROW(discretize(U, {.max_iterations = 0}), InvalidArgument);
  EXPECT_THROW(discretize(Matrix(3, 0)), DataError);
  U(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of<DataError>([&] { discretize(U); }),
              HasSubstr("discretize: sample 2, feature 1 (counted from 0) is nan"));
}

TEST(Assign, DiscretisationIsHeldToTheNumberOfClusters) {
  const Matrix U = random_matrix(3, 20, 1);
  const AssignOptions options{.assignment = Assignment::kDiscretize};
  EXPECT_EQ(assign(U, 3, options, 0).labels.size(), 20U);
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { assign(U, 5, options, 0); }),
      "assign: num_clusters = 5, must equal the dimension of the embedding (3) for discretize");
  EXPECT_THROW(assign(U, 2, options, 0), InvalidArgument);
  EXPECT_NO_THROW(assign(U, 5, {}, 0)) << "k-means takes any number";
}

}  // namespace
}  // namespace subspace
