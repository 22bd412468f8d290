// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// The named post-processings: each against its published steps written out with full matrices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/cluster/discretize.h>
#include <subspace/cluster/kmeans.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/settings.h>
#include <subspace/spectral/components.h>

#include "expect_error.h"
#include "support/random_data.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
using ::subspace::testing::random_matrix;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Index kPoints = 45;  // more than the rank 12 K + 1 = 37 of DSC
constexpr int kClusters = 3;
constexpr std::uint64_t kSeed = 5;

/// Of nearly one magnitude, so that 0.04 of a row are two entries and the graph of DSC holds
/// together; more often positive within three groups than between them, with a diagonal.
Matrix coefficients() {
  const Matrix signs = random_matrix(kPoints, kPoints, 1);
  Matrix C = 0.2 * random_matrix(kPoints, kPoints, 2).cwiseAbs();
  for (Index j = 0; j < kPoints; ++j) {
    for (Index i = 0; i < kPoints; ++i) {
      const double lean = i % kClusters == j % kClusters ? 0.3 : 0.0;
      C(i, j) = std::copysign(1.0 + C(i, j), signs(i, j) + lean);
    }
  }
  return C;
}

Matrix without_diagonal(Matrix A) {
  A.diagonal().setZero();
  return A;
}

/// Of each column the largest in magnitude, until they sum to the share.
Matrix thresholded(const Matrix& C, double share) {
  Matrix kept = Matrix::Zero(C.rows(), C.cols());
  for (Index j = 0; j < C.cols(); ++j) {
    std::vector<Index> order(static_cast<std::size_t>(C.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, std::ranges::greater{}, [&](Index i) { return std::abs(C(i, j)); });
    double sum = 0.0;
    for (const Index i : order) {
      if (sum >= share * C.col(j).lpNorm<1>()) break;
      kept(i, j) = C(i, j);
      sum += std::abs(C(i, j));
    }
  }
  return kept;
}

Matrix over_largest(const Matrix& C) {
  Matrix A = C.cwiseAbs();
  for (auto column : A.colwise()) column /= column.maxCoeff();
  return A + A.transpose();
}

/// No column of 44 has more than 50 entries, so that all stay.
Matrix of_unit_columns(const Matrix& C) {
  const Matrix A = C.cwiseAbs().colwise().normalized();
  return 0.5 * (A + A.transpose());
}

Matrix nearest_columns(const Matrix& C, std::size_t count) {
  const Matrix A = C.colwise().normalized();
  Matrix G = Matrix::Zero(C.cols(), C.cols());
  for (Index j = 0; j < C.cols(); ++j) {
    std::vector<Index> order(static_cast<std::size_t>(C.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    std::erase(order, j);
    std::ranges::sort(order, std::ranges::less{},
                      [&](Index i) { return (A.col(i) - A.col(j)).norm(); });
    for (std::size_t m = 0; m < count; ++m) G(order[m], j) = 1.0;
  }
  return 0.5 * (G + G.transpose());
}

/// The cosines of the rows of U s^1/2; of `rank` pairs, or of those above 1e-4 of the largest.
Matrix cosines_of(const Matrix& C, Index rank) {
  const Eigen::JacobiSVD<Matrix> svd(C, Eigen::ComputeFullU);
  const Vector s = svd.singularValues();
  if (rank == 0) rank = (s.array() > 1e-4 * s[0]).count();
  Matrix M = svd.matrixU().leftCols(rank) * s.head(rank).cwiseSqrt().asDiagonal();
  M.rowwise().normalize();
  return M * M.transpose();
}

/// Points are rows for DSC and its representations are the rows of our C', whose columns it thins.
Matrix dsc_affinity(const Matrix& C) {
  const Matrix kept = thresholded(C.transpose(), 0.04).transpose();
  Matrix S = 0.5 * (kept + kept.transpose());
  S.diagonal().setOnes();
  return without_diagonal(cosines_of(S, 12 * kClusters + 1).cwiseMax(0.0).array().pow(8.0));
}

Matrix edsc_affinity(const Matrix& C) {
  return cosines_of(0.5 * (C + C.transpose()), 10 * kClusters + 1).array().pow(4.0);
}

Matrix lrr_affinity(const Matrix& C) { return cosines_of(C, 0).array().pow(4.0); }

Matrix smce_affinity(const Matrix& C) {
  const Matrix A = thresholded(C, 0.95).cwiseAbs();
  return A.cwiseMax(A.transpose());
}

/// Leading eigenvectors of D^-1/2 W D^-1/2 as rows.
Matrix eigenvectors_of(const Matrix& W, Index count) {
  const Vector roots = W.rowwise().sum().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(roots.asDiagonal() * W * roots.asDiagonal());
  return solver.eigenvectors().rightCols(count).rowwise().reverse().transpose();
}

Matrix unit_points(const Matrix& W, Index count) {
  return eigenvectors_of(W, count).colwise().normalized();
}

Matrix random_walk(const Matrix& W, Index count) {
  return eigenvectors_of(W, count) * W.rowwise().sum().cwiseSqrt().cwiseInverse().asDiagonal();
}

Matrix unit_walk(const Matrix& W, Index count) {
  return random_walk(W, count).rowwise().normalized().colwise().normalized();
}

Labels by_kmeans(const Matrix& U, const KMeansOptions& options) {
  return kmeans(U, kClusters, options, kSeed).labels;
}

Labels discretised(const Matrix& U) {
  return discretize(U, {.restarts = 1, .max_iterations = 20}, kSeed).labels;
}

/// What a publication does with C, step by step.
struct ByHand {
  Matrix W = {};
  Matrix embedding = {};
  Labels (*assign)(const Matrix& U) = nullptr;
};

Labels as_ssc(const Matrix& U) { return by_kmeans(U, {.restarts = 20, .max_iterations = 1000}); }
Labels as_ensc(const Matrix& U) { return by_kmeans(U, {.restarts = 20, .max_iterations = 300}); }
Labels as_lrr(const Matrix& U) {
  return by_kmeans(U, {.init = KMeansInit::kRows, .restarts = 20, .max_iterations = 300});
}

ByHand written_out(const std::string& name, const Matrix& C) {
  const Matrix others = without_diagonal(C);
  const auto with = [](const Matrix& W, auto embed, auto assign, Index count = kClusters) {
    return ByHand{W, embed(W, count), assign};
  };
  if (name == "ssc") return with(over_largest(C), unit_points, as_ssc);
  if (name == "ensc") return with(of_unit_columns(others), unit_points, as_ensc);
  if (name == "knn") return with(nearest_columns(others, 3), unit_points, as_ensc);
  if (name == "senet") return with(nearest_columns(others, 3), unit_points, as_ensc, 15);
  if (name == "esc") return with(nearest_columns(others, 3), unit_walk, as_ensc);
  if (name == "dsc") return with(dsc_affinity(C), random_walk, discretised);
  if (name == "edsc") return with(edsc_affinity(C), random_walk, discretised);
  if (name == "lrr") return with(lrr_affinity(C), random_walk, as_lrr);
  if (name == "smce") return with(smce_affinity(C), unit_points, as_ssc);
  if (name == "lsr") return with(over_largest(C), random_walk, discretised);
  ADD_FAILURE() << name << " has no steps in this test";
  return {};
}

Outcome outcome_of(const Matrix& C, const std::vector<KeyText>& settings) {
  Clusterer clusterer("precomputed");
  clusterer.set("precomputed.kind", "coefficients");
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.run({C}, kClusters, {.seed = kSeed, .keep_evidence = true});
}

class EveryPostprocess : public ::testing::TestWithParam<Postprocess> {};
INSTANTIATE_TEST_SUITE_P(Published, EveryPostprocess, ::testing::ValuesIn(postprocesses()),
                         [](const auto& each) { return each.param.name; });

TEST_P(EveryPostprocess, IsItsStepsWrittenOut) {
  const Matrix C = coefficients();
  const ByHand expected = written_out(GetParam().name, C);
  ASSERT_EQ(connected_components(expected.W.sparseView()).count, 1);
  const Outcome outcome = outcome_of(C, {{"postprocess", GetParam().name}});
  ASSERT_TRUE(outcome.evidence.has_value());
  const Matrix W(outcome.evidence->affinity);
  EXPECT_LT((W - expected.W).cwiseAbs().maxCoeff(), 1e-10);
  const Matrix& U = outcome.evidence->embedding;
  ASSERT_EQ(U.rows(), expected.embedding.rows());
  for (Index k = 0; k < U.rows(); ++k) {  // eigenvectors have no sign
    const double sign = U.row(k).dot(expected.embedding.row(k)) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((sign * expected.embedding.row(k) - U.row(k)).cwiseAbs().maxCoeff(), 1e-6) << k;
  }
  EXPECT_EQ(outcome.labels, expected.assign(U));
}

/// The name is short for its keys: the same values in the record, of which the hash of a run is
/// made.
TEST_P(EveryPostprocess, EqualsItsKeysAndIsKnownByThem) {
  for (const char* method : {"ensc", "lsr", "precomputed", "smce"}) {
    Clusterer named(method);
    named.set("postprocess", GetParam().name);
    Clusterer spelled(method);
    for (const auto& [key, text] : GetParam().steps) spelled.set(key, text);
    EXPECT_EQ(named.values(), spelled.values());
  }
}

TEST_P(EveryPostprocess, CanBeTakenBack) {
  for (const char* method : {"ensc", "edsc", "precomputed"}) {
    Clusterer clusterer(method);
    const NamedValues before = clusterer.values();
    clusterer.set("postprocess", GetParam().name);
    clusterer.set("affinity.postprocess", "none");
    EXPECT_EQ(clusterer.values(), before);
    // Nor does one name leave anything behind for the next.
    clusterer.set("postprocess", GetParam().name);
    clusterer.set("postprocess", "lrr");
    Clusterer fresh(method);
    fresh.set("postprocess", "lrr");
    EXPECT_EQ(clusterer.values(), fresh.values());
  }
}

std::string value(const Clusterer& clusterer, const std::string& key) {
  return value_text(clusterer.find(key).parameter);
}

TEST(PostprocessOption, LosesAgainstKeysOfTheirOwnInAnyOrder) {
  Clusterer before("ensc");
  before.set("affinity.power", "2");
  before.set("assignment.algorithm", "kmeans");  // also where that is what it was
  before.set("postprocess", "dsc");
  Clusterer after("ensc");
  after.set("postprocess", "dsc");
  after.set("assignment.algorithm", "kmeans");
  after.set("power", "2");
  EXPECT_EQ(before.values(), after.values());
  EXPECT_EQ(value(before, "affinity.power"), "2");
  EXPECT_EQ(value(before, "assignment.algorithm"), "kmeans");
  EXPECT_EQ(value(before, "affinity.dimension"), "12");
}

TEST(PostprocessOption, WorksFromFilesAndTheEnvironment) {
  RunSettings settings;
  settings.method = "ssc";
  apply_toml(settings, "[set]\naffinity.postprocess = \"lrr\"\n", "a.toml");
  apply_environment(settings, {{"SUBSPACE_SET_AFFINITY_POWER", "6"}});
  const Clusterer clusterer = make_clusterer(settings);
  EXPECT_EQ(value(clusterer, "kmeans.init"), "rows");
  EXPECT_EQ(value(clusterer, "affinity.power"), "6");
  settings.set = {{"POSTPROCESS", "lrr", true}};
  EXPECT_EQ(value(make_clusterer(settings), "kmeans.init"), "rows");
  // What is printed has every key and needs no name.
  const std::string printed = to_toml(settings);
  EXPECT_THAT(printed, Not(HasSubstr("postprocess")));
  RunSettings again;
  apply_toml(again, printed, "b.toml");
  EXPECT_EQ(make_clusterer(again).values(), make_clusterer(settings).values());
}

TEST(PostprocessOption, IsNoPartOfARunThatDoesNotUseIt) {
  for (const auto& [key, each] : Clusterer("ensc").values()) {
    EXPECT_NE(key, "affinity.postprocess");
  }
}

/// Exemplars have a column a point and a row an exemplar, of which only neighbours can be made; a
/// neighbour graph is an affinity already.
TEST(PostprocessOption, OffersWhatTheMethodCanDo) {
  EXPECT_THAT(Clusterer("esc").find("postprocess").parameter.choices,
              ElementsAre("none", "knn", "senet", "esc"));
  Clusterer esc("esc");
  esc.set("postprocess", "esc");
  EXPECT_EQ(value(esc, "embedding.scale"), "unit-walk");
  EXPECT_EQ(message_of<InvalidArgument>([&] { esc.set("postprocess", "dsc"); }),
            "affinity.postprocess = dsc, must be one of none, knn, senet, esc");
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("spectral").set("postprocess", "ssc"); }),
              HasSubstr("has no option 'postprocess'"));
}

TEST(PostprocessOption, RefusesUnknownNamesAndChangesNothing) {
  Clusterer clusterer("ensc");
  clusterer.set("postprocess", "lrr");
  const NamedValues before = clusterer.values();
  EXPECT_THAT(message_of<InvalidArgument>([&] { clusterer.set("postprocess", "ssk"); }),
              HasSubstr("affinity.postprocess = ssk, must be one of none, ssc, ensc"));
  EXPECT_EQ(clusterer.values(), before);
}

}  // namespace
}  // namespace subspace::pipelines
