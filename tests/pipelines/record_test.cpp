// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/record.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include <subspace/core/version.h>

namespace subspace::pipelines {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

Record example() {
  Record record;
  record.command = "cluster";
  record.input = {"points", 4, 2, std::string(64, 'a')};
  record.method = "ensc";
  record.options = {{"num_clusters", std::int64_t{2}},
                    {"ensc.gamma", 50.0},
                    {"assignment.algorithm", std::string("kmeans")}};
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.threads = 2;
  record.backend = "eigen";
  record.outcome.labels = {0, 0, 1, 1};
  record.outcome.seconds.preprocess = 0.5;
  record.outcome.seconds.total = 0.75;
  record.outcome.converged = true;
  record.outcome.certificate = {{"kkt_violation", 1e-9}, {"columns_unconverged", std::int64_t{0}}};
  record.outcome.warnings = {"zero column"};
  record.load_seconds = 0.25;
  record.peak_memory = 12'500'000;
  return record;
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

const std::vector<std::string> kKeys = {"schema",    "command",     "version", "input",
                                        "method",    "options",     "seed",    "threads",
                                        "backend",   "labels",      "seconds", "peak_memory_mb",
                                        "converged", "certificate", "warnings"};

TEST(RecordJson, HasTheKeysOfTheContractAndNoMetricsWithoutTruth) {
  const Json json = Json::parse(to_json(example()));
  EXPECT_THAT(keys(json), ElementsAreArray(kKeys));
  EXPECT_THAT(keys(json["input"]), ElementsAre("name", "n", "dim", "sha256"));
  EXPECT_THAT(keys(json["seconds"]), ElementsAre("load", "preprocess", "self_expression",
                                                 "affinity", "embedding", "assignment", "total"));
}

TEST(RecordJson, HasAllMetricsWhereTruthIsKnown) {
  Record record = example();
  record.metrics = evaluate_partition({0, 0, 1, 1}, {5, 5, 7, 7});
  const Json json = Json::parse(to_json(record));
  EXPECT_THAT(keys(json["metrics"]),
              ElementsAre("acc", "acc_greedy", "nmi_arithmetic", "nmi_geometric", "nmi_max", "ami",
                          "ari", "purity"));
  EXPECT_EQ(json["metrics"]["acc"], 1.0);
}

TEST(RecordJson, SaysWhereTheTruthCameFrom) {
  Record record = example();
  record.metrics = evaluate_partition({0, 0, 1, 1}, {5, 5, 7, 7});
  record.truth = {"faces.mat", "gnd"};
  const Json named = Json::parse(to_json(record));
  EXPECT_THAT(keys(named["truth"]), ElementsAre("source", "variable"));
  EXPECT_EQ(named["truth"]["source"], "faces.mat");
  EXPECT_EQ(named["truth"]["variable"], "gnd");
  record.truth = {"y.npy", ""};
  EXPECT_TRUE(Json::parse(to_json(record))["truth"]["variable"].is_null());
}

TEST(RecordJson, NamesTheNetworkThatWasUsed) {
  Record record = example();
  record.model = {"run", std::string(64, 'b'), 200};
  const Json model = Json::parse(to_json(record))["model"];
  EXPECT_THAT(keys(model), ElementsAre("folder", "sha256", "step"));
  EXPECT_EQ(model["folder"], "run");
  EXPECT_EQ(model["sha256"], record.model->sha256);
  EXPECT_EQ(model["step"], 200);
}

TEST(RecordJson, ValuesSurvive) {
  const Json json = Json::parse(to_json(example()));
  EXPECT_EQ(json["schema"], "subspace-record-1");
  EXPECT_EQ(json["version"], SUBSPACE_VERSION);
  EXPECT_EQ(json["seed"].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["labels"].get<Labels>(), (Labels{0, 0, 1, 1}));
  EXPECT_EQ(json["options"]["ensc.gamma"], 50.0);
  EXPECT_EQ(json["options"]["num_clusters"], 2);
  EXPECT_EQ(json["peak_memory_mb"], 12.5);
  EXPECT_EQ(json["seconds"]["total"], 1.0);
  EXPECT_EQ(json["certificate"]["columns_unconverged"], 0);
  EXPECT_EQ(json["converged"], true);
}

TEST(RecordJson, NumbersThatAreNotFiniteBecomeNull) {
  Record record = example();
  record.outcome.certificate = {{"residual", std::numeric_limits<double>::quiet_NaN()},
                                {"bound", std::numeric_limits<double>::infinity()}};
  const std::string text = to_json(record);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_TRUE(Json::parse(text)["certificate"]["residual"].is_null());
  EXPECT_TRUE(Json::parse(text)["certificate"]["bound"].is_null());
}

TEST(RecordJson, BytesThatAreNotUtf8DoNotBreakIt) {
  Record record = example();
  record.input.name = "caf\xe9";
  EXPECT_TRUE(Json::accept(to_json(record)));
}

TEST(EvaluationJson, HasMetricsAndCount) {
  const Json json = Json::parse(evaluation_json(
      {"labels", 4, 1, ""}, evaluate_partition({0, 0, 1, 1}, {0, 1, 0, 1}), {"y.npz", "labels"}));
  EXPECT_EQ(json["command"], "evaluate");
  EXPECT_EQ(json["input"]["n"], 4);
  EXPECT_EQ(json["metrics"]["acc"], 0.5);
  EXPECT_EQ(json["truth"]["variable"], "labels");
}

}  // namespace
}  // namespace subspace::pipelines
