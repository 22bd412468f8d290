// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Needs the file coil20/COIL20.mat under $SUBSPACE_DATA_DIR: fea 1440 x 1024, gnd 1440 x 1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <subspace/datasets/load.h>

namespace subspace::datasets {
namespace {

TEST(Coil20Test, LoadsPointsAndTruthOfTheMatFile) {
  const char* folder = std::getenv("SUBSPACE_DATA_DIR");
  if (folder == nullptr) GTEST_SKIP() << "SUBSPACE_DATA_DIR is not set";
  const auto path = std::filesystem::path(folder) / "coil20" / "COIL20.mat";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";

  const PointSet set = load_points(path);
  EXPECT_EQ(set.variable, "fea");
  EXPECT_EQ(set.name, "COIL20");
  ASSERT_EQ(set.X.rows(), 1024);
  ASSERT_EQ(set.X.cols(), 1440);
  EXPECT_GE(set.X.minCoeff(), 0.0);
  EXPECT_LE(set.X.maxCoeff(), 1.0);

  const Labels truth = load_labels(path);
  ASSERT_EQ(truth.size(), 1440U);
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_EQ(truth[i], static_cast<int>(i / 72) + 1);
}

}  // namespace
}  // namespace subspace::datasets
