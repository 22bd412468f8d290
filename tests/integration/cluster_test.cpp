// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <filesystem>
#include <nlohmann/json.hpp>

#include <subspace/datasets/load.h>

#include "program.h"

namespace subspace::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

using ClusterCommand = ProgramTest;

TEST_F(ClusterCommand, JsonOnStandardOutputIsAloneThere) {
  write_union();
  for (const char* method : {"kmeans", "spectral", "ensc"}) {
    const Finished run =
        subspace({"cluster", path("x.npy"), "-k", "3", "--method", method, "--json", "-"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json record = Json::parse(run.out);
    EXPECT_EQ(record["method"], method);
    EXPECT_EQ(record["labels"].size(), truth_.size());
    EXPECT_EQ(record["input"]["n"], 90);
    EXPECT_EQ(record["input"]["dim"], 20);
    EXPECT_EQ(record["input"]["sha256"].get<std::string>().size(), 64u);
    EXPECT_EQ(record["options"]["num_clusters"], 3);
    EXPECT_FALSE(record.contains("metrics"));
    EXPECT_GT(record["seconds"]["total"], 0.0);
    EXPECT_GT(record["peak_memory_mb"], 1.0);
    EXPECT_NE(record["backend"], "");
  }
}

TEST_F(ClusterCommand, BareJsonMeansStandardOutput) {
  write_union();
  const Finished run = subspace({"cluster", path("x.npy"), "-k", "3", "-m", "kmeans", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Json::accept(run.out));
}

TEST_F(ClusterCommand, EnscCarriesItsCertificate) {
  write_union();
  const Finished run =
      subspace({"cluster", path("x.npy"), "-k3", "--truth", path("y.npy"), "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json record = Json::parse(run.out);
  EXPECT_EQ(record["metrics"]["acc"], 1.0);
  EXPECT_EQ(record["converged"], true);
  const Json& certificate = record["certificate"];
  EXPECT_EQ(certificate.size(), 4u);
  EXPECT_LE(certificate["kkt_violation"].get<double>(), certificate["tolerance"].get<double>());
  EXPECT_EQ(certificate["columns_unconverged"], 0);
  EXPECT_TRUE(certificate["embedding_residual"].is_number());
}

/// The truth is read last, perhaps after hours: that it does not fit costs the metrics alone.
TEST_F(ClusterCommand, ATruthThatDoesNotFitCostsTheMetricsAlone) {
  write_union();
  const std::pair<std::string, std::string> truths[] = {
      {write("few.csv", "0\n1\n2\n"), "few.csv: 3 labels for 90 points"}, {path("x.npy"), "x.npy"}};
  for (const auto& [truth, complaint] : truths) {
    const Finished run = subspace({"cluster", path("x.npy"), "-k", "3", "--truth", truth, "--out",
                                   path("labels.npy"), "--json", path("record.json"), "-q"});
    expect_refusal(run, 3, complaint, "the result is written, without metrics");
    EXPECT_EQ(datasets::load_labels(path("labels.npy")).size(), truth_.size());
    const Json record = Json::parse(read("record.json"));
    EXPECT_FALSE(record.contains("metrics"));
    EXPECT_THAT(record["not_evaluated"].get<std::string>(), HasSubstr(complaint));
    std::filesystem::remove(path("labels.npy"));
  }
}

TEST_F(ClusterCommand, CoefficientsAreHeldAgainstTheTruthWhereThereAreSome) {
  write_union();
  const auto record = [&](const char* method, bool truth) {
    std::vector<std::string> command = {"cluster", path("x.npy"), "-k3", "-m", method, "--json"};
    if (truth) command.insert(command.end(), {"--truth", path("y.npy")});
    const Finished run = subspace(command);
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out);
  };
  for (const char* method : {"ensc", "ssc", "lsr"}) {
    const Json coefficients = record(method, true)["coefficients"];
    const double error = coefficients["subspace_preserving_error"];
    EXPECT_GE(error, 0.0) << method;
    EXPECT_LT(error, 2.0 / 3.0) << method << ": chance with three classes";
    EXPECT_GT(coefficients["connectivity"]["min"], 0.0) << method;
    EXPECT_EQ(coefficients["connectivity"]["of_classes"].size(), 3u) << method;
    EXPECT_EQ(coefficients["nonzeros"]["empty"], 0) << method;
    EXPECT_FALSE(record(method, false).contains("coefficients")) << method;
  }
  for (const char* method : {"kmeans", "spectral", "esc"}) {
    EXPECT_FALSE(record(method, true).contains("coefficients")) << method;
  }
}

TEST_F(ClusterCommand, SummaryIsForPeopleAndHasNoCarriageReturns) {
  write_union();
  const Finished run =
      subspace({"cluster", path("x.npy"), "-k", "3", "--truth", path("y.npy"), "-v"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("90 points in 20 dimensions"));
  EXPECT_THAT(run.out, HasSubstr("ACC 1.0000"));
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("\r")));
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("\033")));
}

TEST_F(ClusterCommand, QuietSaysNothing) {
  write_union();
  const Finished run =
      subspace({"cluster", path("x.npy"), "-k", "3", "-q", "--out", path("labels.csv")});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_TRUE(exists("labels.csv"));
}

TEST_F(ClusterCommand, FilesHoldWhatTheRecordSays) {
  write_union();
  const Finished run = subspace({"cluster", path("x.npy"), "-k", "3", "--out", path("labels.npy"),
                                 "--json", path("record.json")});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json record = Json::parse(read("record.json"));
  EXPECT_EQ(record["labels"].get<Labels>(), datasets::load_labels(path("labels.npy")));
}

TEST_F(ClusterCommand, LabelsAreTheSameBytesForAnyNumberOfThreads) {
  write_union();
  for (const char* method : {"kmeans", "spectral", "ensc"}) {
    std::string first;
    for (const char* threads : {"1", "2", "4"}) {
      const Finished run = subspace({"cluster", path("x.npy"), "-k", "3", "-m", method, "--threads",
                                     threads, "--out", path("labels.npy"), "-q"});
      ASSERT_EQ(run.code, 0) << run.err;
      if (first.empty()) first = read("labels.npy");
      EXPECT_EQ(read("labels.npy"), first) << method << " on " << threads;
    }
  }
}

TEST_F(ClusterCommand, MatFileWithItsTruthIsEvaluated) {
  write_union();
  const Matrix X = datasets::load_points(path("x.npy")).X.transpose();
  const datasets::MatWriter mat;
  constexpr std::uint32_t kDoubleClass = 6, kDoubleType = 9;
  const auto numbers = [](const double* begin, Index count) {
    return std::vector<double>(begin, begin + count);
  };
  const std::vector<double> gnd(truth_.begin(), truth_.end());
  const auto n = static_cast<std::int32_t>(truth_.size());
  write("both.mat",
        mat.header() +
            mat.array(kDoubleClass, {n, 20}, "fea",
                      mat.element(kDoubleType, datasets::raw(numbers(X.data(), X.size())))) +
            mat.array(kDoubleClass, {n, 1}, "gnd", mat.element(kDoubleType, datasets::raw(gnd))));
  const Finished run = subspace({"cluster", path("both.mat"), "-k", "3", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["metrics"]["acc"], 1.0);
  EXPECT_EQ(Json::parse(run.out)["truth"], (Json{{"source", "both.mat"}, {"variable", "gnd"}}));
  EXPECT_THAT(subspace({"cluster", path("both.mat"), "-k", "3", "-v"}).err,
              HasSubstr("truth both.mat: gnd\n"));

  // The truth plays no part in the labels: other labels in the file, same answer.
  write("points.mat",
        mat.header() +
            mat.array(kDoubleClass, {n, 20}, "fea",
                      mat.element(kDoubleType, datasets::raw(numbers(X.data(), X.size())))));
  const Finished alone = subspace({"cluster", path("points.mat"), "-k", "3", "--json", "-"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.err, "");
  EXPECT_FALSE(Json::parse(alone.out).contains("metrics"));
  EXPECT_FALSE(Json::parse(alone.out).contains("truth"));
  EXPECT_EQ(Json::parse(alone.out)["labels"], Json::parse(run.out)["labels"]);
}

TEST_F(ClusterCommand, InputIsLookedUpUnderTheDataFolder) {
  write_union();
  const std::string folder = std::filesystem::path(path("x.npy")).parent_path().string();
  EXPECT_EQ(subspace({"cluster", "x.npy", "-k", "3", "-q", "--data-dir", folder}).code, 0);
  EXPECT_EQ(subspace({"cluster", "x.npy", "-k", "3", "-q"}, {"SUBSPACE_DATA_DIR=" + folder}).code,
            0);
  EXPECT_EQ(subspace({"cluster", "x.npy", "-k", "3", "-q"}).code, 3);
}

TEST_F(ClusterCommand, ProgressAsJsonIsOneEventALine) {
  write_union();
  const Finished run =
      subspace({"cluster", path("x.npy"), "-k", "3", "--progress", "json", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Json::accept(run.out));
  std::istringstream lines(run.err);
  int events = 0;
  for (std::string line; std::getline(lines, line); ++events) {
    const Json event = Json::parse(line);
    EXPECT_LE(event["done"], event["total"]) << line;
  }
  EXPECT_GT(events, 0);
}

TEST_F(ClusterCommand, UnconvergedResultIsWrittenWithCodeFour) {
  write_union();
  const Finished run = subspace({"cluster", path("x.npy"), "-k", "3", "-m", "kmeans", "--set",
                                 "max_iterations=1", "--set", "kmeans.restarts=1", "--set",
                                 "tolerance=0", "--out", path("labels.npy"), "--json", "-"});
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr("subspace: warning: not converged"));
  EXPECT_EQ(Json::parse(run.out)["converged"], false);
  EXPECT_TRUE(exists("labels.npy"));
}

TEST_F(ClusterCommand, MemoryForTheFileButNotForACopyIsRefusedWithCodeFive) {
  write_union();  // 90 x 20 numbers: 14.4 kB
  const auto refused = [&](const char* method) {
    return subspace({"cluster", path("x.npy"), "-k", "3", "-m", method, "--max-memory", "20k"});
  };
  for (const char* method : {"kmeans", "ksubspaces"}) {
    expect_refusal(refused(method), 5, "cluster, stage assignment: needs about",
                   "the points are copied");
  }
  // The embedding of so few points is dense and takes more than the copy.
  for (const char* method : {"spectral", "ensc"}) {
    expect_refusal(refused(method), 5, "cluster, stage embedding: needs about",
                   "ask for fewer clusters");
  }
}

/// Its self-expression would fit; what comes after it would not.
TEST_F(ClusterCommand, AFullMethodIsRefusedAtOnceAndToldASparseOne) {
  write_union();
  const Finished run =
      subspace({"cluster", path("x.npy"), "-k", "3", "-m", "lsr", "--max-memory", "250k", "--set",
                "affinity.kind=max-columns", "--progress", "json"});
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("cluster, stage embedding: needs about"));
  EXPECT_THAT(run.err, HasSubstr("0.00025 GB allowed"));
  EXPECT_THAT(run.err, HasSubstr("use ensc, ssc-omp or esc"));
  EXPECT_THAT(run.err, ::testing::Not(HasSubstr("self-expression"))) << "no stage has begun";
}

TEST_F(ClusterCommand, TooLittleMemoryIsRefusedWithCodeFive) {
  write_union();
  expect_refusal(subspace({"cluster", path("x.npy"), "-k", "3", "--max-memory", "1k", "--out",
                           path("labels.npy")}),
                 5);
  EXPECT_FALSE(exists("labels.npy"));
}

}  // namespace
}  // namespace subspace::testing
