// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <subspace/core/error.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/figures.h>

#include "support/message_of.h"

namespace subspace::pipelines {
namespace {

using datasets::ImageShape;
using subspace::testing::message_of;
using ::testing::HasSubstr;

/// The sheet as the reader of .png files sees it, in colour: values in [0, 1].
datasets::PointSet decoded(const ThumbnailSheet& sheet) {
  // One of its own for each test, for these run at the same time.
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / message("thumbnails-", test->name());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sheet.png", std::ios::binary) << sheet.png;
  datasets::PointSet set = datasets::load_points(folder, {.color = true});
  std::filesystem::remove_all(folder);
  return set;
}

TEST(Thumbnails, OfConstantPicturesAreConstant) {
  const Matrix X = (Matrix(1, 3) << 0.0, 100.0 / 255.0, 1.0).finished().replicate(40 * 60, 1);
  const ThumbnailSheet sheet = make_thumbnails(X, {1, 40, 60});
  EXPECT_EQ(sheet.count, 3);
  EXPECT_EQ(sheet.columns, 2);
  EXPECT_EQ(sheet.width, 32);
  EXPECT_EQ(sheet.height, 21);
  const datasets::PointSet set = decoded(sheet);
  ASSERT_EQ(set.image->height, 2 * 21);
  ASSERT_EQ(set.image->width, 2 * 32);
  const auto expect_constant = [&](int row, int column, double value) {
    for (int y = 0; y < 21; ++y) {
      for (int x = 0; x < 32; ++x) {
        ASSERT_NEAR(set.X((21 * row + y) * 64 + 32 * column + x, 0), value, 1e-12);
      }
    }
  };
  expect_constant(0, 0, 0.0);
  expect_constant(0, 1, 100.0 / 255.0);
  expect_constant(1, 0, 1.0);
}

TEST(Thumbnails, AreTheMeansOfBlocks) {
  // 4 x 4 to 2 x 2, in colour: each channel has its own picture.
  Matrix X = Matrix::Zero(48, 1);
  X(0, 0) = 1.0;        // red, top left
  X(16 + 3, 0) = 0.8;   // green, top right
  X(32 + 15, 0) = 0.4;  // blue, bottom right
  const ThumbnailSheet sheet = make_thumbnails(X, {3, 4, 4}, 2);
  const datasets::PointSet set = decoded(sheet);
  ASSERT_EQ(set.image, (ImageShape{3, 2, 2}));
  Vector expected = Vector::Zero(12);
  expected[0] = 64.0;
  expected[4 + 1] = 51.0;
  expected[8 + 3] = 26.0;
  EXPECT_LT((255.0 * set.X.col(0) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Thumbnails, OfSmallPicturesAreThePicturesThemselves) {
  Matrix X(6, 2);
  X << 0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11;
  const ThumbnailSheet sheet = make_thumbnails(X / 255.0, {1, 2, 3});
  EXPECT_EQ(sheet.width, 3);
  EXPECT_EQ(sheet.height, 2);
  EXPECT_EQ(sheet.columns, 2);
  const Vector found = 255.0 * decoded(sheet).X.col(0).head(12);
  EXPECT_LT((found - (Vector(12) << 0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11).finished()).norm(), 1e-9);
}

TEST(Thumbnails, OtherRangesAreStretched) {
  const Matrix X = (Matrix(1, 3) << -3.0, 0.0, 7.0).finished();
  const Vector found = 255.0 * decoded(make_thumbnails(X, {1, 1, 1})).X.col(0).head(3);
  EXPECT_NEAR(found[0], 0.0, 1e-9);
  EXPECT_NEAR(found[1], 77.0, 1e-9);
  EXPECT_NEAR(found[2], 255.0, 1e-9);
  const Matrix huge = (Matrix(1, 2) << -1.5e308, 1.5e308).finished();
  EXPECT_NEAR(decoded(make_thumbnails(huge, {1, 1, 1})).X(1, 0), 1.0, 1e-12);
  EXPECT_NEAR(255.0 * decoded(make_thumbnails(Matrix::Constant(1, 1, 5.0), {1, 1, 1})).X(0, 0),
              128.0, 1e-9);
}

TEST(Thumbnails, OfVeryManyPicturesAreSmallerThenFewer) {
  const ImageShape shape = {1, 1, 40};  // narrow, so that the test is quick
  const auto sheet_of = [&](Index count) {
    return make_thumbnails(Matrix::Zero(40, count), shape);
  };
  EXPECT_EQ(sheet_of(10000).width, 32);
  EXPECT_EQ(sheet_of(20000).width, 22);
  EXPECT_EQ(sheet_of(70000).width, 12);
  EXPECT_EQ(sheet_of(70000).count, 70000);
  EXPECT_EQ(sheet_of(80000).width, 12);
  EXPECT_EQ(sheet_of(80000).count, 71111);
  const ThumbnailSheet none = sheet_of(0);
  EXPECT_EQ(none.count, 0);
  EXPECT_EQ(none.png, "");
}

TEST(Thumbnails, ShapesThatDoNotFitAreRefused) {
  EXPECT_THAT(message_of<InvalidArgument>([] {
                make_thumbnails(Matrix::Zero(5, 2), {1, 2, 3});
              }),
              HasSubstr("points of 5 values for pictures of 2 x 3 x 1, must be as many"));
  EXPECT_THAT(message_of<InvalidArgument>([] {
                make_thumbnails(Matrix::Zero(8, 2), {2, 2, 2});
              }),
              HasSubstr("channels = 2, must be 1 or 3"));
  EXPECT_THAT(message_of<InvalidArgument>([] {
                make_thumbnails(Matrix::Zero(4, 2), {1, 2, 2}, 0);
              }),
              HasSubstr("longest_side = 0, must satisfy 1 <= longest_side"));
}

}  // namespace
}  // namespace subspace::pipelines
