// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/cluster_job.h>

#include <unistd.h>

#include <fstream>

#include <subspace/core/error.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/diagnostics/linearity.h>

#include "expect_error.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using ::subspace::testing::message_of;
using ::testing::HasSubstr;

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "subspace-outputs-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Outputs, NothingAskedForIsFine) { EXPECT_NO_THROW(check_outputs({})); }

/// Room for the run, but not for the graph of a class of 390 points.
TEST_F(Outputs, ARunIsWrittenThoughItsCoefficientsCannotBeCompared) {
  const datasets::Generated data = datasets::union_of_subspaces(
      {.num_subspaces = 2, .dimension = 3, .ambient = 20, .points_per_subspace = 200, .seed = 1});
  Labels truth(390, 0);
  truth.resize(400, 1);
  datasets::save_points(path("x.npy"), data.points.X);
  datasets::save_labels(path("y.npy"), truth);
  RunSettings settings = {.input = path("x.npy"), .clusters = 2, .method = "lsr"};
  settings.truth = path("y.npy");
  settings.out = path("labels.npy");
  const Record record = cluster_input(settings, {.num_threads = 2, .max_memory = 10'000'000});
  write_outputs(settings, record);
  EXPECT_TRUE(fs::exists(settings.out));
  EXPECT_TRUE(record.metrics);
  EXPECT_FALSE(record.coefficients);
  EXPECT_THAT(record.outcome.warnings,
              ::testing::Contains(HasSubstr("coefficients not compared with the truth: "
                                            "class_connectivity: needs about")));
}

/// Of lengths that differ, so that more is looked at than these.
Matrix points_of_many_lengths() {
  Matrix X = datasets::union_of_subspaces({.num_subspaces = 6,
                                           .dimension = 4,
                                           .ambient = 50,
                                           .points_per_subspace = 100,
                                           .seed = 1})
                 .points.X;
  for (Index j = 0; j < X.cols(); ++j) X.col(j) *= 1.0 + 0.001 * static_cast<double>(j);
  return X;
}

/// What is predicted for the run is enough for its labels, whatever is looked at behind them.
TEST_F(Outputs, ARunIsWrittenThoughItsPointsCannotBeLookedAt) {
  datasets::save_points(path("x.npy"), points_of_many_lengths());
  RunSettings settings = {.input = path("x.npy"), .clusters = 6, .method = "ssc-omp"};
  settings.out = path("labels.npy");
  const Record free = cluster_input(settings, {.num_threads = 1});
  const Record record = cluster_input(settings, {.num_threads = 1, .max_memory = 1'230'000});
  write_outputs(settings, record);
  EXPECT_TRUE(fs::exists(settings.out));
  const auto said = ::testing::Contains(HasSubstr("not looked at whether linear subspaces suit"));
  EXPECT_THAT(record.outcome.warnings, said);
  EXPECT_THAT(free.outcome.warnings, ::testing::Not(said));
}

/// The least that is enough for the points alone is not enough beside those that were loaded and
/// their coefficients.
TEST_F(Outputs, WhatIsLookedAtBehindARunIsToldWhatTheRunKeeps) {
  const Matrix X = points_of_many_lengths();
  datasets::save_points(path("x.npy"), X);
  std::int64_t least = 1;
  for (std::int64_t step = 1 << 24; step > 0; step /= 2) {
    try {
      check_linearity(X, {}, {.num_threads = 1, .max_memory = least + step});
    } catch (const ResourceError&) {
      least += step;
    }
  }
  const RunSettings settings = {.input = path("x.npy"), .clusters = 6, .method = "ssc-omp"};
  const auto warnings = [&](std::int64_t limit) {
    return cluster_input(settings, {.num_threads = 1, .max_memory = limit}).outcome.warnings;
  };
  const auto said = ::testing::Contains(HasSubstr("not looked at whether linear subspaces suit"));
  const std::int64_t bytes = 8 * X.size();
  EXPECT_THAT(warnings(least + bytes), said);
  EXPECT_THAT(warnings(least + 2 * bytes), ::testing::Not(said));
}

TEST_F(Outputs, WritableFolderIsFineAndNothingIsWritten) {
  RunSettings settings;
  settings.out = path("labels.npy");
  settings.json = path("record.json");
  EXPECT_NO_THROW(check_outputs(settings));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Outputs, MissingFolderIsRefused) {
  RunSettings settings;
  settings.out = path("absent/labels.npy");
  EXPECT_THAT(message_of<IoError>([&] { check_outputs(settings); }),
              HasSubstr("there is no folder"));
}

TEST_F(Outputs, FolderInPlaceOfFileIsRefused) {
  RunSettings settings;
  settings.json = folder_.string();
  EXPECT_THAT(message_of<IoError>([&] { check_outputs(settings); }), HasSubstr("is a folder"));
}

TEST_F(Outputs, FolderWithoutPermissionIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  RunSettings settings;
  settings.out = path("labels.npy");
  EXPECT_THAT(message_of<IoError>([&] { check_outputs(settings); }), HasSubstr("is not writable"));
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(Outputs, OnePathForTwoFilesIsRefusedHoweverSpelled) {
  RunSettings settings;
  settings.out = path("a.csv");
  settings.json = path("./a.csv");
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("is also --out"));
}

TEST_F(Outputs, InputAndTruthAreNotOverwritten) {
  RunSettings settings;
  settings.input = path("x.csv");
  settings.out = path("x.csv");
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("is also INPUT"));
  settings.out.clear();
  settings.truth = path("y.json");
  settings.json = path("y.json");
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("is also --truth"));
}

TEST_F(Outputs, FilesGoByTheNamesOfTheCommand) {
  RunSettings settings;
  settings.truth = path("y.json");
  settings.json = path("y.json");
  EXPECT_THAT(message_of<InvalidArgument>(
                  [&] { check_outputs(settings, {.input = "LABELS", .truth = "TRUTH"}); }),
              HasSubstr("is also TRUTH,"));
}

TEST_F(Outputs, InputFoundUnderTheDataFolderIsNotOverwritten) {
  std::ofstream(path("x.csv")) << "1,2\n";
  RunSettings settings;
  settings.input = "x.csv";
  settings.data_dir = folder_.string();
  settings.out = path("x.csv");
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("is also INPUT"));
}

TEST_F(Outputs, RelativeNamesOfNewFilesAreComparedToo) {
  RunSettings settings;
  settings.out = "subspace-no-such-file.csv";
  settings.json = "./subspace-no-such-file.csv";
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("is also --out"));
}

TEST_F(Outputs, FormatThatCannotBeWrittenIsRefused) {
  RunSettings settings;
  settings.out = path("labels.xlsx");
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_outputs(settings); }),
              HasSubstr("must end in .npy, .csv or .txt"));
}

}  // namespace
}  // namespace subspace::pipelines
