// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/tcr.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include <subspace/core/error.h>
#include <subspace/neural/checkpoint.h>
#include <subspace/neural/runtime.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using testing::bytes_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kSmallShape;
using testing::ScratchFolder;
using ::testing::SizeIs;
using testing::small_images;
using testing::small_options;
using ::testing::ThrowsMessage;
using testing::write_bytes;

TrainingResult train(const std::filesystem::path& folder,
                     const TcrOptions& options = small_options(), bool resume = false,
                     const Context& context = {.num_threads = 1}) {
  const TrainingRun run = {
      .folder = folder, .seed = 3, .device = "cpu", .resume = resume, .checkpoint_every = 2};
  return train_tcr(small_images(), kSmallShape, options, run, context);
}

/// Trains until `steps` are done, then stops as a user's interrupt would.
void train_until(int steps, const std::filesystem::path& folder, bool resume = false) {
  CancelToken token;
  Context context = {.num_threads = 1, .cancel = &token};
  context.progress = [&](const ProgressEvent& event) {
    if (event.done == steps) token.request();
  };
  EXPECT_THROW(train(folder, small_options(), resume, context), Cancelled);
}

TEST(TrainTcr, LearnsToSeparateAndToAgree) {
  const ScratchFolder scratch;
  TcrOptions options = small_options(60);
  options.learning_rate = 1e-2;
  const TrainingResult result = train(scratch / "run", options);
  ASSERT_THAT(result.history, SizeIs(60));
  EXPECT_LT(result.history.back().loss, result.history.front().loss - 1.0);
  EXPECT_EQ(result.first_step, 0);
  EXPECT_GT(result.seconds, 0.0);
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_EQ(find_checkpoint(scratch / "run").info.step, 60);
}

TEST(TrainTcr, SameSeedSameBytesAndOtherSeedOthers) {
  const ScratchFolder scratch;
  const auto first = train(scratch / "a").checkpoint;
  const auto second = train(scratch / "b").checkpoint;
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  const TrainingRun other = {.folder = scratch / "c", .seed = 4, .device = "cpu"};
  const auto third =
      train_tcr(small_images(), kSmallShape, small_options(), other, {.num_threads = 1}).checkpoint;
  EXPECT_NE(bytes_of(first), bytes_of(third));
}

TEST(TrainTcr, BatchesRepeatThemselvesToo) {
  const ScratchFolder scratch;
  TcrOptions options = small_options();
  options.batch = 10;
  EXPECT_EQ(bytes_of(train(scratch / "a", options).checkpoint),
            bytes_of(train(scratch / "b", options).checkpoint));
}

TEST(TrainTcr, InterruptedAndResumedGivesTheSameBytes) {
  const ScratchFolder scratch;
  const auto whole = train(scratch / "whole");
  train_until(1, scratch / "parts");
  EXPECT_EQ(find_checkpoint(scratch / "parts").info.step, 1);
  train_until(4, scratch / "parts", true);
  const auto resumed = train(scratch / "parts", small_options(), true);
  EXPECT_EQ(resumed.first_step, 4);
  EXPECT_EQ(resumed.history, whole.history);
  EXPECT_EQ(bytes_of(resumed.checkpoint), bytes_of(whole.checkpoint));
}

TEST(TrainTcr, ResumingAFinishedRunChangesNothing) {
  const ScratchFolder scratch;
  const auto whole = train(scratch / "run");
  const std::string bytes = bytes_of(whole.checkpoint);
  const auto again = train(scratch / "run", small_options(), true);
  EXPECT_EQ(again.first_step, 6);
  EXPECT_EQ(again.history, whole.history);
  EXPECT_EQ(bytes_of(again.checkpoint), bytes);
}

TEST(TrainTcr, ResumingNothingStartsAfresh) {
  const ScratchFolder scratch;
  EXPECT_EQ(train(scratch / "new", small_options(), true).first_step, 0);
}

TEST(TrainTcr, ADamagedCheckpointIsPassedOverAndSaid) {
  const ScratchFolder scratch;
  const auto whole = train(scratch / "run");
  const std::string bytes = bytes_of(whole.checkpoint);
  std::string flipped = bytes;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  write_bytes(whole.checkpoint, flipped);
  const auto resumed = train(scratch / "run", small_options(), true);
  EXPECT_EQ(resumed.first_step, 4);
  ASSERT_THAT(resumed.warnings, SizeIs(1));
  EXPECT_THAT(resumed.warnings[0], HasSubstr("damaged"));
  EXPECT_EQ(bytes_of(resumed.checkpoint), bytes);
}

TEST(TrainTcr, AFolderInUseIsNotOverwritten) {
  const ScratchFolder scratch;
  const auto result = train(scratch / "run");
  const std::string bytes = bytes_of(result.checkpoint);
  EXPECT_THAT([&] { train(scratch / "run"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("already holds a checkpoint")));
  EXPECT_EQ(bytes_of(result.checkpoint), bytes);
}

TEST(TrainTcr, AnotherRunsCheckpointIsRefused) {
  const ScratchFolder scratch;
  const auto result = train(scratch / "run");
  const std::string bytes = bytes_of(result.checkpoint);
  TcrOptions other = small_options();
  other.network.features = 5;
  EXPECT_THAT([&] { train(scratch / "run", other, true); },
              ThrowsMessage<InvalidArgument>(HasSubstr("another run: features = 4, not 5")));
  TrainingRun run = {.folder = scratch / "run", .seed = 9, .device = "cpu", .resume = true};
  EXPECT_THAT([&] { train_tcr(small_images(), kSmallShape, small_options(), run); },
              ThrowsMessage<InvalidArgument>(HasSubstr("seed = 3, not 9")));
  run.seed = 3;
  const Matrix darker = 0.5 * small_images();
  EXPECT_THAT([&] { train_tcr(darker, kSmallShape, small_options(), run); },
              ThrowsMessage<InvalidArgument>(HasSubstr("other images")));
  EXPECT_EQ(bytes_of(result.checkpoint), bytes);
}

TEST(TrainTcr, AnotherNumberOfThreadsIsSaid) {
  const ScratchFolder scratch;
  train_until(2, scratch / "run");
  const auto result = train(scratch / "run", small_options(), true, {.num_threads = 2});
  ASSERT_THAT(result.warnings, SizeIs(1));
  EXPECT_THAT(result.warnings[0], HasSubstr("another number of threads (2, before 1)"));
}

TEST(TrainTcr, LeavesTheThreadsOfLibTorchAsTheyWere) {
  const ScratchFolder scratch;
  const int before = num_threads();
  train(scratch / "run", small_options(1));
  EXPECT_EQ(num_threads(), before);
}

TEST(TrainTcr, ReportsEveryStep) {
  const ScratchFolder scratch;
  std::vector<std::int64_t> done;
  Context context = {.num_threads = 1};
  context.progress = [&](const ProgressEvent& event) {
    if (event.phase == "train") done.push_back(event.done);
    EXPECT_EQ(event.total, 6);
  };
  train(scratch / "run", small_options(), false, context);
  EXPECT_EQ(done, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(TrainTcr, ALossThatIsNotFiniteStopsTheRun) {
  const ScratchFolder scratch;
  TcrOptions options = small_options();
  options.learning_rate = 1e30;
  EXPECT_THAT([&] { train(scratch / "run", options); },
              ThrowsMessage<NumericalError>(HasSubstr("not finite")));
  EXPECT_FALSE(std::filesystem::exists(scratch / "run" / "checkpoint.zip"));
}

TEST(TrainTcr, CollapsedFeaturesStopTheRun) {
  const ScratchFolder scratch;
  TcrOptions options = small_options();
  options.augmentation = {.flip = 0, .perspective = 0, .brightness = 0, .contrast = 0};
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  const Matrix same = Matrix::Constant(kSmallShape.num_pixels(), 10, 0.25);
  EXPECT_THAT([&] { train_tcr(same, kSmallShape, options, run); },
              ThrowsMessage<NumericalError>(HasSubstr("the features have collapsed")));
}

TEST(TrainTcr, RefusesWhatItCannotTrainOn) {
  const ScratchFolder scratch;
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  const auto with = [&](const Matrix& X) { train_tcr(X, kSmallShape, small_options(), run); };
  EXPECT_THAT([&] { with(2.0 * small_images()); },
              ThrowsMessage<DataError>(HasSubstr("not in [0, 1]")));
  Matrix X = small_images();
  X(5, 7) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { with(X); }, ThrowsMessage<DataError>(HasSubstr("image 7 has a value")));
  EXPECT_THAT([&] { with(X.topRows(100)); },
              ThrowsMessage<DataError>(HasSubstr("100 rows are no images of 1 x 12 x 10")));
  EXPECT_THROW(with(X.leftCols(1)), DataError);
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

TEST(TrainTcr, RefusesBadOptionsDevicesAndFolders) {
  const ScratchFolder scratch;
  const auto with = [&](const TcrOptions& options, const TrainingRun& run) {
    train_tcr(small_images(), kSmallShape, options, run);
  };
  TcrOptions options = small_options();
  options.distortion = 0.0;
  EXPECT_THAT(
      [&] { with(options, {.folder = scratch / "run"}); },
      ThrowsMessage<InvalidArgument>("train_tcr: distortion = 0, must satisfy distortion > 0"));
  options = small_options();
  options.batch = 1;
  EXPECT_THROW(with(options, {.folder = scratch / "run"}), InvalidArgument);
  EXPECT_THROW(with(small_options(), {}), InvalidArgument);
  EXPECT_THROW(with(small_options(), {.folder = scratch / "run", .checkpoint_every = 0}),
               InvalidArgument);
  EXPECT_THROW(with(small_options(), {.folder = scratch / "run", .device = "cuda:99"}),
               InvalidArgument);
  write_bytes(scratch / "file", "");
  EXPECT_THROW(with(small_options(), {.folder = scratch / "file", .device = "cpu"}), IoError);
}

TEST(TrainTcr, MemoryIsAskedForFirst) {
  const ScratchFolder scratch;
  EXPECT_THAT([&] { train(scratch / "run", small_options(), false, {.max_memory = 1000}); },
              ThrowsMessage<ResourceError>(HasSubstr("set batch lower")));
}

TEST(Embed, FeaturesAreUnitColumnsAndTheirOwn) {
  const ScratchFolder scratch;
  train(scratch / "run");
  const Matrix X = small_images();
  const Features features = embed(X, kSmallShape, scratch / "run", "cpu", {.num_threads = 1});
  EXPECT_EQ(features.step, 6);
  ASSERT_EQ(features.Z.rows(), 4);
  ASSERT_EQ(features.Z.cols(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) EXPECT_NEAR(features.Z.col(j).norm(), 1.0, 1e-14);
  const Features alone = embed(X.col(5), kSmallShape, scratch / "run", "cpu", {.num_threads = 1});
  EXPECT_LT((alone.Z - features.Z.col(5)).norm(), 1e-5);
  const Features again = embed(X, kSmallShape, scratch / "run", "cpu", {.num_threads = 1});
  EXPECT_EQ(features.Z, again.Z);
}

TEST(Embed, RefusesOtherShapesEmptyFoldersAndAbsentDevices) {
  const ScratchFolder scratch;
  train(scratch / "run", small_options(1));
  EXPECT_THAT(
      [&] {
        embed(small_images(), {1, 10, 12}, scratch / "run");
      },
      ThrowsMessage<DataError>(HasSubstr("the network was trained on 1 x 12 x 10")));
  EXPECT_THAT([&] { embed(small_images(), kSmallShape, scratch / "none"); },
              ThrowsMessage<IoError>(HasSubstr("holds no checkpoint")));
  EXPECT_THROW(embed(small_images(), kSmallShape, scratch / "run", "cuda:99"), InvalidArgument);
}

TEST(TcrOptions, NamesAreUniqueAndTheDefaultsLegal) {
  TcrOptions options;
  std::set<std::string> names;
  for (const Parameter& parameter : describe(options)) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
  }
  EXPECT_NO_THROW(check(describe(options), "tcr"));
}

}  // namespace
}  // namespace subspace::neural
