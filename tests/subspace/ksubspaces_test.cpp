// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/ksubspaces.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <subspace/core/error.h>

#include "support/degenerate_data.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using testing::same_partition;
using testing::union_of_subspaces;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The labels with every `stride`-th one replaced by another.
Labels perturbed(Labels labels, int num_clusters, std::size_t stride) {
  for (std::size_t j = 0; j < labels.size(); j += stride) {
    labels[j] = (labels[j] + 1 + static_cast<int>(j / stride) % (num_clusters - 1)) % num_clusters;
  }
  return labels;
}

bool never_rises(const std::vector<double>& objective, std::size_t begin, std::size_t end,
                 double scale) {
  for (std::size_t t = begin + 1; t < end; ++t) {
    if (objective[t] > objective[t - 1] + 1e-12 * scale) return false;
  }
  return true;
}

/// Points of one cluster, less their mean where the subspaces are affine.
Matrix members(const Matrix& X, const Labels& labels, int label, bool affine) {
  Matrix Y(X.rows(), 0);
  for (Index j = 0; j < X.cols(); ++j) {
    if (labels[at(j)] != label) continue;
    Y.conservativeResize(Eigen::NoChange, Y.cols() + 1);
    Y.col(Y.cols() - 1) = X.col(j);
  }
  if (affine && Y.cols() > 0) Y.colwise() -= Vector(Y.rowwise().mean());
  return Y;
}

// ---- the fixed point, recomputed from the data --------------------------------------------------

/// The most that bases are from orthonormal, that a cluster leaves more than the best subspace of
/// the dimension would, and that objective and residuals are off.
double off_fixed_point(const Matrix& X, const KSubspacesResult& result, Index flat, bool affine) {
  double most = 0.0;
  double sum = 0.0;
  for (std::size_t c = 0; c < result.model.classes.size(); ++c) {
    const Matrix Y = members(X, result.labels, result.model.classes[c], affine);
    const Matrix& B = result.model.bases[c];
    most = std::max(most, (B.transpose() * B - Matrix::Identity(B.cols(), B.cols())).norm());
    // The best any subspace of this dimension can do for the cluster: what is left of an SVD.
    const Vector sigma = Eigen::JacobiSVD<Matrix>(Y).singularValues();
    const double best = sigma.tail(std::max<Index>(0, sigma.size() - flat)).squaredNorm();
    const double left = (Y - B * (B.transpose() * Y)).squaredNorm();
    most = std::max(most, std::abs(left - best));
    sum += left;
  }
  const auto points = static_cast<double>(X.cols());
  const double rms = std::sqrt(sum / points);
  most = std::max(most, std::abs(result.objective.back() - rms));
  return std::max(most, std::abs(result.residuals.norm() / std::sqrt(points) - rms));
}

TEST(KSubspaces, EndsWherePointsAndSubspacesAnswerOneAnother) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(2, 12);
    const Index points = *rc::gen::inRange(5, 80);
    const int clusters = *rc::gen::inRange(1, 5);
    const int flat = *rc::gen::inRange(1, static_cast<int>(dimension));
    const bool affine = *rc::gen::arbitrary<bool>();
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const Matrix X = random_matrix(dimension, points, seed);
    const KSubspacesResult result =
        refine(X, random_labels(points, clusters, seed), {.dimension = flat, .affine = affine});
    RC_ASSERT(result.info.converged());
    RC_ASSERT(result.info.residual <= 1e-9);
    RC_ASSERT(never_rises(result.objective, 0, result.objective.size(), 1.0));
    RC_ASSERT(static_cast<int>(result.objective.size()) == result.info.iterations);
    RC_ASSERT(off_fixed_point(X, result, flat, affine) < 1e-9);
    RC_ASSERT(predict(result.model, X) == result.labels);
  }));
}

/// Features and points enough for subspaces to follow those of the iteration before, by products
/// with a few columns.
Matrix points_of_large_clusters() { return union_of_subspaces(72, 4, 3, 90, 0.2, 6).points; }

TEST(KSubspaces, LargeClustersEndWherePointsAndSubspacesAnswerOneAnother) {
  const Matrix X = points_of_large_clusters();
  for (const bool affine : {false, true}) {
    const KSubspacesResult result =
        refine(X, random_labels(X.cols(), 3, 4), {.dimension = 4, .affine = affine});
    EXPECT_GT(result.info.iterations, 3);
    EXPECT_TRUE(result.info.converged());
    EXPECT_LE(result.info.residual, 1e-9);
    EXPECT_TRUE(never_rises(result.objective, 0, result.objective.size(), 1.0));
    EXPECT_LE(off_fixed_point(X, result, 4, affine), 1e-9);
    EXPECT_EQ(predict(result.model, X), result.labels);
  }
}

TEST(KSubspaces, LargeClustersStoppedAtTheLimitHavePrincipalSubspacesToo) {
  const Matrix X = points_of_large_clusters();
  const KSubspacesResult result =
      refine(X, random_labels(X.cols(), 3, 4), {.dimension = 4, .max_iterations = 3});
  EXPECT_EQ(result.info.termination, Termination::kIterationLimit);
  EXPECT_EQ(predict(result.model, X), result.labels);
}

/// Beside the residuals of one cluster of long points all others are rounding: the objective stands
/// still while short points move between the two other clusters. Zero points are as near to every
/// subspace: only an exact assignment gives them to the first.
struct LongAndShort {
  explicit LongAndShort(std::uint64_t seed) {
    const auto world = union_of_subspaces(72, 4, 3, 90, 0.2, seed);
    X = world.points;
    start = random_labels(X.cols(), 2, seed);
    for (Index j = 0; j < X.cols(); ++j) {
      const bool is_long = world.labels[at(j)] == 0;
      if (is_long) X.col(j) *= 1e9;
      start[at(j)] = is_long ? 0 : start[at(j)] + 1;
    }
    X.rightCols(2).setZero();
  }
  Matrix X = {};
  Labels start = {};
};

TEST(KSubspaces, WhateverTheLimitTheLabelsAreThoseOfTheModel) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const LongAndShort world(seed);
    KSubspacesOptions options = {.dimension = 4};
    const KSubspacesResult whole = refine(world.X, world.start, options);
    ASSERT_NE(whole.info.termination, Termination::kIterationLimit);
    EXPECT_GT(whole.info.iterations, 2);
    for (int limit = 1; limit <= whole.info.iterations + 1; ++limit) {
      options.max_iterations = limit;
      const KSubspacesResult result = refine(world.X, world.start, options);
      const bool ended = limit >= whole.info.iterations;
      EXPECT_EQ(result.info.termination,
                ended ? whole.info.termination : Termination::kIterationLimit)
          << "limit " << limit << ", seed " << seed;
      EXPECT_EQ(result.info.iterations, ended ? whole.info.iterations : limit);
      EXPECT_EQ(predict(result.model, world.X), result.labels)
          << "limit " << limit << ", seed " << seed;
    }
  }
}

TEST(KSubspaces, StartsNeverEndWorseThanTheyBegan) {
  const Matrix X = union_of_subspaces(12, 3, 4, 40, 0.1, 2).points;
  for (const bool affine : {false, true}) {
    const KSubspacesResult result = ksubspaces(X, 4, {.dimension = 3, .affine = affine}, 1);
    EXPECT_TRUE(result.info.converged());
    EXPECT_LE(result.info.residual, 1e-9);
    EXPECT_TRUE(never_rises(result.objective, 0, result.objective.size(), 1.0));
    EXPECT_EQ(predict(result.model, X), result.labels);
    // More starts can only help; the first is among them.
    const KSubspacesResult single =
        ksubspaces(X, 4, {.dimension = 3, .affine = affine, .restarts = 1}, 1);
    EXPECT_LE(result.objective.back(), single.objective.back());
  }
}

TEST(KSubspaces, PredictsNewPointsWithResidualAndMargin) {
  const auto world = union_of_subspaces(10, 2, 3, 30, 0.0, 3);
  const KSubspacesResult result = refine(world.points, world.labels, {.dimension = 2});
  const Matrix queries = random_matrix(10, 50, 4);
  const Matrix R = residuals(result.model, queries);
  const NearestSubspaces nearest = nearest_subspaces(result.model, queries);
  EXPECT_EQ(nearest.labels, predict(result.model, queries));
  for (Index j = 0; j < queries.cols(); ++j) {
    std::vector<double> sorted(R.col(j).begin(), R.col(j).end());
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(nearest.residuals[j], sorted[0]);
    EXPECT_EQ(nearest.margins[j], sorted[1] - sorted[0]);
  }
  const KSubspacesResult one = ksubspaces(world.points, 1, {.dimension = 2});
  EXPECT_TRUE(std::isinf(nearest_subspaces(one.model, queries).margins.minCoeff()));
}

// ---- known worlds -------------------------------------------------------------------------------

TEST(KSubspaces, RefinesPerturbedLabelsToTheTruth) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto world = union_of_subspaces(30, 4, 5, 60, 0.0, seed);
    const KSubspacesResult result =
        refine(world.points, perturbed(world.labels, 5, 4), {.dimension = 4});
    EXPECT_EQ(result.labels, world.labels) << "names are kept";
    EXPECT_LE(result.residuals.maxCoeff(), 1e-12);
    EXPECT_THAT(result.model.dimensions, Each(4));
  }
}

TEST(KSubspaces, RefinesAffineOnesToo) {
  auto world = union_of_subspaces(15, 2, 4, 50, 0.0, 5);
  for (Index j = 0; j < world.points.cols(); ++j) {
    world.points.col(j) += 3.0 * random_matrix(15, 1, at(world.labels[at(j)]) + 900);
  }
  const KSubspacesResult result =
      refine(world.points, perturbed(world.labels, 4, 5), {.dimension = 2, .affine = true});
  EXPECT_EQ(result.labels, world.labels);
  EXPECT_LE(result.residuals.maxCoeff(), 1e-11);
}

TEST(KSubspaces, FindsSubspacesFromRandomStarts) {
  int found = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const auto world = union_of_subspaces(20, 3, 4, 60, 0.02, seed);
    const KSubspacesResult result = ksubspaces(world.points, 4, {.dimension = 3}, seed);
    if (same_partition(result.labels, world.labels)) ++found;
  }
  EXPECT_GE(found, 4);
}

TEST(KSubspaces, EnergyFindsTheDimensionsOfTheClusters) {
  // Subspaces of dimension 1, 2 and 4 in general position, starts with 4 for all.
  const std::vector<Index> dimensions = {1, 2, 4};
  Matrix X(20, 150);
  Labels truth;
  for (Index k = 0; k < 3; ++k) {
    const auto own = static_cast<std::uint64_t>(k);
    X.middleCols(50 * k, 50) = random_matrix(20, dimensions[at(k)], own + 10) *
                               random_matrix(dimensions[at(k)], 50, own + 20);
    truth.insert(truth.end(), 50, static_cast<int>(k));
  }
  const KSubspacesResult result =
      refine(X, perturbed(truth, 3, 6), {.dimension = 4, .energy = 0.999});
  EXPECT_EQ(result.labels, truth);
  EXPECT_THAT(result.model.dimensions, ElementsAre(1, 2, 4));
  EXPECT_EQ(predict(result.model, X), result.labels);
  const auto chosen = static_cast<std::size_t>(result.chosen_at);
  ASSERT_GT(chosen, 0U);
  ASSERT_LT(chosen, result.objective.size());
  EXPECT_TRUE(never_rises(result.objective, 0, chosen, 1.0));
  EXPECT_TRUE(never_rises(result.objective, chosen, result.objective.size(), 1.0));
}

TEST(KSubspaces, GivesEmptyClustersTheWorstFittedPoints) {
  // The second label's only point lies on the first one's line: it leaves, and the off-line points
  // found a line of their own.
  Matrix X(3, 22);
  for (Index j = 0; j < 20; ++j) X.col(j) << static_cast<double>(j + 1), 0.0, 0.0;
  X.col(20) << 0.0, 5.0, 0.1;
  X.col(21) << 0.0, 4.0, 0.1;
  Labels labels(22, 0);
  labels[3] = 1;
  const KSubspacesResult result = refine(X, labels, {.dimension = 1});
  EXPECT_TRUE(result.info.converged());
  EXPECT_EQ(std::set<int>(result.labels.begin(), result.labels.end()).size(), 2U);
  EXPECT_EQ(result.labels[20], result.labels[21]);
  EXPECT_NE(result.labels[20], result.labels[0]);
  EXPECT_TRUE(never_rises(result.objective, 0, result.objective.size(), 1.0));
}

// ---- invariances --------------------------------------------------------------------------------

TEST(KSubspaces, RotationScaleAndThreadsLeaveTheLabels) {
  const Matrix X = union_of_subspaces(10, 3, 3, 250, 0.2, 6).points;
  const KSubspacesOptions options = {.dimension = 3, .restarts = 5};
  const KSubspacesResult one = ksubspaces(X, 3, options, 9, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const KSubspacesResult many = ksubspaces(X, 3, options, 9, {.num_threads = threads});
    EXPECT_EQ(one.labels, many.labels);
    EXPECT_EQ(one.objective, many.objective);
    EXPECT_EQ(one.model.bases, many.model.bases);
    EXPECT_EQ(one.residuals, many.residuals);
    EXPECT_EQ(one.info.residual, many.info.residual);
  }
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(10, 10, 7)).householderQ();
  EXPECT_EQ(ksubspaces(Q * X, 3, options, 9).labels, one.labels);
  for (const double scale : {std::ldexp(1.0, -900), std::ldexp(1.0, -400), std::ldexp(1.0, 900)}) {
    const KSubspacesResult scaled = ksubspaces(scale * X, 3, options, 9);
    EXPECT_EQ(scaled.labels, one.labels);
    EXPECT_NEAR(scaled.objective.back() / scale, one.objective.back(), 1e-12);
    EXPECT_EQ(predict(scaled.model, scale * X), scaled.labels);
  }
}

TEST(KSubspaces, ThreadsLeaveLargeClusters) {
  const Matrix X = points_of_large_clusters();
  const KSubspacesOptions options = {.dimension = 4, .restarts = 3};
  const KSubspacesResult one = ksubspaces(X, 3, options, 9, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const KSubspacesResult many = ksubspaces(X, 3, options, 9, {.num_threads = threads});
    EXPECT_EQ(one.labels, many.labels);
    EXPECT_EQ(one.objective, many.objective);
    EXPECT_EQ(one.model.bases, many.model.bases);
  }
}

TEST(KSubspaces, KeepsTheNamesOfLabels) {
  const auto world = union_of_subspaces(12, 2, 3, 20, 0.0, 8);
  Labels named = world.labels;
  for (int& label : named) label = 7 * label - 3;
  const KSubspacesResult result = refine(world.points, named, {.dimension = 2});
  EXPECT_EQ(result.labels, named);
  EXPECT_THAT(result.model.classes, ElementsAre(-3, 4, 11));
}

// ---- edges and refusals -------------------------------------------------------------------------

TEST(KSubspaces, DegenerateDataHasADefiniteEnd) {
  for (const Index points : {1, 2, 5, 50}) {
    for (const Index dimension : {1, 2, 100}) {
      for (const Matrix& X : testing::degenerate_data(dimension, points)) {
        for (const bool affine : {false, true}) {
          for (const double energy : {1.0, 0.8}) {
            const KSubspacesOptions options = {
                .dimension = 3, .energy = energy, .affine = affine, .restarts = 2};
            const int clusters = static_cast<int>(std::min<Index>(points, 3));
            const KSubspacesResult result = ksubspaces(X, clusters, options, 5);
            ASSERT_EQ(static_cast<Index>(result.labels.size()), points);
            EXPECT_TRUE(result.residuals.allFinite());
            EXPECT_TRUE(std::isfinite(result.info.residual));
            EXPECT_TRUE(result.info.converged()) << points << " of " << dimension;
            EXPECT_EQ(predict(result.model, X), result.labels);
          }
        }
      }
    }
  }
}

TEST(KSubspaces, StopsHonestlyAtTheIterationLimit) {
  const Matrix X = random_matrix(10, 200, 13);
  const KSubspacesResult result =
      refine(X, random_labels(200, 4, 1), {.dimension = 2, .max_iterations = 1});
  EXPECT_EQ(result.info.termination, Termination::kIterationLimit);
  EXPECT_GT(result.info.residual, 1e-6);
  EXPECT_EQ(predict(result.model, X), result.labels);
}

TEST(KSubspaces, RefusalsNameTheValueAndTheRule) {
  Matrix X = random_matrix(3, 4, 14);
  const auto refusal = [&](int k, const KSubspacesOptions& options) {
    return message_of<Error>([&] { ksubspaces(X, k, options); });
  };
  EXPECT_EQ(refusal(2, {.dimension = 0}), "ksubspaces: dimension = 0, must satisfy dimension >= 1");
  EXPECT_EQ(refusal(2, {.energy = 1.5}), "ksubspaces: energy = 1.5, must satisfy 0 < energy <= 1");
  EXPECT_EQ(refusal(0, {}), "ksubspaces: k = 0, must satisfy 1 <= k");
  EXPECT_EQ(refusal(5, {}), "ksubspaces: 4 points cannot form 5 clusters");
  EXPECT_EQ(message_of<DataError>([&] {
              refine(X, {0, 1});
            }),
            "refine: 2 labels and 4 samples, must be as many");
  EXPECT_EQ(message_of<ResourceError>(
                [&] { ksubspaces(X, 2, {}, 0, {.num_threads = 1, .max_memory = 100}); }),
            "ksubspaces: needs about 6.08e-07 GB of memory, 1e-07 GB allowed; use fewer threads, "
            "or give fewer samples or features");
  X(1, 1) = std::nan("");
  EXPECT_THROW(ksubspaces(X, 2), DataError);
}

TEST(KSubspaces, StopsWhenCancelled) {
  const Matrix X = random_matrix(5, 100, 13);
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(ksubspaces(X, 3, {}, 0, {.cancel = &cancel}), Cancelled);
  EXPECT_THROW(refine(X, Labels(100, 0), {}, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace
