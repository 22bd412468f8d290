// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include <subspace/core/error.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/pipelines/catalogue.h>

#include "degenerate_grid.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::cluster_numbers;
using ::subspace::testing::degenerate_points;
using ::subspace::testing::expect_labels_or_refusal;
using ::subspace::testing::message_of;
using ::testing::HasSubstr;

datasets::Generated small_union() {
  return datasets::union_of_subspaces(
      {.num_subspaces = 3, .dimension = 3, .ambient = 20, .points_per_subspace = 40, .seed = 1});
}

double number(const Outcome& outcome, const std::string& name) {
  for (const auto& [key, value] : outcome.certificate) {
    if (key == name) return std::get<double>(value);
  }
  ADD_FAILURE() << "no " << name << " in the certificate";
  return std::numeric_limits<double>::quiet_NaN();
}

/// Those that learn need pictures and minutes; one wants a square matrix.
std::vector<std::string> methods_of_any_points() {
  std::vector<std::string> names = method_names();
  std::erase_if(names, [](const std::string& name) {
    return asks_for_learning(name) || name == "precomputed";
  });
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  std::erase(name, '-');
  return name;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMethod, ::testing::ValuesIn(methods_of_any_points()),
                         test_name);

TEST_P(EveryMethod, GivesOneLabelAPointAndTheSameForTheSameSeed) {
  const datasets::Generated data = small_union();
  const Outcome first = run(data.points.X, 3, GetParam(), {}, 5);
  const Outcome second = run(data.points.X, 3, GetParam(), {}, 5);
  EXPECT_EQ(first.labels, second.labels);
  EXPECT_EQ(first.labels.size(), data.truth.size());
  EXPECT_EQ(std::set<int>(first.labels.begin(), first.labels.end()), (std::set<int>{0, 1, 2}));
  EXPECT_TRUE(first.converged);
  EXPECT_FALSE(first.certificate.empty());
  EXPECT_GT(first.seconds.total, 0.0);
}

TEST_P(EveryMethod, LabelsDoNotDependOnThreads) {
  const datasets::Generated data = small_union();
  Context context;
  context.num_threads = 1;
  const Labels one = run(data.points.X, 3, GetParam(), {}, 0, context).labels;
  for (const int threads : {2, 4}) {
    context.num_threads = threads;
    EXPECT_EQ(run(data.points.X, 3, GetParam(), {}, 0, context).labels, one) << threads;
  }
}

TEST_P(EveryMethod, RefusesDataThatCannotBeClustered) {
  const Matrix X = small_union().points.X;
  EXPECT_THROW(run(X, 0, GetParam()), DataError);
  EXPECT_THROW(run(X, -1, GetParam()), DataError);
  EXPECT_THROW(run(X, static_cast<int>(X.cols()) + 1, GetParam()), DataError);
  EXPECT_THROW(run(X.leftCols(1), 1, GetParam()), DataError);
  EXPECT_THROW(run(Matrix(5, 0), 1, GetParam()), DataError);
  Matrix spoiled = X;
  spoiled(4, 7) = std::numeric_limits<double>::quiet_NaN();
  const std::string text = message_of<DataError>([&] { run(spoiled, 3, GetParam()); });
  EXPECT_THAT(text, HasSubstr("sample 7"));
  EXPECT_THAT(text, HasSubstr("feature 4"));
}

TEST_P(EveryMethod, OneClusterAndAsManyAsPointsAreLegal) {
  const Matrix X = small_union().points.X.leftCols(12);
  EXPECT_EQ(run(X, 1, GetParam()).labels, Labels(12, 0));
  EXPECT_EQ(run(X, 12, GetParam()).labels.size(), 12u);
}

TEST_P(EveryMethod, LabelsDegeneratePointsOrSaysWhyNot) {
  for (const Index count : {1, 2, 3, 8, 50}) {
    for (const Index dimension : {1, 2, 9, 100}) {
      for (const Matrix& X : degenerate_points(dimension, count)) {
        for (const int k : cluster_numbers(count)) expect_labels_or_refusal(X, k, GetParam());
      }
    }
  }
}

/// The method with its own solver, another affinity and another assignment. Representations by
/// exemplars are no square matrix: neighbours alone make a graph of them.
TEST_P(EveryMethod, TakesEveryAffinityAndAssignmentThatItNames) {
  const datasets::Generated data = small_union();
  const Clusterer clusterer(GetParam());
  const std::vector<std::string> stages = clusterer.stages();
  if (std::ranges::find(stages, "assignment") == stages.end()) return;  // no graph
  const bool any_affinity = std::ranges::any_of(
      clusterer.options(),
      [](const MethodOption& option) { return option.key() == "affinity.kind"; });
  EXPECT_EQ(any_affinity, GetParam() != "spectral" && GetParam() != "esc");
  const std::vector<std::string> kinds = {"unit-columns", "max-columns", "neighbors", "maximum",
                                          "low-rank"};
  for (const char* assignment : {"kmeans", "discretize"}) {
    for (const std::string& kind : any_affinity ? kinds : std::vector<std::string>{""}) {
      std::vector<KeyText> settings = {{"assignment.algorithm", assignment}};
      if (any_affinity) settings.emplace_back("affinity.kind", kind);
      const Outcome outcome = run(data.points.X, 3, GetParam(), settings);
      EXPECT_EQ(std::ssize(outcome.labels), data.points.X.cols()) << kind << ", " << assignment;
      ASSERT_TRUE(outcome.confidence) << kind << ", " << assignment;
    }
  }
}

/// Three pairs and a triangle for two clusters: what is put together without an edge is not sure.
TEST(Precomputed, PointsWithoutAPathToTheirClusterAreNotTrusted) {
  Matrix W = Matrix::Zero(9, 9);
  for (const auto& [i, j] : {std::pair{0, 1}, {2, 3}, {4, 5}, {6, 7}, {7, 8}, {6, 8}}) {
    W(i, j) = W(j, i) = 1.0;
  }
  const Outcome outcome = run(W, 2, "precomputed");
  ASSERT_TRUE(outcome.confidence.has_value());
  int doubted = 0;
  for (const double each : outcome.confidence->points) doubted += each == 0.0 ? 1 : 0;
  EXPECT_EQ(doubted, 4);  // of two pairs, or of one pair merged with each of the others
  EXPECT_LT(outcome.confidence->mean, 0.6);
}

TEST(Precomputed, TakesAnAffinityOrCoefficients) {
  const datasets::Generated data = small_union();
  PipelineOptions options;
  options.num_clusters = 3;
  const ClusteringResult known = cluster(data.points.X, options);
  const Matrix W(known.affinity);
  EXPECT_EQ(run(W, 3, "precomputed").labels, known.labels);
  const Matrix C(std::get<SelfExpression>(known.representation).coefficients);
  EXPECT_EQ(run(C, 3, "precomputed", {{"precomputed.kind", "coefficients"}}).labels, known.labels);
}

TEST(Precomputed, RefusesWhatIsNoSuchMatrix) {
  EXPECT_EQ(message_of<DataError>([] { run(Matrix::Ones(3, 5), 2, "precomputed"); }),
            "precomputed: 5 samples of 3 values, must be a square matrix");
  Matrix W = Matrix::Ones(4, 4);
  W(1, 2) = -1.0;
  EXPECT_THAT(message_of<DataError>([&] { run(W, 2, "precomputed"); }),
              HasSubstr("W(1, 2) = -1, must be finite and not negative"));
}

TEST_P(EveryMethod, StopsWhenAsked) {
  CancelToken token;
  token.request();
  Context context;
  context.cancel = &token;
  EXPECT_THROW(run(small_union().points.X, 3, GetParam(), {}, 0, context), Cancelled);
}

TEST_P(EveryMethod, SaysWhenItFindsFewerClustersThanAskedFor) {
  const Outcome outcome = run(Matrix::Ones(4, 12), 3, GetParam(), {}, 0);
  const std::set<int> used(outcome.labels.begin(), outcome.labels.end());
  ASSERT_LE(used.size(), 3U);
  const auto said = ::testing::Contains(HasSubstr("3 clusters asked for"));
  if (used.size() < 3U) {
    EXPECT_THAT(outcome.warnings, said);
  } else {
    EXPECT_THAT(outcome.warnings, ::testing::Not(said));
  }
}

TEST(Run, KMeansOfEqualPointsFindsOneClusterAndSaysSo) {
  const Outcome outcome = run(Matrix::Ones(4, 12), 3, "kmeans", {}, 0);
  EXPECT_EQ(outcome.labels, Labels(12, 0));
  EXPECT_THAT(outcome.warnings, ::testing::Contains(HasSubstr("3 clusters asked for, 1 found")));
}

TEST(Run, EnscSeparatesIndependentSubspacesAndProvesIt) {
  const datasets::Generated data = small_union();
  const Outcome outcome = run(data.points.X, 3, "ensc", {{"gamma", "200"}});
  EXPECT_EQ(evaluate_partition(outcome.labels, data.truth).acc, 1.0);
  EXPECT_LE(number(outcome, "kkt_violation"), number(outcome, "tolerance"));
}

/// The example of the toolbox that EnSC was published with: planes of two, two and three points.
TEST(Run, SevenPointsOfThreePlanesFallIntoTwoTwoAndThree) {
  Matrix X = Matrix::Zero(6, 7);
  X.block<2, 2>(0, 0) << 1.0, -1.0, 1.0, 0.5;
  X.block<2, 2>(2, 2) << 1.0, 0.2, 0.2, 1.0;
  X.block<2, 3>(4, 4) << 1.0, -1.0, 0.0, 1.0, 1.0, -1.0;
  const Labels planes = {0, 0, 1, 1, 2, 2, 2};
  for (const char* tau : {"1", "0.9"}) {
    const Outcome outcome = run(X, 3, "ensc", {{"gamma", "50"}, {"tau", tau}});
    EXPECT_EQ(evaluate_partition(outcome.labels, planes).acc, 1.0) << "tau = " << tau;
  }
}

TEST(Run, BothAssignmentsAreUsed) {
  const datasets::Generated data = small_union();
  const Outcome outcome = run(data.points.X, 3, "ensc", {{"assignment.algorithm", "discretize"}});
  EXPECT_EQ(evaluate_partition(outcome.labels, data.truth).acc, 1.0);
}

TEST(Run, SettingsReachTheSolver) {
  const datasets::Generated data = small_union();
  EXPECT_FALSE(run(data.points.X, 3, "kmeans",
                   {{"max_iterations", "1"}, {"restarts", "1"}, {"tolerance", "0"}})
                   .converged);
  EXPECT_THROW(run(data.points.X, 3, "kmeans", {{"restarts", "0"}}), InvalidArgument);
}

}  // namespace
}  // namespace subspace::pipelines
