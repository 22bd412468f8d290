// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include <subspace/datasets/load.h>
#include <subspace/datasets/save.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/results.h>

#include "program.h"

namespace subspace::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using pipelines::RowState;
using pipelines::TableResults;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kTop[] = "data = \"x.npy\"\ntruth = \"y.npy\"\nclusters = 3\nseeds = 2\n";
constexpr char kRows[] =
    "[[row]]\nname = \"k-means\"\nmethod = \"kmeans\"\n"
    "[[row]]\nname = \"spectral, 5-NN\"\nmethod = \"spectral\"\n"
    "[[row]]\nname = \"EnSC\"\nmethod = \"ensc\"\n";

bool learns_here() { return !pipelines::feature_learners().empty(); }

class TableCommand : public ProgramTest {
 protected:
  void SetUp() override {
    write_union();
    recipe_ = write("small.toml", std::string(kTop) + kRows);
  }
  Finished table(const Arguments& more = {}) const { return table_of(recipe_, more); }
  Finished table_of(const std::string& recipe, const Arguments& more = {}) const {
    Arguments arguments = {"table", recipe, "--out", path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return subspace(arguments);
  }
  TableResults results() const { return pipelines::read_results(path("out")); }

  std::string recipe_;
};

TEST_F(TableCommand, WithoutArgumentsListsTheRecipes) {
  const Finished list = subspace({"table"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, AllOf(HasSubstr("turntable\n"), HasSubstr("rotating stage")));
}

TEST_F(TableCommand, RunsARecipeAndLeavesItsReports) {
  const Finished run = table();
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("label-free"), HasSubstr("k-means"), HasSubstr("EnSC"),
                             HasSubstr(path("out/report.html"))));
  EXPECT_THAT(run.err, AllOf(HasSubstr("to run"), HasSubstr("EnSC, seed 1: error 0.00 %")));
  EXPECT_THAT(run.out + run.err, AllOf(Not(HasSubstr("\r")), Not(HasSubstr("\033"))));
  for (const char* name :
       {"results.json", "report.html", "report.md", "results.csv", "table.tex"}) {
    EXPECT_TRUE(exists(std::string("out/") + name)) << name;
  }
  const TableResults kept = results();
  ASSERT_EQ(kept.rows.size(), 3U);
  for (const auto& row : kept.rows) {
    EXPECT_EQ(row.state, RowState::kDone);
    EXPECT_EQ(row.cells.size(), 2U);
  }
  EXPECT_EQ(kept.rows[2].cells[0].record.metrics->acc, 1.0);
}

TEST_F(TableCommand, TheCommandOfACellDoesTheSameAgain) {
  ASSERT_EQ(table({"--methods", "k-means", "-q"}).code, 0);
  const pipelines::Cell cell = results().rows[0].cells[1];
  ASSERT_THAT(cell.command, ::testing::StartsWith("subspace cluster"));
  const Finished again = run_program(
      "sh", {"-c", SUBSPACE_PROGRAM + cell.command.substr(8) + " -q --out " + path("labels.npy")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(datasets::load_labels(path("labels.npy")), cell.record.outcome.labels);
}

TEST_F(TableCommand, TheCommandOfTheTableIsKeptForAShell) {
  const std::string odd = write("it's small.toml", std::string(kTop) + kRows);
  ASSERT_EQ(table_of(odd, {"-q", "--methods", "EnSC"}).code, 0);
  EXPECT_THAT(results().command, HasSubstr("'\\''s small.toml' --out "));
}

TEST_F(TableCommand, QuietSaysNothing) {
  const Finished run = table({"-q"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_TRUE(exists("out/report.html"));
}

TEST_F(TableCommand, ResultsAreOnlyTouchedWithResume) {
  ASSERT_EQ(table({"--methods", "EnSC", "-q"}).code, 0);
  const std::string before = read("out/results.json");
  expect_refusal(table(), 2, "--resume", path("out"));
  EXPECT_EQ(read("out/results.json"), before);
  const Finished more = table({"--resume", "--seeds", "3"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(more.err, Not(HasSubstr("EnSC, seed 0")));
  EXPECT_THAT(more.err, HasSubstr("EnSC, seed 2"));
}

TEST_F(TableCommand, FilesOfTheUserAreLeftAlone) {
  fs::create_directories(path("out"));
  for (const char* name : {"report.html", "report.md", "results.csv", "table.tex"}) {
    const std::string file = write(std::string("out/") + name, "mine");
    expect_refusal(table(), 2, name, path("out"));
    expect_refusal(table({"--resume"}), 2, name);
    expect_refusal(subspace({"demo", "--out", path("out")}), 2, name);
    EXPECT_EQ(read(std::string("out/") + name), "mine");
    fs::remove(file);
  }
  for (const char* foreign : {"{\"name\": 5}", "[1, 2]", "my own results"}) {
    write("out/results.json", foreign);
    expect_refusal(table(), 2, "results.json");
    expect_refusal(table({"--resume"}), 2, "results.json: not the results of a table");
    expect_refusal(subspace({"demo", "--out", path("out")}), 2, "not the results of a table");
    EXPECT_EQ(read("out/results.json"), foreign);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out")), {}), 1) << "nothing was made";
}

TEST_F(TableCommand, LabelsMadeElsewhereAreOneSeedWithoutATime) {
  const std::string recipe =
      write("theirs.toml", std::string(kTop) + "[[row]]\nname = \"theirs\"\nlabels = \"y.npy\"\n");
  const Finished run = table_of(recipe);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("theirs, seed 0: error 0.00 %\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("seed 1")));
  EXPECT_EQ(results().rows[0].cells.size(), 1U);
}

TEST_F(TableCommand, TheCommandOfALearnedCellNamesThreadsAndDevice) {
  if (!learns_here()) GTEST_SKIP() << "no LibTorch in this build";
  write_pictures("pictures", 2, 6);
  const std::string recipe =
      write("learned.toml",
            "data = \"pictures\"\nclusters = 2\n[[row]]\nname = \"tcr\"\nmethod = \"tcr+kmeans\"\n"
            "[row.set.tcr]\nsteps = 2\nbackbone = \"resnet10\"\nfilters = 4\nhidden = 32\n"
            "features = 8\n");
  ASSERT_EQ(table_of(recipe, {"-q", "--threads", "1", "--device", "cpu"}).code, 0);
  const pipelines::Cell cell = results().rows[0].cells[0];
  EXPECT_THAT(cell.command, HasSubstr(" --threads 1 --device cpu --seed 0"));
  const Finished again = run_program(
      "sh", {"-c", SUBSPACE_PROGRAM + cell.command.substr(8) + " -q --out " + path("labels.npy")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(datasets::load_labels(path("labels.npy")), cell.record.outcome.labels);
}

TEST_F(TableCommand, NamesOfRowsMayHoldCommas) {
  ASSERT_EQ(table({"--methods", "EnSC,spectral, 5-NN", "-q"}).code, 0);
  const TableResults kept = results();
  ASSERT_EQ(kept.rows.size(), 2U);
  EXPECT_EQ(kept.rows[0].name, "spectral, 5-NN");
  EXPECT_EQ(kept.rows[1].name, "EnSC");
}

TEST_F(TableCommand, WrongWordsAreUsageErrors) {
  expect_refusal(table_of(write("key.toml", std::string(kTop) + "sedes = 3\n" + kRows)), 2,
                 "key.toml: unknown key 'sedes'; did you mean 'seeds'?");
  expect_refusal(table({"--protocol", "paperr"}), 2, "--protocol", "label-free");
  expect_refusal(table({"--protocol", "paper"}), 2, "no such row under protocol paper");
  expect_refusal(table({"--methods", "enscc"}), 2, "did you mean 'ensc'?");
  for (const char* budget : {"soon", "-3m", "0s", "5 parsecs", "m"}) {
    expect_refusal(table({"--budget", budget}), 2, "--budget");
  }
  expect_refusal(table({"--seeds", "0"}), 2, "--seeds = 0, must satisfy 1 <= seeds <= 100000");
  expect_refusal(table({"--seeds", "few"}), 2, "--seeds = 'few'");
  expect_refusal(table({"--first-seed=-1"}), 2,
                 "--first-seed = -1, must satisfy 0 <= first_seed <= 100000");
  EXPECT_FALSE(exists("out"));
}

TEST_F(TableCommand, MissingFilesAreBadData) {
  expect_refusal(table_of(path("absent.toml")), 3, "absent.toml: no such file");
  fs::remove(path("y.npy"));
  expect_refusal(table(), 3, "y.npy: no such file");
  fs::remove(path("x.npy"));
  expect_refusal(table(), 3, "x.npy: no such file");
}

TEST_F(TableCommand, AFailedRowIsToldAndTheRestIsWritten) {
  const std::string recipe = write("partly.toml", std::string(kTop) + kRows +
                                                      "[[row]]\nname = \"theirs\"\n"
                                                      "labels = \"absent.npy\"\n");
  const Finished run = table_of(recipe);
  EXPECT_EQ(run.code, 4);
  EXPECT_THAT(run.err, AllOf(HasSubstr("row theirs failed"), HasSubstr("absent.npy")));
  EXPECT_THAT(run.out, AllOf(HasSubstr("failed: "), Not(HasSubstr(" \n")),
                             Not(HasSubstr(std::string(60, ' ')))));
  EXPECT_EQ(results().rows.back().state, RowState::kFailed);
  EXPECT_EQ(results().rows.front().state, RowState::kDone);
}

TEST_F(TableCommand, ADeviceThatIsNotThereIsRefusedBeforeAnythingIsMade) {
  if (!learns_here()) GTEST_SKIP() << "no LibTorch in this build";
  write_pictures("pictures", 2, 6);
  const std::string recipe =
      write("learned.toml",
            "data = \"pictures\"\nclusters = 2\n"
            "[[row]]\nname = \"NMCE\"\nmethod = \"nmce\"\nset = {\"tcr.steps\" = 2}\n"
            "[[row]]\nname = \"k-means\"\nmethod = \"kmeans\"\n");
  // A number that no machine has.
  const Finished run = table_of(recipe, {"--device", "cuda:99"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("cuda:99"));
  EXPECT_FALSE(fs::exists(path("out")));
  // Rows that do not learn need no device.
  EXPECT_EQ(table_of(recipe, {"--device", "cuda:99", "--methods", "kmeans"}).code, 0);
}

TEST_F(TableCommand, ABudgetThatIsUsedUpIsNoError) {
  const Finished run = table({"--budget", "0.000001s"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("not run: the budget of time was used up"));
  EXPECT_EQ(table({"--resume", "-q"}).code, 0);
  for (const auto& row : results().rows) EXPECT_EQ(row.state, RowState::kDone);
}

TEST_F(TableCommand, TwoProgramsDoNotShareAFolder) {
  const std::string endless =
      write("small.toml", std::string(kTop) +
                              "[[row]]\nname = \"endless\"\nmethod = \"kmeans\"\n"
                              "set = {restarts = 1000000000, tolerance = 0}\n");
  Process first(SUBSPACE_PROGRAM, {"table", endless, "--out", path("out"), "--progress", "json"});
  while (first.error_so_far().find("progress") == std::string::npos && first.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // A budget, so that a second run that is not refused ends.
  expect_refusal(table({"--resume", "--budget", "1s"}), 2, "another process works in it");
}

TEST_F(TableCommand, AnInterruptIsResumed) {
  Process process(SUBSPACE_PROGRAM, {"table", recipe_, "--out", path("out"), "--seeds", "5000"});
  while (process.error_so_far().find("k-means, seed 1:") == std::string::npos &&
         process.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  process.send(SIGINT);
  const Finished stopped = process.wait();
  EXPECT_EQ(stopped.code, 130);
  EXPECT_THAT(stopped.err, ::testing::EndsWith("subspace: error: interrupted\n"));
  const auto begun = std::distance(fs::directory_iterator(path("out/cells")), {});
  EXPECT_GE(begun, 2);
  const Finished resumed = table({"--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("k-means, seed")));
  for (const auto& row : results().rows) EXPECT_EQ(row.state, RowState::kDone);
}

/// A disk of its own with little room.
class SmallDisk {
 public:
  SmallDisk(std::string folder, const std::string& size) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    if (geteuid() != 0) return;
    mounted_ =
        run_program("mount", {"-t", "tmpfs", "-o", "size=" + size, "none", folder_}).code == 0;
  }
  ~SmallDisk() {
    if (mounted_) run_program("umount", {folder_});
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  void grow(const std::string& size) const {
    EXPECT_EQ(run_program("mount", {"-o", "remount,size=" + size, folder_}).code, 0);
  }

 private:
  std::string folder_;
  bool mounted_ = false;
};

/// No file is half there, and none was left lying about.
void expect_whole_files(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& file = entry.path();
    EXPECT_THAT(file.filename().string(), Not(HasSubstr(".tmp-")));
    if (file.extension() != ".json") continue;
    std::ifstream in(file);
    EXPECT_TRUE(Json::accept(in)) << file;
  }
}

TEST_F(TableCommand, AFullDiskIsSaidAndLeavesWholeFilesOnly) {
  const SmallDisk disk(path("disk"), "28k");
  if (!disk.mounted()) GTEST_SKIP() << "no small disk can be mounted here, which takes root";
  const Arguments run = {"table", recipe_, "--out", path("disk/out"), "--resume", "-q"};
  expect_refusal(subspace(run), 3, "cannot write", "No space left");
  expect_whole_files(path("disk/out"));
  disk.grow("16m");
  const Finished resumed = subspace(run);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  for (const auto& row : pipelines::read_results(path("disk/out")).rows) {
    EXPECT_EQ(row.state, RowState::kDone);
  }
}

}  // namespace
}  // namespace subspace::testing
