// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/save.h>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include <subspace/datasets/load.h>
#include <subspace/datasets/sha256.h>

#include "datasets/files.h"

namespace subspace::datasets {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SaveTest, LabelsRoundTripInEveryFormat) {
  const TempFolder folder;
  const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  for (const Labels& labels :
       {Labels{7}, Labels{0, 1, 1, 0}, Labels{least, -1, 0, most}, Labels(1000, 3)}) {
    for (const std::string name : {"y.npy", "y.csv", "y.txt"}) {
      save_labels(folder.path(name), labels);
      EXPECT_EQ(load_labels(folder.path(name)), labels);
    }
  }
}

TEST(SaveTest, PointsRoundTripAlsoFromABlock) {
  const TempFolder folder;
  const Matrix whole = Matrix::Random(7, 9);
  for (const ConstMatrixRef& X : {ConstMatrixRef(whole), ConstMatrixRef(whole.block(1, 2, 4, 5))}) {
    save_points(folder.path("x.npy"), X);
    EXPECT_EQ(load_points(folder.path("x.npy")).X, X);
  }
}

// Byte for byte what numpy.save writes for np.array([5, -1], dtype=np.int32).
TEST(SaveTest, TheHeaderIsNumpysOwn) {
  const TempFolder folder;
  save_labels(folder.path("y.npy"), {5, -1});
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  EXPECT_EQ(content(folder.path("y.npy")),
            npy_file(header + "\n", raw(std::vector<std::int32_t>{5, -1})));
}

TEST(SaveTest, ThePayloadIsTheHashedContent) {
  const TempFolder folder;
  const Matrix X = Matrix::Random(3, 4);
  save_points(folder.path("x.npy"), X);
  const std::string payload = content(folder.path("x.npy")).substr(128);
  EXPECT_EQ(sha256(std::as_bytes(std::span(payload))), content_sha256(X));
}

TEST(SaveTest, OtherExtensionsAndFoldersAreRefused) {
  const TempFolder folder;
  EXPECT_THROW(save_labels(folder.path("y.mat"), {1}), InvalidArgument);
  EXPECT_THROW(save_points(folder.path("x.csv"), Matrix::Ones(2, 2)), InvalidArgument);
  EXPECT_THROW(save_labels(folder.path("no/such/y.npy"), {1}), IoError);
}

}  // namespace
}  // namespace subspace::datasets
