// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/path_job.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include <subspace/core/error.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/diagnostics/graph_cut.h>
#include <subspace/preprocess/normalize.h>

#include "datasets/files.h"
#include "expect_error.h"
#include "support/measured_peak.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::expect_predicted;
using ::subspace::testing::kMemoryIsMeasured;
using ::subspace::testing::measured_peak;
using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Paths of 60 noisy points on three planes.
class PathJob : public ::testing::Test {
 protected:
  void SetUp() override {
    X_ = datasets::union_of_subspaces({.num_subspaces = 3,
                                       .dimension = 2,
                                       .ambient = 8,
                                       .points_per_subspace = 20,
                                       .noise = 0.05,
                                       .seed = 5})
             .points.X;
    datasets::save_points(path("x.npy"), X_);
    normalize_columns(X_);
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  RunSettings settings(const std::string& method, std::optional<int> clusters = {}) const {
    return {.input = path("x.npy"), .clusters = clusters, .method = method};
  }

  datasets::TempFolder folder_;
  Matrix X_;  // as the path sees it: at unit length
};

TEST_F(PathJob, EachValueIsTheSolutionAtThatWeight) {
  for (const std::string method : {"ensc", "ssc"}) {
    const PathRecord record = path_of_input(
        settings(method), {.points = {3, 41}, .values = {5.0, 50.0}, .coefficients = true}, {});
    EXPECT_EQ(record.parameter, method == "ssc" ? "alpha" : "gamma");
    ASSERT_EQ(record.steps.size(), 2u);
    for (const PathStep& step : record.steps) {
      EXPECT_TRUE(step.converged);
      const SparseMatrix C = method == "ssc" ? ssc(X_, {.alpha = step.value}).coefficients
                                             : elastic_net(X_, {.gamma = step.value}).coefficients;
      for (std::size_t p = 0; p < record.points.size(); ++p) {
        const Vector expected = C.col(record.points[p]);
        Vector found = Vector::Zero(X_.cols());
        for (std::size_t i = 0; i < step.points[p].rows.size(); ++i) {
          found[step.points[p].rows[i]] = step.points[p].coefficients[i];
        }
        EXPECT_LT((found - expected).norm(), 1e-8) << method << " at " << step.value;
        EXPECT_NEAR(step.points[p].l1_norm, expected.lpNorm<1>(), 1e-8);
        const double error = (X_.col(record.points[p]) - X_ * expected).norm();
        EXPECT_NEAR(step.points[p].fit_error, error, 1e-8);
      }
    }
    EXPECT_LT(record.steps[1].points[0].fit_error, record.steps[0].points[0].fit_error);
  }
}

/// LSR and EDSC along one factorisation, EnSC and SSC from value to value are what the solvers say.
TEST_F(PathJob, SignalsAreThoseOfTheClusteringAtThatValue) {
  const std::vector<std::pair<std::string, std::vector<MethodSetting>>> cases = {
      {"lsr", {{"variant", "lsr1"}}},
      {"lsr", {{"variant", "lsr2"}}},
      {"edsc", {}},
      {"ensc", {}},
      {"ssc", {}}};
  const std::map<std::string, std::string> weights = {
      {"lsr", "lambda"}, {"edsc", "lambda"}, {"ensc", "gamma"}, {"ssc", "alpha"}};
  for (const auto& [method, set] : cases) {
    RunSettings own = settings(method, 3);
    own.set = set;
    const bool full = weights.at(method) == "lambda";
    const std::vector<double> values = full ? std::vector{0.1, 10.0} : std::vector{3.0, 30.0};
    const PathRecord record = path_of_input(own, {.values = values}, {});
    EXPECT_EQ(record.parameter, weights.at(method));
    ASSERT_EQ(record.steps.size(), 2u);
    for (const PathStep& step : record.steps) {
      Clusterer clusterer = make_clusterer(own);
      clusterer.set(method + "." + weights.at(method), std::to_string(step.value));
      const Matrix X = datasets::load_points(path("x.npy")).X;
      const Outcome alone = clusterer.run({X}, 3, {}, {});
      const std::map<std::string, double> found = {
          {"cut", step.cut}, {"confidence", step.confidence}, {"rate", step.rate}};
      EXPECT_EQ(alone.signals.size(), found.size());
      for (const auto& [name, value] : alone.signals) {
        EXPECT_NEAR(found.at(name), std::get<double>(value), 1e-6) << method << " " << name;
      }
      EXPECT_GT(step.eigengap, 0.0);
    }
  }
}

TEST_F(PathJob, FilesHaveALineAPointAndValueOrALineAValue) {
  RunSettings own = settings("ensc");
  own.out = path("path.csv");
  own.json = path("path.json");
  const PathRecord record = path_of_input(own, {.points = {0}, .values = {2.0, 20.0}}, {});
  const std::string table = to_csv(record);
  EXPECT_THAT(table, HasSubstr("point,gamma,support,fit_error,l1_norm,converged\n0,2,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  EXPECT_TRUE(std::filesystem::exists(own.out));
  const auto json = nlohmann::json::parse(to_json(record));
  EXPECT_EQ(json["schema"], "subspace-path-1");
  EXPECT_EQ(json["steps"][1]["gamma"], 20.0);
  EXPECT_EQ(json["steps"][1]["points"][0]["support"], record.steps[1].points[0].support);
  EXPECT_FALSE(json["steps"][1]["points"][0].contains("rows")) << "not asked for";
  const std::string clusters = to_csv(path_of_input(settings("edsc", 3), {.values = {1.0}}, {}));
  EXPECT_THAT(clusters, HasSubstr("lambda,cut,confidence,rate,eigengap,converged\n1,"));
}

TEST_F(PathJob, RecordsTellWhatTheirPathsWereMadeWith) {
  RunSettings own = settings("ensc", 3);
  own.set = {{"tau", "0.8"}, {"gamma", "7"}, {"affinity.top", "9"}};
  const PathRecord record = path_of_input(own, {.values = {5.0, 50.0}}, {.num_threads = 2});
  const auto json = nlohmann::json::parse(to_json(record));
  EXPECT_EQ(json["options"]["ensc.tau"], 0.8);
  EXPECT_EQ(json["options"]["affinity.top"], 9);
  EXPECT_FALSE(json["options"].contains("ensc.gamma")) << "it varies, the given one is not used";
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["backend"], record.backend);
  EXPECT_FALSE(record.backend.empty());
  EXPECT_GT(json["peak_memory_mb"], 0.0);
  EXPECT_GT(json["seconds"]["self_expression"], 0.0);
  EXPECT_GT(json["seconds"]["embedding"], 0.0);
  EXPECT_GT(json["seconds"]["total"], json["seconds"]["self_expression"]);
  EXPECT_EQ(json["steps"][0]["signals"]["rate"], record.steps[0].rate);
}

TEST_F(PathJob, TellsOfOptionsThatWereSetInVain) {
  RunSettings own = settings("ssc");
  EXPECT_TRUE(path_of_input(own, {.values = {5.0}}, {}).warnings.empty());
  own.set = {{"ssc.alpha", "7"}, {"ssc.outlier_alpha", "3"}};
  const std::vector<std::string> warnings = path_of_input(own, {.values = {5.0}}, {}).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings, ::testing::Contains(AllOf(HasSubstr("ssc.outlier_alpha = 3 has no effect"),
                                                  HasSubstr("counts for"))));
  EXPECT_THAT(warnings, ::testing::Contains(AllOf(HasSubstr("ssc.alpha = 7 has no effect"),
                                                  HasSubstr("--values"))));
}

/// No solution is that exact, and one round does not end every support of a weight this large.
TEST_F(PathJob, ToleranceAndRoundsReachTheSolver) {
  for (const std::string method : {"ensc", "ssc"}) {
    RunSettings own = settings(method);
    EXPECT_TRUE(path_of_input(own, {.values = {200.0}}, {}).steps[0].converged) << method;
    own.set = {{method + ".tolerance", "1e-30"}};
    EXPECT_FALSE(path_of_input(own, {.values = {200.0}}, {}).steps[0].converged) << method;
    own.set = {{method + ".max_rounds", "1"}};
    const PathStep step = path_of_input(own, {.values = {200.0}}, {}).steps[0];
    EXPECT_FALSE(step.converged) << method;
    EXPECT_FALSE(std::ranges::all_of(step.points, &PathPoint::converged)) << method;
  }
}

TEST_F(PathJob, IsRefusedBeforeItsFirstValueWhereItDoesNotFit) {
  int reports = 0;
  const Context small{
      .num_threads = 1, .progress = [&](const ProgressEvent&) { ++reports; }, .max_memory = 60'000};
  for (const char* method : {"ensc", "ssc", "lsr", "edsc"}) {
    EXPECT_THAT(message_of<ResourceError>([&] {
                  path_of_input(settings(method, 3), {.values = {1.0, 10.0}}, small);
                }),
                AllOf(HasSubstr("path, stage "), HasSubstr("needs about"), HasSubstr("allowed; ")))
        << method;
  }
  EXPECT_EQ(reports, 0);
}

/// In GB, as a refusal names it.
double predicted_by_refusal(const RunSettings& settings, const PathOptions& options) {
  const std::string text = message_of<ResourceError>(
      [&] { path_of_input(settings, options, {.num_threads = 2, .max_memory = 1'000'000}); });
  const std::string before = "needs about ";
  return std::stod(text.substr(text.find(before) + before.size()));
}

/// Points at many values with all that a record has of them.
TEST_F(PathJob, PredictsItsMemoryWithTheRecordAndItsFiles) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = datasets::union_of_subspaces({.num_subspaces = 4,
                                                 .dimension = 30,
                                                 .ambient = 60,
                                                 .points_per_subspace = 150,
                                                 .noise = 0.2,
                                                 .seed = 5})
                       .points.X;
  datasets::save_points(path("many.npy"), X);
  RunSettings own = settings("ensc");
  own.input = path("many.npy");
  own.out = path("path.csv");
  own.json = path("path.json");
  std::vector<double> gammas;
  for (int step = 0; step < 30; ++step) gammas.push_back(20.0 + 5.0 * step);
  for (const bool coefficients : {false, true}) {
    const PathOptions options{.values = gammas, .coefficients = coefficients};
    const double predicted = 1e9 * predicted_by_refusal(own, options);
    const double measured = measured_peak([&] { path_of_input(own, options, {.num_threads = 2}); });
    expect_predicted(measured, predicted, coefficients ? "with coefficients" : "without");
  }
}

TEST_F(PathJob, TheTruthIsReadWhenAllLabelsAreThere) {
  RunSettings own = settings("ensc", 3);
  own.truth = path("y.npy");
  datasets::save_labels(own.truth, Labels(59, 0));
  own.json = path("kept.json");
  const PathRecord kept = path_of_input(own, {.values = {5.0}}, {});
  EXPECT_THAT(kept.not_evaluated, HasSubstr("59 labels for 60 points"));
  EXPECT_FALSE(kept.steps[0].metrics);
  EXPECT_GT(kept.steps[0].confidence, 0.0) << "all but the metrics";
  EXPECT_TRUE(std::filesystem::exists(own.json));
  Labels planes(20, 0);
  planes.resize(40, 1);
  planes.resize(60, 2);
  int reports = 0;
  const Context context{.progress = [&](const ProgressEvent&) {
    if (++reports == 1) datasets::save_labels(own.truth, planes);
  }};
  const PathRecord record = path_of_input(own, {.values = {5.0, 50.0}}, context);
  EXPECT_GT(reports, 0);
  ASSERT_TRUE(record.truth);
  EXPECT_EQ(record.truth->source, "y.npy");
  for (const PathStep& step : record.steps) EXPECT_TRUE(step.metrics);
}

/// Below a gamma of 1 no point has a coefficient.
TEST_F(PathJob, APointWithoutSupportHasEmptyArrays) {
  const PathRecord record = path_of_input(
      settings("ensc"), {.points = {3}, .values = {0.5, 5.0}, .coefficients = true}, {});
  const auto json = nlohmann::json::parse(to_json(record));
  const auto& empty = json["steps"][0]["points"][0];
  EXPECT_EQ(empty["support"], 0);
  EXPECT_EQ(empty["rows"], nlohmann::json::array());
  EXPECT_EQ(empty["coefficients"], nlohmann::json::array());
  const auto& other = json["steps"][1]["points"][0];
  EXPECT_EQ(other["rows"].size(), other["support"]);
  EXPECT_EQ(other["coefficients"].size(), other["support"]);
}

TEST_F(PathJob, RefusalsNameTheThingTheValueAndTheRule) {
  const auto refusal = [&](const RunSettings& own, const PathOptions& options) {
    return message_of<InvalidArgument>([&] { path_of_input(own, options, {}); });
  };
  EXPECT_THAT(refusal(settings("kmeans"), {}),
              HasSubstr("method = kmeans, must be one of ensc, ssc, lsr, edsc"));
  EXPECT_THAT(refusal(settings("lrr", 3), {}), HasSubstr("method = lrr, must be one of"));
  EXPECT_THAT(refusal(settings("lsr"), {}), HasSubstr("use -k"));
  EXPECT_THAT(refusal(settings("ensc", 3), {.points = {1}}), HasSubstr("--points and -k"));
  EXPECT_THAT(refusal(settings("edsc", 3), {.values = {-1.0}}), HasSubstr("--values -1, must"));
  EXPECT_THAT(refusal(settings("ensc"), {.points = {60}}), HasSubstr("60"));
  RunSettings own = settings("ssc");
  own.set = {{"affine", "true"}};
  EXPECT_THAT(refusal(own, {}), HasSubstr("ssc.affine = true, must be false"));
  own.set = {{"solver", "admm"}};
  EXPECT_THAT(refusal(own, {}), HasSubstr("ssc.solver = admm, must be active-set"));
  own = settings("ensc");
  own.truth = path("x.npy");
  EXPECT_THAT(refusal(own, {}), HasSubstr("x.npy, must come with -k"));
  own = settings("ensc");
  own.out = path("path.npy");
  EXPECT_THAT(refusal(own, {}), HasSubstr("must end in .csv"));
}

}  // namespace
}  // namespace subspace::pipelines
