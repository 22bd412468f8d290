// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// What the certificate of a run says, held against what the names in it mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/model.h>
#include <subspace/preprocess/normalize.h>

#include "datasets/files.h"
#include "support/ssc_oracle.h"

namespace subspace::pipelines {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Noisy, so that no solver finds an exact fit.
Matrix noisy_points() {
  Matrix X = datasets::union_of_subspaces({.num_subspaces = 3,
                                           .dimension = 2,
                                           .ambient = 12,
                                           .points_per_subspace = 15,
                                           .noise = 0.05,
                                           .seed = 1})
                 .points.X;
  normalize_columns(X);
  return X;
}

std::vector<std::string> names_of(const NamedValues& certificate) {
  std::vector<std::string> names;
  for (const auto& [name, value] : certificate) names.push_back(name);
  return names;
}

double number(const Outcome& outcome, const std::string& name) {
  for (const auto& [key, value] : outcome.certificate) {
    if (key == name) return std::get<double>(value);
  }
  ADD_FAILURE() << "no " << name << " in the certificate";
  return std::nan("");
}

Outcome outcome_of(const Matrix& X, const std::string& method,
                   const std::vector<KeyText>& settings) {
  Clusterer clusterer(method);
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.run(Points{X}, 3, {.keep_coefficients = true});
}

Matrix coefficients_of(const Outcome& outcome) {
  return std::visit([](const auto& own) { return Matrix(own.coefficients); },
                    outcome.coefficients.value());
}

// ---- what decided, and by which limit

struct Decision {
  std::string method;
  std::vector<KeyText> settings;
  std::string residual;   ///< what the answer is worth
  std::string error;      ///< what decided: the residual, or what the solver stopped by
  std::string tolerance;  ///< its limit
  double limit;
};

const std::vector<Decision>& decisions() {
  const std::string kkt = "kkt_violation";
  const std::string normal = "normal_equations_residual";
  const std::string gap = "duality_gap";
  static const std::vector<Decision> all = {
      {"ensc", {{"ensc.tolerance", "1e-7"}}, kkt, kkt, "tolerance", 1e-7},
      {"ssc", {{"ssc.tolerance", "1e-7"}}, kkt, kkt, "tolerance", 1e-7},
      {"ssc", {{"ssc.solver", "admm"}, {"ssc.tolerance", "1e-5"}}, kkt, kkt, "tolerance", 1e-5},
      {"ssc", {{"ssc.solver", "official"}}, kkt, "admm_error", "admm_tolerance", 2e-4},
      {"ssc",
       {{"ssc.solver", "official"}, {"ssc.outliers", "true"}},
       kkt,
       "admm_error",
       "admm_tolerance",
       2e-4},
      {"kssc", {}, kkt, kkt, "tolerance", 1e-6},
      {"kssc", {{"kssc.solver", "official"}}, kkt, "admm_error", "admm_tolerance", 2e-4},
      {"ssc-omp",
       {{"omp.tolerance", "0.3"}},
       "orthogonality_residual",
       "orthogonality_residual",
       "tolerance",
       1e-8},
      {"smce", {}, kkt, kkt, "tolerance", 1e-6},
      {"esc", {}, kkt, kkt, "tolerance", 1e-6},
      {"lsr", {}, normal, normal, "tolerance", 1e-9},
      {"edsc", {}, normal, normal, "tolerance", 1e-9},
      {"edsc",
       {{"edsc.outliers", "true"}},
       "stationarity_residual",
       "constraint_error",
       "constraint_tolerance",
       1e-8},
      {"lrr", {{"lrr.tolerance", "1e-5"}}, gap, gap, "tolerance", 1e-5},
      {"lrr",
       {{"lrr.schedule", "published"}},
       gap,
       "constraint_error",
       "constraint_tolerance",
       1e-8},
      {"lrr", {{"lrr.lambda", "1000"}}, gap, "fit_residual", "fit_tolerance", 1e-9},
      {"lrr", {{"lrr.noise_free", "true"}}, "fit_residual", "fit_residual", "tolerance", 1e-9},
  };
  return all;
}

std::string text_of(const Decision& decision) {
  std::string text = decision.method;
  for (const auto& [key, value] : decision.settings) text += " " + key + "=" + value;
  return text;
}

/// The published iterations end at their own limits, which these points need not reach.
TEST(Certificate, NamesWhatDecidedAndItsLimit) {
  const Matrix X = noisy_points();
  for (const Decision& decision : decisions()) {
    SCOPED_TRACE(text_of(decision));
    const Outcome outcome = outcome_of(X, decision.method, decision.settings);
    std::vector<std::string> expected = {decision.residual};
    if (decision.error != decision.residual) expected.push_back(decision.error);
    expected.insert(expected.end(),
                    {decision.tolerance, "columns_unconverged", "embedding_residual"});
    EXPECT_EQ(names_of(outcome.certificate), expected);
    EXPECT_EQ(number(outcome, decision.tolerance), decision.limit);
    EXPECT_TRUE(std::isfinite(number(outcome, decision.residual)));
    EXPECT_EQ(outcome.converged, number(outcome, decision.error) <= decision.limit);
  }
}

TEST(Certificate, OfOneClusterClaimsNothing) {
  for (const Decision& decision : decisions()) {
    Clusterer clusterer(decision.method);
    for (const auto& [key, text] : decision.settings) clusterer.set(key, text);
    const Outcome outcome = clusterer.run(noisy_points(), 1);
    EXPECT_TRUE(std::isnan(number(outcome, decision.residual))) << text_of(decision);
  }
}

/// The table of docs/cli.md, which is what people have to read a record by.
TEST(Certificate, EveryNameIsInTheManual) {
  std::ifstream page(SUBSPACE_CLI_PAGE);
  const std::string manual{std::istreambuf_iterator<char>(page), {}};
  ASSERT_FALSE(manual.empty());
  const Matrix X = noisy_points();
  const auto expect_known = [&](const std::string& text, const NamedValues& certificate) {
    for (const std::string& name : names_of(certificate)) {
      EXPECT_THAT(manual, HasSubstr("`" + name + "`")) << text;
    }
  };
  for (const Decision& decision : decisions()) {
    expect_known(text_of(decision), outcome_of(X, decision.method, decision.settings).certificate);
  }
  for (const char* method : {"kmeans", "ksubspaces", "alc", "spectral"}) {
    expect_known(method, outcome_of(X, method, {}).certificate);
  }
  expect_known(
      "precomputed",
      run(X.transpose() * X, 3, "precomputed", {{"precomputed.kind", "coefficients"}}).certificate);
}

// ---- the numbers, from the coefficients and the points

TEST(Certificate, OfThePublishedSscIsTheViolationOfTheProblemItApproximates) {
  const Matrix X = noisy_points();
  const Matrix G = X.transpose() * X;
  for (const bool affine : {false, true}) {
    const Outcome outcome = outcome_of(
        X, "ssc", {{"ssc.solver", "official"}, {"ssc.affine", affine ? "true" : "false"}});
    const double violation =
        testing::ssc_violation(G, coefficients_of(outcome), testing::ssc_weight(G, 20), affine);
    EXPECT_NEAR(number(outcome, "kkt_violation"), violation, 1e-9 * (1.0 + violation));
    EXPECT_TRUE(outcome.converged) << "by its own rule";
    EXPECT_GT(violation, 1e-4) << "and yet no solution: the two numbers are not one";
  }
}

TEST(Certificate, OfThePublishedKsscIsThatOfTheKernel) {
  const Matrix X = noisy_points();
  const Matrix K = ((X.transpose() * X).array() + 1.0).square();
  const Outcome outcome = outcome_of(X, "kssc", {{"kssc.solver", "official"}});
  const double violation =
      testing::ssc_violation(K, coefficients_of(outcome), testing::ssc_weight(K, 20), false);
  EXPECT_NEAR(number(outcome, "kkt_violation"), violation, 1e-9 * (1.0 + violation));
}

/// The gap is one of the problem that was asked for, also where its answer is a closed form.
TEST(Certificate, OfLrrBoundsTheObjective) {
  const Matrix X = noisy_points();
  const auto nuclear = [](const Matrix& A) {
    return Eigen::JacobiSVD<Matrix>(A).singularValues().sum();
  };
  for (const auto& [lambda, text] : {std::pair{0.4, "0.4"}, std::pair{1000.0, "1000"}}) {
    const auto objective = [&](const Matrix& C) {
      return nuclear(C) + lambda * (X - X * C).colwise().norm().sum();
    };
    const Outcome balanced = outcome_of(X, "lrr", {{"lrr.lambda", text}});
    const Outcome published =
        outcome_of(X, "lrr", {{"lrr.lambda", text}, {"lrr.schedule", "published"}});
    const double best = objective(coefficients_of(balanced));
    const double reached = objective(coefficients_of(published));
    EXPECT_LE(number(balanced, "duality_gap"), 1e-6) << text;
    for (const Outcome* each : {&balanced, &published}) {
      const double own = objective(coefficients_of(*each));
      EXPECT_LE(own * (1.0 - number(*each, "duality_gap")), std::min(best, reached) * (1.0 + 1e-9))
          << text << ": the gap is a lower bound";
    }
  }
}

TEST(Certificate, ARunThatEndsFarFromAStationaryPointIsWarnedOf) {
  const Matrix X = noisy_points();
  const auto growing = [&](const char* growth) {
    return outcome_of(X, "edsc",
                      {{"edsc.outliers", "true"},
                       {"edsc.fit_weight", "1"},
                       {"edsc.outlier_weight", "0.03"},
                       {"edsc.growth", growth},
                       {"edsc.max_iterations", "5000"}});
  };
  const Outcome fast = growing("3");
  const auto said = Contains(HasSubstr("stationarity residual"));
  ASSERT_GT(number(fast, "stationarity_residual"), 1e-6);
  EXPECT_TRUE(fast.converged);
  EXPECT_THAT(fast.warnings, said);
  EXPECT_THAT(fast.warnings, Contains(HasSubstr("lower growth = 3")));
  const Outcome slow = growing("1.01");
  ASSERT_LE(number(slow, "stationarity_residual"), 1e-6);
  EXPECT_THAT(slow.warnings, Not(said));
}

// ---- who is told that the points are not on linear subspaces

Matrix rings() {
  Matrix X(2, 160);
  for (Index j = 0; j < X.cols(); ++j) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(j / 2) / 80.0;
    const double radius = j % 2 == 0 ? 1.0 : 2.0;
    X.col(j) << radius * std::cos(angle), radius * std::sin(angle);
  }
  return X;
}

TEST(LinearSubspaces, AreAssumedByMethodsOfThePointsThemselves) {
  for (const char* method :
       {"ensc", "ssc", "ssc-omp", "lsr", "edsc", "lrr", "esc", "ksubspaces", "alc"}) {
    EXPECT_TRUE(Clusterer(method).assumes_linear_subspaces()) << method;
  }
  for (const char* method : {"kssc", "smce", "kmeans", "spectral", "precomputed"}) {
    EXPECT_FALSE(Clusterer(method).assumes_linear_subspaces()) << method;
  }
}

TEST(LinearSubspaces, KsscIsNotToldToTryKssc) {
  const datasets::TempFolder folder;
  const std::string file = folder.path("rings.npy").string();
  datasets::save_points(file, rings());
  const auto warnings = [&](const std::string& method) {
    return cluster_input({.input = file, .clusters = 2, .method = method}, {}).outcome.warnings;
  };
  const auto advised = Contains(HasSubstr("try SMCE or KSSC"));
  EXPECT_THAT(warnings("ssc"), advised);
  EXPECT_THAT(warnings("kssc"), Not(advised));
}

/// docs/predict.md: the kernel is no part of a model. Clusters that only the kernel tells apart are
/// then one and the same to it.
TEST(LinearSubspaces, DescribeTheClustersOfKsscToPointsThatComeLater) {
  const Matrix X = rings();
  Labels truth(static_cast<std::size_t>(X.cols()));
  for (std::size_t j = 0; j < truth.size(); ++j) truth[j] = static_cast<int>(j % 2);
  for (const char* rule : {"subspaces", "exemplars"}) {
    Clusterer mapped("kssc");
    Clusterer linear("ssc");
    for (Clusterer* each : {&mapped, &linear}) {
      each->set("model.rule", rule);
      each->set("preprocess.normalization", "none");
    }
    const Prediction told = predict(mapped.fit_model(X, truth), X);
    EXPECT_EQ(told.labels, predict(linear.fit_model(X, truth), X).labels) << rule;
  }
  const ClusterModel model = Clusterer("kssc").fit_model(X, truth);
  for (const double residual : shapes_of(model).residuals) EXPECT_LE(residual, 1e-12);
}

}  // namespace
}  // namespace subspace::pipelines
