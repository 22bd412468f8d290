// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipeline/pipeline.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::random_matrix;
using testing::same_partition;
using testing::union_of_subspaces;

PipelineOptions with_clusters(int k) {
  PipelineOptions options;
  options.num_clusters = k;
  return options;
}

std::vector<PipelineOptions> every_method(int k) {
  PipelineOptions ensc = with_clusters(k);
  PipelineOptions lasso = with_clusters(k);
  lasso.method = ElasticNetOptions{.tau = 1.0, .gamma = 50};
  PipelineOptions graph = with_clusters(k);
  graph.method = NeighborGraphOptions{};
  PipelineOptions discretized = with_clusters(k);
  discretized.assign.assignment = Assignment::kDiscretize;
  return {ensc, lasso, graph, discretized};
}

double accuracy(const Labels& labels, const Labels& truth) {
  return evaluate_partition(labels, truth).acc;
}

// The world of the method's theory: independent subspaces, densely sampled, no noise.
TEST(Cluster, SeparatesNoiselessSubspacesForEverySeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto world = union_of_subspaces(30, 4, 5, 40, 0.0, seed);
    const ClusteringResult result = cluster(world.points, with_clusters(5));
    EXPECT_TRUE(same_partition(result.labels, world.labels)) << "seed " << seed;
    EXPECT_TRUE(converged(result));
  }
}

TEST(Cluster, AnAssignmentThatStopsEarlySaysSo) {
  PipelineOptions options = with_clusters(6);
  options.assign.kmeans = {.restarts = 1, .max_iterations = 1};
  const ClusteringResult result = cluster(random_matrix(5, 80, 3), options);
  EXPECT_FALSE(converged(result));
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_EQ(result.warnings.back(), "assignment: stopped after 1 iterations, before its tolerance");
}

TEST(Cluster, EndsNearTheTruthUnderNoise) {
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto world = union_of_subspaces(30, 4, 5, 40, 0.05, seed);
    sum += accuracy(cluster(world.points, with_clusters(5)).labels, world.labels);
  }
  EXPECT_GE(sum / 10, 0.95);
}

TEST(Cluster, GivesTheSameLabelsForAnyNumberOfThreads) {
  const auto world = union_of_subspaces(20, 4, 6, 50, 0.3, 3);
  for (const PipelineOptions& options : every_method(6)) {
    const Labels one = cluster(world.points, options, {.num_threads = 1}).labels;
    for (const int threads : {2, 4}) {
      EXPECT_EQ(cluster(world.points, options, {.num_threads = threads}).labels, one);
    }
  }
}

TEST(Cluster, FollowsAPermutationAndIgnoresScaleAndSign) {
  const auto world = union_of_subspaces(20, 3, 4, 30, 0.02, 4);
  const Labels labels = cluster(world.points, with_clusters(4)).labels;
  const Labels reversed = cluster(world.points.rowwise().reverse(), with_clusters(4)).labels;
  EXPECT_TRUE(same_partition(Labels(reversed.rbegin(), reversed.rend()), labels));
  Matrix changed = world.points;
  for (Index j = 0; j < changed.cols(); ++j) changed.col(j) *= (j % 2 == 0 ? -3.0 : 1e-5);
  EXPECT_TRUE(same_partition(cluster(changed, with_clusters(4)).labels, labels));
}

TEST(Cluster, ProjectionKeepsWhatTheSubspacesSpan) {
  const auto world = union_of_subspaces(40, 3, 3, 30, 0.0, 5);
  PipelineOptions options = with_clusters(3);
  options.preprocess.pca = 9;
  EXPECT_TRUE(same_partition(cluster(world.points, options).labels, world.labels));
}

TEST(Cluster, OneClusterNeedsNoGraph) {
  const ClusteringResult result = cluster(random_matrix(3, 7, 1), with_clusters(1));
  EXPECT_EQ(result.labels, Labels(7, 0));
  EXPECT_TRUE(converged(result));
  EXPECT_EQ(result.affinity.size(), 0);
  EXPECT_TRUE(std::isnan(max_residual(result.representation))) << "nothing was solved";
}

// ---- degenerate data has a documented outcome
// ----------------------------------------------------------

TEST(Cluster, DegenerateDataGivesValidLabelsForEveryMethodAndK) {
  Matrix duplicates = random_matrix(4, 12, 2);
  duplicates.rightCols(6) = duplicates.leftCols(6);
  Matrix some_zero = random_matrix(4, 12, 3);
  some_zero.leftCols(3).setZero();
  const std::vector<Matrix> worlds = {
      Matrix::Zero(4, 12),
      Matrix::Ones(4, 12),
      duplicates,
      some_zero,
      random_matrix(4, 1, 4) * random_matrix(1, 12, 5),
      1e150 * random_matrix(4, 12, 6),
      1e-150 * random_matrix(4, 12, 7),
      random_matrix(1, 12, 8),
      random_matrix(100, 12, 9),
      Matrix::Identity(12, 12),
  };
  for (std::size_t world = 0; world < worlds.size(); ++world) {
    for (int k = 1; k <= 12; ++k) {
      for (const PipelineOptions& options : every_method(k)) {
        const Labels labels = cluster(worlds[world], options).labels;
        ASSERT_EQ(labels.size(), 12U);
        for (const int label : labels) {
          ASSERT_GE(label, 0) << "world " << world << ", k " << k;
          ASSERT_LT(label, k) << "world " << world << ", k " << k;
        }
      }
    }
  }
}

TEST(Cluster, ZeroPointsAreSaidAndDoNotDisturbTheOthers) {
  const auto world = union_of_subspaces(20, 3, 3, 30, 0.0, 6);
  Matrix with_zeros(20, 92);
  with_zeros << world.points, Matrix::Zero(20, 2);
  const ClusteringResult result = cluster(with_zeros, with_clusters(3));
  EXPECT_TRUE(same_partition(Labels(result.labels.begin(), result.labels.end() - 2), world.labels));
  EXPECT_EQ(result.labels[90], result.labels[91]);
  const auto said =
      std::find_if(result.warnings.begin(), result.warnings.end(), [](const std::string& warning) {
        return warning.find("2 zero samples") != std::string::npos;
      });
  EXPECT_NE(said, result.warnings.end());
}

TEST(Cluster, SaysWhenThereAreFewerNeighboursThanAskedFor) {
  const Matrix X = random_matrix(4, 12, 10);
  const auto warnings = [&](const NeighborGraphOptions& method) {
    PipelineOptions options = with_clusters(2);
    options.method = method;
    return cluster(X, options).warnings;
  };
  EXPECT_TRUE(warnings({.k = 11}).empty());
  EXPECT_TRUE(warnings({.k = 12, .include_self = true}).empty());
  EXPECT_EQ(warnings({.k = 12}),
            std::vector<std::string>{"neighbor_graph: neighbors = 12, but 12 points have only 11 "
                                     "others each: all of them are joined"});
  EXPECT_EQ(warnings({.k = 13, .include_self = true}).size(), 1U);
}

// ---- refusals
// ------------------------------------------------------------------------------------------

TEST(Cluster, RefusesDataNoMethodCanUse) {
  const auto refusal = [](const Matrix& X, int k) {
    return testing::message_of<DataError>([&] { cluster(X, with_clusters(k)); });
  };
  const Matrix X = random_matrix(3, 5, 1);
  EXPECT_EQ(refusal(X, 0), "cluster: k = 0, must satisfy 1 <= k <= 5, the number of samples");
  EXPECT_EQ(refusal(X, 6), "cluster: k = 6, must satisfy 1 <= k <= 5, the number of samples");
  EXPECT_EQ(refusal(X, -1), "cluster: k = -1, must satisfy 1 <= k <= 5, the number of samples");
  EXPECT_EQ(refusal(X.leftCols(1), 1), "cluster: 1 sample, at least 2 are needed");
  EXPECT_NE(refusal(Matrix(3, 0), 1), "");
  Matrix broken = X;
  broken(2, 4) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(broken, 2).find("cluster: sample 4, feature 2 (counted from 0) is inf"), 0U)
      << refusal(broken, 2);
}

TEST(Cluster, RefusesOptionsBeforeItLooksAtTheData) {
  PipelineOptions options = with_clusters(2);
  options.assign.kmeans.restarts = 0;
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { cluster(random_matrix(3, 5, 1), options); }),
            "kmeans: restarts = 0, must satisfy restarts >= 1");
}

TEST(Cluster, DiscretisationNeedsAsManyDimensionsAsClusters) {
  PipelineOptions options = with_clusters(3);
  options.assign.assignment = Assignment::kDiscretize;
  options.embedding.dimensions = 7;
  EXPECT_EQ(
      testing::message_of<InvalidArgument>([&] { cluster(random_matrix(3, 20, 1), options); }),
      "embedding: dimensions = 7, must be 0 or the number of clusters (3) for discretize");
}

TEST(Cluster, ProjectionBeyondTheDataIsRefused) {
  PipelineOptions options = with_clusters(2);
  options.preprocess.pca = 6;
  EXPECT_EQ(testing::message_of<DataError>([&] { cluster(random_matrix(9, 5, 1), options); }),
            "preprocess: pca = 6, must satisfy pca <= 5, the smaller of 9 features and 5 samples");
}

TEST(Cluster, EstimatesTheNumberOfClustersFromTheAffinity) {
  for (const int k : {2, 3, 6}) {
    const auto world = union_of_subspaces(30, 3, k, 40, 0.0, 4);
    PipelineOptions options;
    options.estimate = ClusterCountOptions{};
    const ClusteringResult result = cluster(world.points, options);
    ASSERT_TRUE(result.cluster_count.has_value());
    EXPECT_EQ(result.cluster_count->num_clusters, k);
    EXPECT_TRUE(same_partition(result.labels, world.labels));
    EXPECT_EQ(cluster(world.points, with_clusters(k)).labels, result.labels);
    EXPECT_FALSE(cluster(world.points, with_clusters(k)).cluster_count.has_value());
  }
}

/// A rank that is read off the coefficients needs no number of clusters.
TEST(Cluster, EstimatesTheNumberFromAnAffinityOfLowRank) {
  for (const int k : {2, 4}) {
    const auto world = union_of_subspaces(30, 3, k, 25, 0.0, 4);
    for (const Method& method : {Method{LrrOptions{.noise_free = true}}, Method{EdscOptions{}}}) {
      PipelineOptions options;
      options.method = method;
      options.affinity = {.kind = AffinityKind::kLowRank, .symmetrize = false};
      options.estimate = ClusterCountOptions{};
      const ClusteringResult result = cluster(world.points, options);
      ASSERT_TRUE(result.cluster_count.has_value());
      EXPECT_EQ(result.cluster_count->num_clusters, k);
      EXPECT_TRUE(same_partition(result.labels, world.labels));
    }
  }
}

/// W of LRR has ones on its diagonal; the published degrees count them.
TEST(Cluster, LoopsCountInTheDegreesWhereTheyAreKept) {
  const auto world = union_of_subspaces(20, 3, 3, 20, 0.1, 2);
  PipelineOptions options = with_clusters(3);
  options.method = LrrOptions{.noise_free = true};
  options.affinity = {
      .kind = AffinityKind::kLowRank, .dimension = 3, .symmetrize = false, .loops = true};
  options.embedding.scale = EmbeddingScale::kRandomWalk;
  const ClusteringResult result = cluster(world.points, options);
  const Matrix W(result.affinity);
  EXPECT_EQ(W.diagonal(), Vector(Vector::Ones(60)));
  // Random-walk coordinates solve D^-1 W y = lambda y with the degrees D of all of W.
  const Matrix Y = result.embedding.points.transpose();
  const auto largest_residual = [&](const Matrix& weights) {
    const Matrix walk = weights.rowwise().sum().cwiseInverse().asDiagonal() * weights;
    const Matrix residuals = walk * Y - Y * result.embedding.eigenvalues.asDiagonal();
    return residuals.cwiseAbs().maxCoeff() / Y.cwiseAbs().maxCoeff();
  };
  EXPECT_LT(largest_residual(W), 1e-8);
  Matrix without = W;
  without.diagonal().setZero();
  EXPECT_GT(largest_residual(without), 1e-3);
}

TEST(Cluster, AnEstimateCountsLoopsAsTheEmbeddingDoes) {
  const Matrix C = random_matrix(12, 12, 5);
  PipelineOptions options;
  options.estimate = ClusterCountOptions{.max_clusters = 6};
  options.affinity = {.kind = AffinityKind::kMaximum, .loops = true};
  const ClusteringResult result = cluster_coefficients(C, options);
  const Vector kept =
      estimate_cluster_count(result.affinity, {.max_clusters = 6, .loops = true}).eigenvalues;
  const Vector dropped = estimate_cluster_count(result.affinity, {.max_clusters = 6}).eigenvalues;
  ASSERT_TRUE(result.cluster_count.has_value());
  EXPECT_EQ(result.cluster_count->eigenvalues, kept);
  EXPECT_GT((kept - dropped).cwiseAbs().maxCoeff(), 1e-3);
}

/// Weights between points that are joined with the given chance, and loops.
SparseMatrix random_affinity(Index n, double chance, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest, 2);
  Matrix W = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i <= j; ++i) {
      if (random.uniform() < chance) W(i, j) = W(j, i) = random.uniform();
    }
  }
  return W.sparseView();
}

Index num_distinct_points(const Matrix& U) {
  std::set<std::vector<double>> all;
  for (const auto point : U.colwise()) all.emplace(point.begin(), point.end());
  return std::ssize(all);
}

/// Labels 0 .. k-1. K-means uses all of them where the embedding has as many places; a coordinate
/// that is no point's largest leaves a cluster of a discretisation empty.
void expect_valid(const ClusteringResult& result, const PipelineOptions& options, Index n) {
  const int k = options.num_clusters;
  ASSERT_EQ(std::ssize(result.labels), n);
  const std::set<int> used(result.labels.begin(), result.labels.end());
  EXPECT_GE(*used.begin(), 0);
  EXPECT_LT(*used.rbegin(), k);
  EXPECT_TRUE(result.embedding.points.allFinite());
  if (k == 1) return;
  EXPECT_TRUE(std::isfinite(result.embedding.info.residual));
  EXPECT_TRUE(std::isfinite(result.assignment.residual));
  if (options.assign.assignment == Assignment::kKMeans &&
      num_distinct_points(result.embedding.points) - (result.embedding.num_isolated > 0 ? 1 : 0) >=
          k) {
    EXPECT_EQ(std::ssize(used), k);
  }
}

TEST(Cluster, LabelsEveryAffinityIntoEveryNumberOfClusters) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Index n = 12 + static_cast<Index>(seed) % 19;
    // Full ones, sparse ones, and such with many components and isolated points.
    const double chance = seed % 3 == 0 ? 1.0 : (seed % 3 == 1 ? 0.3 : 0.06);
    const SparseMatrix W = random_affinity(n, chance, seed);
    for (const Assignment assignment : {Assignment::kKMeans, Assignment::kDiscretize}) {
      for (const bool loops : {false, true}) {
        for (int k = 1; k <= n; ++k) {
          SCOPED_TRACE(message("seed ", seed, ", n = ", n, ", k = ", k, ", loops ", loops,
                               assignment == Assignment::kKMeans ? "" : ", discretised"));
          PipelineOptions options = with_clusters(k);
          options.affinity.loops = loops;
          options.assign.assignment = assignment;
          options.assign.kmeans.restarts = 3;
          expect_valid(cluster_affinity(W, options, {.num_threads = 1}), options, n);
        }
      }
    }
  }
}

/// Full, sparse and given away are one affinity.
TEST(Cluster, AnAffinityOfOnesOwnMayBeFullSparseOrGivenAway) {
  const SparseMatrix W = random_affinity(40, 0.2, 3);
  const PipelineOptions options = with_clusters(3);
  const ClusteringResult sparse = cluster_affinity(W, options);
  EXPECT_EQ(cluster_affinity(Matrix(W), options).labels, sparse.labels);
  EXPECT_EQ(Matrix(cluster_affinity(Matrix(W), options).affinity), Matrix(W));
  EXPECT_EQ(Matrix(sparse.affinity), Matrix(W));
  SparseMatrix given = W;
  const ClusteringResult moved = cluster_affinity(std::move(given), options);
  EXPECT_EQ(moved.labels, sparse.labels);
  EXPECT_EQ(Matrix(moved.affinity), Matrix(W));
}

TEST(Cluster, AnEstimateOfOneIsOneCluster) {
  PipelineOptions options;
  options.estimate = ClusterCountOptions{};
  const ClusteringResult result = cluster(Matrix::Zero(3, 4), options);  // no edge at all
  EXPECT_EQ(result.cluster_count->num_clusters, 1);
  EXPECT_EQ(result.labels, Labels(4, 0));
  EXPECT_THROW(cluster(Matrix::Ones(3, 1), options), DataError);
}

TEST(Cluster, AnEstimateNeedsAnAffinityThatDoesNotNeedIt) {
  PipelineOptions options;
  options.estimate = ClusterCountOptions{};
  options.affinity = {.kind = AffinityKind::kLowRank, .dimension = 10};
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { cluster(random_matrix(4, 9, 1), options); }),
            "affinity: dimension = 10, must be 0 where the number of clusters is estimated: the "
            "rank of kind low-rank would be dimension x clusters + 1; set affinity.dimension = 0, "
            "and the coefficients tell the rank");
  options = {};
  options.estimate = ClusterCountOptions{.max_clusters = 1};
  EXPECT_THROW(cluster(random_matrix(4, 9, 1), options), InvalidArgument);
}

TEST(Cluster, ReportsSecondsOfItsStages) {
  const auto world = union_of_subspaces(20, 3, 3, 30, 0.0, 7);
  const StageSeconds seconds = cluster(world.points, with_clusters(3)).seconds;
  EXPECT_GT(seconds.self_expression, 0.0);
  const double parts = seconds.preprocess + seconds.self_expression + seconds.affinity +
                       seconds.embedding + seconds.assignment;
  EXPECT_LE(parts, seconds.total);
  EXPECT_GT(parts, 0.5 * seconds.total);
}

/// The dense solver, the fastest for so many eigenvectors, would fit but for the points.
TEST(Cluster, TheEigensolverHasWhatPointsAndCoefficientsLeave) {
  const Matrix X = union_of_subspaces(600, 4, 8, 50, 0.05, 1).points;
  const PipelineOptions options{.num_clusters = 100, .method = OmpOptions{}};
  EXPECT_EQ(cluster(X, options, {.num_threads = 1}).embedding.solver, "dense");
  constexpr std::int64_t kTight = 6'500'000;
  const ClusteringResult tight = cluster(X, options, {.num_threads = 1, .max_memory = kTight});
  EXPECT_EQ(tight.embedding.solver, "lanczos");
  const ClusteringResult graph =
      cluster_affinity(tight.affinity, options, {.num_threads = 1, .max_memory = kTight});
  EXPECT_EQ(graph.embedding.solver, "dense") << "without points";
}

/// More coefficients than are counted for a point (50) leave less, but what is found is kept.
TEST(Cluster, MoreCoefficientsThanWereCountedAreNotRefusedBehindTheirSolver) {
  const Matrix X = random_matrix(120, 300, 2);
  const PipelineOptions options{.num_clusters = 60,
                                .method = ElasticNetOptions{.tau = 0.5, .gamma = 2000.0}};
  const double peak = predicted_peak_memory(options, X.rows(), X.cols(), {.num_threads = 1}).bytes;
  const Context tight{.num_threads = 1, .max_memory = static_cast<std::int64_t>(peak) + 1};
  const ClusteringResult result = cluster(X, options, tight);
  const auto& own = std::get<SelfExpression>(result.representation);
  EXPECT_GT(own.coefficients.nonZeros(), 75 * X.cols());
}

}  // namespace
}  // namespace subspace
