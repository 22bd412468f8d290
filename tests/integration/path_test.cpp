// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <nlohmann/json.hpp>

#include "program.h"

namespace subspace::testing {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class PathCommand : public ProgramTest {
 protected:
  void SetUp() override { write_union(); }
  Finished run(Arguments more) const {
    more.insert(more.begin(), {"path", path("x.npy")});
    return subspace(more);
  }
};

TEST_F(PathCommand, SupportsGrowWithGamma) {
  const Finished finished =
      run({"--values", "1.5,500", "--points", "0,50", "--json", "-", "--set", "tau=0.95"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const Json record = Json::parse(finished.out);
  EXPECT_EQ(record["command"], "path");
  EXPECT_EQ(record["method"], "ensc");
  ASSERT_EQ(record["steps"].size(), 2u);
  const Json& first = record["steps"][0]["points"][1];
  const Json& last = record["steps"][1]["points"][1];
  EXPECT_EQ(first["point"], 50);
  EXPECT_GE(first["support"], 1);
  EXPECT_GT(last["support"], first["support"]);
  EXPECT_LT(last["fit_error"], first["fit_error"]);
}

TEST_F(PathCommand, ClustersAtEachValueAreHeldAgainstTheTruth) {
  const Finished finished = run({"-m", "lsr", "-k", "3", "--values", "0.001,0.1", "--truth",
                                 path("y.npy"), "--out", path("path.csv")});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, AllOf(HasSubstr("lambda"), HasSubstr("rate"), HasSubstr("error %"),
                                  HasSubstr("0.001")));
  EXPECT_THAT(read("path.csv"),
              HasSubstr("lambda,cut,confidence,rate,eigengap,converged,acc,nmi_arithmetic,ari\n"));
}

TEST_F(PathCommand, ATruthThatDoesNotFitCostsTheMetricsAlone) {
  const Finished finished = run({"-k", "3", "--values", "5", "--truth", write("few.csv", "0\n1\n"),
                                 "--json", path("path.json"), "-q"});
  expect_refusal(finished, 3, "few.csv: 2 labels for 90 points", "the result is written");
  const Json record = Json::parse(read("path.json"));
  EXPECT_FALSE(record["steps"][0].contains("metrics"));
  EXPECT_THAT(record["not_evaluated"].get<std::string>(), HasSubstr("2 labels for 90 points"));
}

TEST_F(PathCommand, RefusesWithTheRule) {
  expect_refusal(run({"-m", "edsc"}), 2, "use -k");
  expect_refusal(run({"-m", "kmeans", "-k", "3"}), 2, "must be one of ensc, ssc, lsr, edsc");
  expect_refusal(run({"--points", "90"}), 2, "90");
  expect_refusal(run({"--truth", path("y.npy")}), 2, "--truth", "must come with -k");
  expect_refusal(run({"--y", "gnd"}), 2, "--y gnd", "must come with -k");
  expect_refusal(run({"-k", "91"}), 3, "k = 91");
  expect_refusal(run({"--out", path("path.npy")}), 2, "must end in .csv");
  expect_refusal(run({"-m", "lsr", "-k", "3", "--max-memory", "60k"}), 5, "path, stage ",
                 "use ensc or ssc");
  expect_refusal(run({"--max-memory", "1M"}), 5, "path, stage self-expression: needs about",
                 "ask for fewer values or points");
}

}  // namespace
}  // namespace subspace::testing
