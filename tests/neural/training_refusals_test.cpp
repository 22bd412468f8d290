// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/training.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <subspace/core/error.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using testing::bytes_of;
using ::testing::HasSubstr;
using testing::kSmallShape;
using testing::ScratchFolder;
using testing::small_images;
using testing::small_options;
using testing::small_train;
using ::testing::ThrowsMessage;
using testing::write_bytes;

TEST(Train, AFolderInUseIsNotOverwritten) {
  const ScratchFolder scratch;
  const auto result = small_train(scratch / "run");
  const std::string bytes = bytes_of(result.checkpoint);
  EXPECT_THAT([&] { small_train(scratch / "run"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("already holds a checkpoint")));
  EXPECT_EQ(bytes_of(result.checkpoint), bytes);
}

TEST(Train, AnotherRunsCheckpointIsRefused) {
  const ScratchFolder scratch;
  const auto result = small_train(scratch / "run");
  const std::string bytes = bytes_of(result.checkpoint);
  TrainingOptions other = small_options();
  other.network.features = 5;
  EXPECT_THAT([&] { small_train(scratch / "run", other, true); },
              ThrowsMessage<InvalidArgument>(HasSubstr("another run: features = 4, not 5")));
  TrainingRun run = {.folder = scratch / "run", .seed = 9, .device = "cpu", .resume = true};
  EXPECT_THAT([&] { train(small_images(), kSmallShape, small_options(), run); },
              ThrowsMessage<InvalidArgument>(HasSubstr("seed = 3, not 9")));
  run.seed = 3;
  const Matrix darker = 0.5 * small_images();
  EXPECT_THAT([&] { train(darker, kSmallShape, small_options(), run); },
              ThrowsMessage<InvalidArgument>(HasSubstr("other images")));
  EXPECT_EQ(bytes_of(result.checkpoint), bytes);
}

TEST(Train, ALossThatIsNotFiniteStopsTheRun) {
  const ScratchFolder scratch;
  TrainingOptions options = small_options();
  options.optimizer.learning_rate = 1e30;
  EXPECT_THAT([&] { small_train(scratch / "run", options); },
              ThrowsMessage<NumericalError>(HasSubstr("train: step 1: the features, and so")));
  EXPECT_FALSE(std::filesystem::exists(scratch / "run" / "checkpoint.zip"));
}

TEST(Train, CollapsedFeaturesStopTheRun) {
  const ScratchFolder scratch;
  TrainingOptions options = small_options();
  options.augmentation = {.flip = 0, .perspective = 0, .brightness = 0, .contrast = 0};
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  const Matrix same = Matrix::Constant(kSmallShape.num_pixels(), 10, 0.25);
  EXPECT_THAT([&] { train(same, kSmallShape, options, run); },
              ThrowsMessage<NumericalError>(HasSubstr("step 5: the features have collapsed")));
  // Features may come out of a collapse, so a longer run waits a while.
  options.steps = 150;
  EXPECT_THAT([&] { train(same, kSmallShape, options, {.folder = scratch / "long"}); },
              ThrowsMessage<NumericalError>(HasSubstr("step 100: the features have collapsed")));
}

TEST(Train, RefusesWhatItCannotTrainOn) {
  const ScratchFolder scratch;
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  const auto with = [&](const Matrix& X) { train(X, kSmallShape, small_options(), run); };
  EXPECT_THAT([&] { with(2.0 * small_images()); },
              ThrowsMessage<DataError>(HasSubstr("train: image 0 has the value 1.")));
  Matrix X = small_images();
  X(5, 7) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { with(X); },
              ThrowsMessage<DataError>("train: image 7 has the value nan, must be in [0, 1]"));
  EXPECT_THAT([&] { with(X.topRows(100)); },
              ThrowsMessage<DataError>(HasSubstr("100 rows are no images of 1 x 12 x 10")));
  EXPECT_THROW(with(X.leftCols(1)), DataError);
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

TEST(Train, RefusesBadOptionsDevicesAndFolders) {
  const ScratchFolder scratch;
  const auto with = [&](const TrainingOptions& options, const TrainingRun& run) {
    train(small_images(), kSmallShape, options, run);
  };
  TrainingOptions options = small_options();
  options.objective.distortion = 0.0;
  EXPECT_THAT([&] { with(options, {.folder = scratch / "run"}); },
              ThrowsMessage<InvalidArgument>("train: distortion = 0, must satisfy distortion > 0"));
  options = small_options();
  options.batch = 1;
  EXPECT_THROW(with(options, {.folder = scratch / "run"}), InvalidArgument);
  options = small_options();
  options.optimizer.schedule_steps = options.steps - 1;
  EXPECT_THAT([&] { with(options, {.folder = scratch / "run"}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("schedule_steps = 5, must be 0 or at least "
                                                       "steps = 6")));
  options = small_options();
  options.network.backbone = Backbone::kMlp;
  options.network.precision = Precision::kBFloat16;
  EXPECT_THAT([&] { with(options, {.folder = scratch / "run"}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("must be float32 for backbone = mlp")));
  EXPECT_THROW(with(small_options(), {}), InvalidArgument);
  EXPECT_THROW(with(small_options(), {.folder = scratch / "run", .checkpoint_every = 0}),
               InvalidArgument);
  EXPECT_THROW(with(small_options(), {.folder = scratch / "run", .device = "cuda:99"}),
               InvalidArgument);
  write_bytes(scratch / "file", "");
  EXPECT_THROW(with(small_options(), {.folder = scratch / "file", .device = "cpu"}), IoError);
}

TEST(Train, MemoryIsAskedForFirst) {
  const ScratchFolder scratch;
  EXPECT_THAT([&] { small_train(scratch / "run", small_options(), false, {.max_memory = 1000}); },
              ThrowsMessage<ResourceError>(HasSubstr("set batch lower")));
  // 120 x 10 000 weights and what training keeps beside them; the layers of 24 pictures are 6 MB.
  TrainingOptions wide = small_options();
  wide.network = {.backbone = Backbone::kMlp, .hidden = 10000, .layers = 1};
  EXPECT_THROW(small_train(scratch / "run", wide, false, {.max_memory = 30'000'000}),
               ResourceError);
}

}  // namespace
}  // namespace subspace::neural
