// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Needs real data sets under $SUBSPACE_DATA_DIR, each test its own; see docs/data.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <subspace/datasets/registry.h>
#include <subspace/datasets/sha256.h>

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

/// The set, or nothing where its files are not there; the caller then skips.
std::optional<Dataset> open(const std::string& name) {
  const char* folder = std::getenv("SUBSPACE_DATA_DIR");
  if (folder == nullptr) return std::nullopt;
  try {
    return Dataset(*parse_dataset_name(name), dataset_folders(folder));
  } catch (const IoError&) {
    return std::nullopt;
  }
}

class RealSetTest : public ::testing::TestWithParam<const char*> {};

/// Counts, shapes, class sizes and the hash of all decoded values.
TEST_P(RealSetTest, IsWhatTheRegistrySays) {
  const auto set = open(GetParam());
  if (!set) GTEST_SKIP() << GetParam() << " is not there";
  EXPECT_TRUE(set->verify().hash_known);
}

INSTANTIATE_TEST_SUITE_P(Sets, RealSetTest,
                         ::testing::Values("coil20", "coil100", "yaleb", "mnist", "mnist-train",
                                           "mnist-test", "fashion-mnist", "cifar10-test",
                                           "hopkins155"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(RealSets, Coil20MatIsTheBlockMeanOfThePictures) {
  const auto set = open("coil20@32");
  if (!set) GTEST_SKIP() << "coil20 is not there";
  const fs::path mat = set->files().front().parent_path() / "COIL20.mat";
  if (!fs::exists(mat) || set->files().front() == mat) GTEST_SKIP() << "needs .zip and .mat";
  const Matrix pictures = set->load_points().X;
  const Matrix columns_first = load_points(mat).X;
  ASSERT_EQ(columns_first.cols(), pictures.cols());
  for (Index j = 0; j < pictures.cols(); ++j) {
    const Matrix picture = columns_first.col(j).reshaped(32, 32);
    ASSERT_EQ(picture, pictures.col(j).reshaped<Eigen::RowMajor>(32, 32)) << "picture " << j;
  }
}

TEST(RealSets, SequencesOfHopkins155HaveTheirShapes) {
  const auto set = open("hopkins155/1R2RC");
  if (!set) GTEST_SKIP() << "hopkins155 is not there";
  EXPECT_EQ(set->items().size(), 155U);
  const PointSet points = set->load_points();
  EXPECT_EQ(points.X.rows(), 2 * 29);
  EXPECT_EQ(points.X.cols(), 459);
  EXPECT_EQ(set->load_labels().size(), 459U);
}

}  // namespace
}  // namespace subspace::datasets
