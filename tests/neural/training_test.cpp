// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/training.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <subspace/core/error.h>
#include <subspace/core/folder_lock.h>
#include <subspace/neural/checkpoint.h>
#include <subspace/neural/runtime.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using ::testing::AllOf;
using testing::bytes_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kSmallShape;
using testing::ScratchFolder;
using ::testing::SizeIs;
using testing::small_images;
using testing::small_options;
using testing::small_train;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using testing::write_bytes;

/// Trains until `steps` are done, then stops as a user's interrupt would.
void train_until(int steps, const std::filesystem::path& folder, bool resume = false) {
  CancelToken token;
  Context context = {.num_threads = 1, .cancel = &token};
  context.progress = [&](const ProgressEvent& event) {
    if (event.done == steps) token.request();
  };
  EXPECT_THROW(small_train(folder, small_options(), resume, context), Cancelled);
}

TEST(Train, LearnsToSeparateAndToAgree) {
  const ScratchFolder scratch;
  TrainingOptions options = small_options(60);
  options.optimizer.learning_rate = 1e-2;
  const TrainingResult result = small_train(scratch / "run", options);
  ASSERT_THAT(result.history, SizeIs(60));
  EXPECT_LT(result.history.back().loss, result.history.front().loss - 1.0);
  EXPECT_EQ(result.first_step, 0);
  EXPECT_GT(result.seconds, 0.0);
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_EQ(find_checkpoint(scratch / "run").info.step, 60);
}

TEST(Train, AScheduleOfMoreStepsMakesAnExcerptOfTheLongerRun) {
  const ScratchFolder scratch;
  const TrainingResult longer = small_train(scratch / "longer", small_options(6));
  TrainingOptions options = small_options(4);
  const TrainingResult own_schedule = small_train(scratch / "own", options);
  options.optimizer.schedule_steps = 6;
  const TrainingResult excerpt = small_train(scratch / "excerpt", options);
  const std::vector<StepStats> first(longer.history.begin(), longer.history.begin() + 4);
  EXPECT_EQ(excerpt.history, first);
  EXPECT_NE(own_schedule.history, first);
}

TEST(Train, SameSeedSameBytesAndOtherSeedOthers) {
  const ScratchFolder scratch;
  const auto first = small_train(scratch / "a").checkpoint;
  const auto second = small_train(scratch / "b").checkpoint;
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  const TrainingRun other = {.folder = scratch / "c", .seed = 4, .device = "cpu"};
  const auto third =
      train(small_images(), kSmallShape, small_options(), other, {.num_threads = 1}).checkpoint;
  EXPECT_NE(bytes_of(first), bytes_of(third));
}

TEST(Train, StepsThatWereKeptAreThoseOfTheRun) {
  const ScratchFolder scratch;
  const TrainingRun run = {
      .folder = scratch / "run", .seed = 3, .device = "cpu", .keep = {2, 5, 6}};
  const auto go_on = [&](const TrainingRun& each) {
    return bytes_of(
        train(small_images(), kSmallShape, small_options(), each, {.num_threads = 1}).checkpoint);
  };
  const std::string last = go_on(run);
  EXPECT_EQ(bytes_of(kept_folder(scratch / "run", 6) / "checkpoint.zip"), last);
  for (const int step : {2, 5}) {
    const auto kept = kept_folder(scratch / "run", step);
    EXPECT_EQ(find_checkpoint(kept).info.step, step);
    EXPECT_EQ(go_on({.folder = kept, .seed = 3, .device = "cpu", .resume = true}), last) << step;
  }
  EXPECT_FALSE(std::filesystem::exists(kept_folder(scratch / "run", 3)));
}

TEST(Train, BatchesRepeatThemselvesToo) {
  const ScratchFolder scratch;
  TrainingOptions options = small_options();
  options.batch = 10;
  EXPECT_EQ(bytes_of(small_train(scratch / "a", options).checkpoint),
            bytes_of(small_train(scratch / "b", options).checkpoint));
}

TEST(Train, InterruptedAndResumedGivesTheSameBytes) {
  const ScratchFolder scratch;
  const auto whole = small_train(scratch / "whole");
  train_until(1, scratch / "parts");
  EXPECT_EQ(find_checkpoint(scratch / "parts").info.step, 1);
  train_until(4, scratch / "parts", true);
  const auto resumed = small_train(scratch / "parts", small_options(), true);
  EXPECT_EQ(resumed.first_step, 4);
  EXPECT_EQ(resumed.history, whole.history);
  EXPECT_EQ(bytes_of(resumed.checkpoint), bytes_of(whole.checkpoint));
}

TEST(Train, ResumingAFinishedRunChangesNothing) {
  const ScratchFolder scratch;
  const auto whole = small_train(scratch / "run");
  const std::string bytes = bytes_of(whole.checkpoint);
  const auto again = small_train(scratch / "run", small_options(), true);
  EXPECT_EQ(again.first_step, 6);
  EXPECT_EQ(again.history, whole.history);
  EXPECT_EQ(bytes_of(again.checkpoint), bytes);
}

TEST(Train, ResumingNothingStartsAfresh) {
  const ScratchFolder scratch;
  EXPECT_EQ(small_train(scratch / "new", small_options(), true).first_step, 0);
}

TEST(Train, TwoDoNotWorkInOneFolder) {
  const ScratchFolder scratch;
  small_train(scratch / "run", small_options(2));
  const FolderLock other(scratch / "run");
  EXPECT_THAT([&] { small_train(scratch / "run", small_options(2), true); },
              ThrowsMessage<InvalidArgument>(HasSubstr("run: another process works in it")));
}

// Loss and features of the step are finite; only its update is not.
TEST(Train, AnUpdateThatIsNotFiniteEndsTheRunAndKeepsNothing) {
  const ScratchFolder scratch;
  TrainingOptions options = small_options(1);
  options.optimizer.optimizer = Optimizer::kSgd;
  options.optimizer.learning_rate = 3e38;
  EXPECT_THAT(
      [&] { small_train(scratch / "sgd", options); },
      ThrowsMessage<NumericalError>(AllOf(StartsWith("train: step 0: checkpoint: "),
                                          HasSubstr(" is not finite; lower learning_rate"))));
  EXPECT_FALSE(std::filesystem::exists(scratch / "sgd" / "checkpoint.zip"));
  options.optimizer.optimizer = Optimizer::kAdam;
  EXPECT_THAT([&] { small_train(scratch / "adam", options); },
              ThrowsMessage<NumericalError>(AllOf(StartsWith("train: step 0: LibTorch: "),
                                                  HasSubstr("lower learning_rate"))));
}

TEST(Train, ADamagedCheckpointIsPassedOverAndSaid) {
  const ScratchFolder scratch;
  const auto whole = small_train(scratch / "run");
  const std::string bytes = bytes_of(whole.checkpoint);
  std::string flipped = bytes;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  write_bytes(whole.checkpoint, flipped);
  const auto resumed = small_train(scratch / "run", small_options(), true);
  EXPECT_EQ(resumed.first_step, 4);
  ASSERT_THAT(resumed.warnings, SizeIs(1));
  EXPECT_THAT(resumed.warnings[0], HasSubstr("damaged"));
  EXPECT_EQ(bytes_of(resumed.checkpoint), bytes);
}

TEST(Train, AnotherNumberOfThreadsIsSaid) {
  const ScratchFolder scratch;
  train_until(2, scratch / "run");
  const auto result = small_train(scratch / "run", small_options(), true, {.num_threads = 2});
  ASSERT_THAT(result.warnings, SizeIs(1));
  EXPECT_THAT(result.warnings[0], HasSubstr("another number of threads (2, before 1)"));
}

TEST(Train, LeavesTheThreadsOfLibTorchAsTheyWere) {
  const ScratchFolder scratch;
  const int before = num_threads();
  small_train(scratch / "run", small_options(1));
  EXPECT_EQ(num_threads(), before);
}

TEST(Train, ReportsEveryStep) {
  const ScratchFolder scratch;
  std::vector<std::int64_t> done;
  Context context = {.num_threads = 1};
  context.progress = [&](const ProgressEvent& event) {
    if (event.phase == "train") done.push_back(event.done);
    EXPECT_EQ(event.total, 6);
  };
  small_train(scratch / "run", small_options(), false, context);
  EXPECT_EQ(done, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(TrainingOptions, NamesAreUniqueAndTheDefaultsLegal) {
  TrainingOptions options;
  std::set<std::string> names;
  for (const Parameter& parameter : describe(options)) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
  }
  EXPECT_NO_THROW(check(describe(options), "tcr"));
}

}  // namespace
}  // namespace subspace::neural
