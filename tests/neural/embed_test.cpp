// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/embed.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;
using testing::kSmallShape;
using testing::ScratchFolder;
using ::testing::SizeIs;
using testing::small_images;
using testing::small_options;
using testing::small_train;
using ::testing::ThrowsMessage;
using testing::write_bytes;

TEST(Embed, FeaturesAreUnitColumnsAndTheirOwn) {
  const ScratchFolder scratch;
  small_train(scratch / "run");
  const Matrix X = small_images();
  const Features features =
      embed(X, kSmallShape, scratch / "run", {.device = "cpu"}, {.num_threads = 1});
  EXPECT_EQ(features.step, 6);
  ASSERT_EQ(features.Z.rows(), 4);
  ASSERT_EQ(features.Z.cols(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) EXPECT_NEAR(features.Z.col(j).norm(), 1.0, 1e-14);
  const Features alone =
      embed(X.col(5), kSmallShape, scratch / "run", {.device = "cpu"}, {.num_threads = 1});
  EXPECT_LT((alone.Z - features.Z.col(5)).norm(), 1e-5);
  const Features again =
      embed(X, kSmallShape, scratch / "run", {.device = "cpu"}, {.num_threads = 1});
  EXPECT_EQ(features.Z, again.Z);
}

TEST(Embed, ColourImagesHaveFeaturesToo) {
  const ScratchFolder scratch;
  const ImageShape colour = {.channels = 3, .height = 12, .width = 10};
  const Matrix X = small_images().replicate(3, 1);
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  train(X, colour, small_options(2), run);
  EXPECT_EQ(embed(X, colour, scratch / "run", {.device = "cpu"}).Z.cols(), 24);
}

TEST(Embed, SaysThatItWentBack) {
  const ScratchFolder scratch;
  write_bytes(small_train(scratch / "run").checkpoint, "rubbish");
  const Features features = embed(small_images(), kSmallShape, scratch / "run", {.device = "cpu"});
  EXPECT_EQ(features.step, 4);
  ASSERT_THAT(features.warnings, SizeIs(1));
  EXPECT_THAT(features.warnings[0], HasSubstr("went back to"));
}

TEST(Embed, RefusesOtherShapesEmptyFoldersAndAbsentDevices) {
  const ScratchFolder scratch;
  small_train(scratch / "run", small_options(1));
  EXPECT_THAT(
      [&] {
        embed(small_images(), {1, 10, 12}, scratch / "run");
      },
      ThrowsMessage<DataError>(HasSubstr("the network was trained on 1 x 12 x 10")));
  EXPECT_THAT([&] { embed(small_images(), kSmallShape, scratch / "none"); },
              ThrowsMessage<IoError>(HasSubstr("holds no checkpoint")));
  EXPECT_THROW(embed(small_images(), kSmallShape, scratch / "run", {.device = "cuda:99"}),
               InvalidArgument);
}

}  // namespace
}  // namespace subspace::neural
