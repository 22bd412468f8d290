// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/input.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <subspace/core/error.h>

#include "support/message_of.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class InputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "x.csv") << "1,2,0\n3,4,1\n";
    std::ofstream(folder_ / "named.csv") << "a,b,label\n1,2,0\n3,4,1\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::temp_directory_path() / ("subspace-input-" + std::to_string(::getpid()));
};

TEST_F(InputTest, FilesAreFoundAsGivenThenUnderTheDataFolder) {
  EXPECT_THAT(Input((folder_ / "x.csv").string(), "").files(), ElementsAre(folder_ / "x.csv"));
  EXPECT_THAT(Input("x.csv", folder_.string()).files(), ElementsAre(folder_ / "x.csv"));
  EXPECT_THAT(message_of<IoError>([&] { Input("z.csv", folder_.string()); }),
              HasSubstr("nor under " + folder_.string()));
  EXPECT_THAT(message_of<IoError>([] { Input("z.csv", ""); }),
              HasSubstr("z.csv: no such file, nor a data set"));
}

TEST_F(InputTest, RegisteredNamesAreLookedUp) {
  EXPECT_THAT(message_of<IoError>([] { Input("coli20@32", ""); }),
              HasSubstr("did you mean coil20?"));
  EXPECT_THAT(message_of<IoError>([&] { Input("coil20@32", folder_.string()); }),
              HasSubstr("coil20@32: not found"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { Input("coil20@big", folder_.string()); }),
              HasSubstr("size of coil20 = big"));
}

TEST_F(InputTest, TheBuiltInSetNeedsNoFile) {
  const Input input("turntable@8", "");
  EXPECT_TRUE(input.files().empty());
  EXPECT_EQ(input.source(), "turntable@8");
  const auto points = input.load_points({}, {});
  EXPECT_EQ(points.X.cols(), 1440);
  EXPECT_EQ(points.X.rows(), 64);
  EXPECT_TRUE(input.may_carry_labels(points.X.rows()));
  EXPECT_EQ(input.load_labels({}, {}).size(), 1440U);
  EXPECT_THAT(message_of<InvalidArgument>([&] { input.label_name({.y = "gnd"}); }),
              HasSubstr("knows its labels"));
}

TEST_F(InputTest, LabelsOfFiles) {
  const Input named((folder_ / "named.csv").string(), "");
  EXPECT_TRUE(named.may_carry_labels(2));
  EXPECT_EQ(named.label_name({}), "label");
  EXPECT_THAT(named.load_labels({}, {}), ElementsAre(0, 1));
  EXPECT_FALSE(named.may_carry_labels(1)) << "a table of one column is the points";
}

}  // namespace
}  // namespace subspace::pipelines
