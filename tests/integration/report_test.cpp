// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/report.h>

#include "program.h"
#include "support/example_results.h"

namespace subspace::testing {
namespace {

using ::testing::HasSubstr;

class Report : public ProgramTest {
 protected:
  Report() {
    write("results.json",
          pipelines::to_json(example_results({.classes = 4, .per_class = 6, .seeds = 2})));
  }
};

TEST_F(Report, WritesEveryFormatAndSaysWhere) {
  for (const char* name : {"r.html", "r.md", "r.csv", "r.tex"}) {
    const Finished run = subspace({"report", path("results.json"), "--out", path(name)});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, path(name) + ": 1 table\n");
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(read(name), HasSubstr("k-means"));
  }
  EXPECT_THAT(read("r.html"), HasSubstr("class=\"thumb"));
}

TEST_F(Report, TakesFoldersAndSeveralTables) {
  const std::string folder = std::filesystem::path(path("results.json")).parent_path().string();
  const Finished run =
      subspace({"report", folder, path("results.json"), "-o", path("two.html"), "--no-pictures"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, path("two.html") + ": 2 tables\n");
  EXPECT_THAT(read("two.html"), HasSubstr("<article id=\"t1\""));
  EXPECT_THAT(read("two.html"), ::testing::Not(HasSubstr("class=\"thumb")));
}

TEST_F(Report, RefusesWhatItCannotReadOrWrite) {
  expect_refusal(subspace({"report", path("results.json"), "--out", path("r.pdf")}), 2, "r.pdf",
                 "must be one of .html, .md, .csv, .tex");
  expect_refusal(subspace({"report", path("absent.json"), "--out", path("r.md")}), 3, "absent.json",
                 "cannot be read");
  expect_refusal(subspace({"report", write("broken.json", "{"), "--out", path("r.md")}), 3,
                 "broken.json", "not the results of a table");
  expect_refusal(subspace({"report", path("results.json"), "--out", path("no/such/r.md")}), 3,
                 "no/such");
  expect_refusal(subspace({"report", "--out", path("r.md")}), 2);
  expect_refusal(subspace({"report", path("results.json")}), 2);
  EXPECT_FALSE(exists("r.md"));
}

}  // namespace
}  // namespace subspace::testing
