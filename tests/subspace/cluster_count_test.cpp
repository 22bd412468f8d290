// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <subspace/affinity/affinity.h>
#include <subspace/core/error.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::ElementsAre;
using testing::random_matrix;

/// Blocks of the given sizes with weight 1 inside and `between` across.
SparseMatrix block_graph(const std::vector<Index>& sizes, double between) {
  Index n = 0;
  for (const Index size : sizes) n += size;
  Matrix W = Matrix::Constant(n, n, between);
  Index begin = 0;
  for (const Index size : sizes) {
    W.block(begin, begin, size, size).setOnes();
    begin += size;
  }
  W.diagonal().setZero();
  return W.sparseView();
}

// ---- two ways to one answer

TEST(ClusterCount, EigenvaluesAreThoseOfTheDenseLaplacian) {
  Matrix A = random_matrix(60, 60, 1).cwiseAbs();
  A = (A.array() > 1.2).select(A, 0.0);
  Matrix W = A + A.transpose();
  W.diagonal().setZero();
  const Vector inverse = W.rowwise().sum().cwiseSqrt().cwiseInverse();
  const Matrix L =
      Matrix::Identity(60, 60) - Matrix(inverse.asDiagonal() * W * inverse.asDiagonal());
  const Vector expected = Eigen::SelfAdjointEigenSolver<Matrix>(L).eigenvalues().head(11);
  const ClusterCount found = estimate_cluster_count(W.sparseView(), {.max_clusters = 10});
  ASSERT_EQ(found.eigenvalues.size(), 11);
  EXPECT_LE((found.eigenvalues - expected).cwiseAbs().maxCoeff(), 1e-9);
  ASSERT_EQ(found.candidates.size(), 9U);
  for (const ClusterCountCandidate& candidate : found.candidates) {
    const Index k = candidate.num_clusters;
    EXPECT_NEAR(candidate.gap, expected(k) - expected(k - 1), 1e-9);
  }
  EXPECT_TRUE(found.info.converged());
}

// ---- known worlds

TEST(ClusterCount, FindsTheBlocksOfBlockGraphs) {
  for (int k = 2; k <= 12; ++k) {
    for (const double between : {0.0, 0.005, 0.02}) {
      const ClusterCount found = estimate_cluster_count(
          block_graph(std::vector<Index>(static_cast<std::size_t>(k), 15), between));
      EXPECT_EQ(found.num_clusters, k) << between;
      EXPECT_GT(found.clarity, 0.4) << k << " blocks, " << between;
      EXPECT_EQ(found.num_components, between == 0.0 ? k : 1);
      EXPECT_TRUE(found.warnings.empty());
    }
  }
}

TEST(ClusterCount, ClarityFallsAsBlocksMelt) {
  double last = 1.0;
  for (const double between : {0.0, 0.02, 0.05, 0.1}) {
    const ClusterCount found = estimate_cluster_count(block_graph({20, 20, 20, 20}, between));
    EXPECT_EQ(found.num_clusters, 4);
    EXPECT_LE(found.clarity, last);
    last = found.clarity;
  }
  const ClusterCount melted = estimate_cluster_count(block_graph({20, 20, 20, 20}, 0.9));
  EXPECT_EQ(melted.clarity, 0.0);
  ASSERT_EQ(melted.warnings.size(), 1U);
  EXPECT_THAT(melted.warnings[0], ::testing::StartsWith("one cluster has a wider gap ("));
}

TEST(ClusterCount, SeesHierarchies) {
  // Two pairs of blocks: 4 inside 2. Both have a gap, and the others none.
  Matrix W = Matrix(block_graph({20, 20, 20, 20}, 0.0));
  W.block(0, 20, 20, 20).setConstant(0.1);
  W.block(40, 60, 20, 20).setConstant(0.1);
  W = W.cwiseMax(Matrix(W.transpose())).cwiseMax(0.001).eval();
  W.diagonal().setZero();
  const ClusterCount found = estimate_cluster_count(W.sparseView(), {.max_clusters = 6});
  ASSERT_EQ(found.candidates.size(), 5U);
  EXPECT_EQ(found.num_clusters, 4);
  EXPECT_GT(found.candidates[0].gap, 0.1);  // 2
  EXPECT_LT(found.candidates[1].gap, 0.01);
}

TEST(ClusterCount, FindsTheNumberOfSubspaces) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    auto world = testing::union_of_subspaces(30, 4, 5, 40, 0.01, seed);
    normalize_columns(world.points);
    const SparseMatrix C = elastic_net(world.points, {.tau = 0.7, .gamma = 50}).coefficients;
    const ClusterCount found = estimate_cluster_count(make_affinity(C, {}));
    EXPECT_EQ(found.num_clusters, 5) << "seed " << seed;
  }
}

TEST(ClusterCount, FindsTheNumberOfBlobs) {
  const auto blobs = testing::blobs(8, 6, 60, 14.0, 3);
  const SparseMatrix W = neighbor_graph(blobs.points, {.k = 10});
  EXPECT_EQ(estimate_cluster_count(W).num_clusters, 6);
}

// ---- edges and refusals

TEST(ClusterCount, CountsComponentsBeyondTheCandidates) {
  const SparseMatrix W = block_graph(std::vector<Index>(9, 4), 0.0);
  const ClusterCount found = estimate_cluster_count(W, {.max_clusters = 5});
  EXPECT_EQ(found.num_clusters, 9);
  EXPECT_EQ(found.clarity, 0.0);
  EXPECT_TRUE(std::isnan(found.gap));
  EXPECT_THAT(found.warnings,
              ElementsAre("the graph has 9 components, more than max_clusters = 5"));
  const ClusterCount reached = estimate_cluster_count(W, {.max_clusters = 9});
  EXPECT_EQ(reached.num_clusters, 9);
  EXPECT_EQ(reached.clarity, 1.0);
}

TEST(ClusterCount, TakesGraphsWithFewOrNoEdges) {
  for (const Index n : {1, 2, 3, 50}) {
    const ClusterCount none = estimate_cluster_count(SparseMatrix(n, n));
    EXPECT_EQ(none.num_clusters, 1);
    EXPECT_EQ(none.num_isolated, n);
    EXPECT_TRUE(none.candidates.empty());
    EXPECT_EQ(none.eigenvalues.size(), 0);
  }
  const ClusterCount pair = estimate_cluster_count(block_graph({2}, 0.0));
  EXPECT_EQ(pair.num_clusters, 1);
  Matrix W = Matrix::Zero(7, 7);
  W.topLeftCorner(6, 6) = Matrix(block_graph({3, 3}, 0.0));
  const ClusterCount found = estimate_cluster_count(W.sparseView());
  EXPECT_EQ(found.num_clusters, 2);
  EXPECT_THAT(found.warnings,
              ElementsAre("1 of 7 points have no edge and speak for no number of clusters"));
}

TEST(ClusterCount, RefusesOptionsOutOfRangeAndBadGraphs) {
  EXPECT_EQ(testing::message_of<InvalidArgument>(
                [] { estimate_cluster_count(block_graph({3}, 0.0), {.max_clusters = 1}); }),
            "estimate_cluster_count: max_clusters = 1, must satisfy max_clusters >= 2");
  EXPECT_THROW(estimate_cluster_count(SparseMatrix(2, 3)), DataError);
  EXPECT_THROW(estimate_cluster_count(SparseMatrix(0, 0)), DataError);
}

TEST(ClusterCount, GivesTheSameBytesForAnyNumberOfThreads) {
  const SparseMatrix W = neighbor_graph(random_matrix(3, 400, 5), {.k = 6});
  const ClusterCount one = estimate_cluster_count(W, {}, 0, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const ClusterCount many = estimate_cluster_count(W, {}, 0, {.num_threads = threads});
    EXPECT_EQ(one.eigenvalues, many.eigenvalues);
  }
}

}  // namespace
}  // namespace subspace
