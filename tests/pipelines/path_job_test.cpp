// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/path_job.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <subspace/core/error.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/diagnostics/graph_cut.h>
#include <subspace/preprocess/normalize.h>

#include "datasets/files.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
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

TEST_F(PathJob, EachValueIsTheSolutionAtThatGamma) {
  for (const char* method : {"ensc", "ssc"}) {
    const double tau = std::string(method) == "ssc" ? 1.0 : 0.9;
    const PathRecord record = path_of_input(
        settings(method), {.points = {3, 41}, .values = {5.0, 50.0}, .coefficients = true}, {});
    EXPECT_EQ(record.parameter, "gamma");
    ASSERT_EQ(record.steps.size(), 2u);
    for (const PathStep& step : record.steps) {
      EXPECT_TRUE(step.converged);
      const SparseMatrix C = elastic_net(X_, {.tau = tau, .gamma = step.value}).coefficients;
      for (std::size_t p = 0; p < record.points.size(); ++p) {
        const Vector expected = C.col(record.points[p]);
        Vector found = Vector::Zero(X_.cols());
        for (std::size_t i = 0; i < step.points[p].rows.size(); ++i) {
          found[step.points[p].rows[i]] = step.points[p].coefficients[i];
        }
        EXPECT_LT((found - expected).norm(), 1e-5) << method << " at " << step.value;
        EXPECT_NEAR(step.points[p].l1_norm, expected.lpNorm<1>(), 1e-5);
        const double error = (X_.col(record.points[p]) - X_ * expected).norm();
        EXPECT_NEAR(step.points[p].fit_error, error, 1e-5);
      }
    }
    EXPECT_LT(record.steps[1].points[0].fit_error, record.steps[0].points[0].fit_error);
  }
}

/// LSR2 and EDSC along one factorisation, LSR1 by itself, are what the solvers say.
TEST_F(PathJob, SignalsAreThoseOfTheClusteringAtThatValue) {
  const std::vector<std::pair<std::string, std::vector<MethodSetting>>> cases = {
      {"lsr", {{"variant", "lsr1"}}}, {"lsr", {{"variant", "lsr2"}}}, {"edsc", {}}};
  for (const auto& [method, set] : cases) {
    RunSettings own = settings(method, 3);
    own.set = set;
    const PathRecord record = path_of_input(own, {.values = {0.1, 10.0}}, {});
    EXPECT_EQ(record.parameter, "lambda");
    ASSERT_EQ(record.steps.size(), 2u);
    for (const PathStep& step : record.steps) {
      Clusterer clusterer = make_clusterer(own);
      clusterer.set("lambda", std::to_string(step.value));
      const Matrix X = datasets::load_points(path("x.npy")).X;
      const Outcome alone = clusterer.run({X}, 3, {}, {});
      EXPECT_EQ(alone.signals.size(), 2u);
      for (const auto& [name, value] : alone.signals) {
        const double found = name == "cut" ? step.cut : step.confidence;
        EXPECT_NEAR(found, std::get<double>(value), 1e-6) << method << " " << name;
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
  EXPECT_THAT(clusters, HasSubstr("lambda,cut,confidence,eigengap,converged\n1,"));
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
  own = settings("ensc");
  own.out = path("path.npy");
  EXPECT_THAT(refusal(own, {}), HasSubstr("must end in .csv"));
}

}  // namespace
}  // namespace subspace::pipelines
