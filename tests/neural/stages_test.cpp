// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>
#include <subspace/neural/checkpoint.h>
#include <subspace/neural/embed.h>
#include <subspace/neural/training.h>

#include "checkpoint_file.h"
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

TrainingOptions head_options(TrainedPart part, int steps = 4) {
  TrainingOptions options = small_options(steps);
  options.objective = objective_options(Objective::kNmce);
  options.objective.distortion = 0.1;
  options.network.cluster_outputs = 3;
  options.trained = part;
  return options;
}

NamedArrays arrays_of(const std::filesystem::path& folder) {
  return CheckpointFolder(folder).load()->checkpoint.arrays;
}

TrainingResult train_stage(const ScratchFolder& scratch, const std::string& name,
                           const std::string& start, const TrainingOptions& options, bool new_heads,
                           bool resume = false) {
  const TrainingRun run = {.folder = scratch / name,
                           .seed = 3,
                           .device = "cpu",
                           .resume = resume,
                           .checkpoint_every = 2,
                           .start = scratch / start,
                           .new_heads = new_heads};
  return train(small_images(), kSmallShape, options, run, {.num_threads = 1});
}

TEST(Stages, NewHeadsLearnOnANetworkThatStays) {
  const ScratchFolder scratch;
  small_train(scratch / "tcr");
  train_stage(scratch, "heads", "tcr", head_options(TrainedPart::kHeads), true);
  const NamedArrays before = arrays_of(scratch / "tcr");
  const NamedArrays after = arrays_of(scratch / "heads");
  EXPECT_EQ(after.at("network/backbone.0.weight"), before.at("network/backbone.0.weight"));
  EXPECT_EQ(after.at("network/hidden.0.weight"), before.at("network/hidden.0.weight"));
  EXPECT_NE(after.at("network/subspace.weight"), before.at("network/subspace.weight"));
  // The network runs as in training, as in the released code: its statistics go on.
  EXPECT_NE(after.at("network/backbone.1.running_mean"),
            before.at("network/backbone.1.running_mean"));
}

TEST(Stages, FineTuningMovesAllOrAllButTheHiddenLayer) {
  const ScratchFolder scratch;
  small_train(scratch / "tcr");
  train_stage(scratch, "heads", "tcr", head_options(TrainedPart::kHeads), true);
  train_stage(scratch, "all", "heads", head_options(TrainedPart::kAll), false);
  train_stage(scratch, "but", "heads", head_options(TrainedPart::kAllButHidden), false);
  const NamedArrays heads = arrays_of(scratch / "heads");
  for (const char* name : {"network/backbone.0.weight", "network/cluster.weight"}) {
    EXPECT_NE(arrays_of(scratch / "all").at(name), heads.at(name));
    EXPECT_NE(arrays_of(scratch / "but").at(name), heads.at(name));
  }
  EXPECT_NE(arrays_of(scratch / "all").at("network/hidden.0.weight"),
            heads.at("network/hidden.0.weight"));
  EXPECT_EQ(arrays_of(scratch / "but").at("network/hidden.0.weight"),
            heads.at("network/hidden.0.weight"));
}

TEST(Stages, InterruptedAndResumedGivesTheSameBytes) {
  const ScratchFolder scratch;
  small_train(scratch / "tcr");
  const TrainingOptions options = head_options(TrainedPart::kAll);
  const auto whole = train_stage(scratch, "whole", "tcr", options, true);
  TrainingRun run = {.folder = scratch / "parts",
                     .seed = 3,
                     .device = "cpu",
                     .checkpoint_every = 1,
                     .start = scratch / "tcr",
                     .new_heads = true};
  CancelToken token;
  Context context = {.num_threads = 1, .cancel = &token};
  context.progress = [&](const ProgressEvent& event) {
    if (event.done == 2) token.request();
  };
  EXPECT_THROW(train(small_images(), kSmallShape, options, run, context), Cancelled);
  const auto resumed = train_stage(scratch, "parts", "tcr", options, true, true);
  EXPECT_EQ(resumed.first_step, 2);
  EXPECT_EQ(bytes_of(resumed.checkpoint), bytes_of(whole.checkpoint));
}

TEST(Stages, AnotherStartIsAnotherRun) {
  const ScratchFolder scratch;
  small_train(scratch / "tcr");
  small_train(scratch / "longer", small_options(7));
  const TrainingOptions options = head_options(TrainedPart::kHeads);
  train_stage(scratch, "heads", "tcr", options, true);
  EXPECT_THAT([&] { train_stage(scratch, "heads", "longer", options, true, true); },
              ThrowsMessage<InvalidArgument>(HasSubstr("one that started from another network")));
}

TEST(Stages, RefusesAStartThatDoesNotFit) {
  const ScratchFolder scratch;
  small_train(scratch / "tcr");
  TrainingOptions wider = head_options(TrainedPart::kHeads);
  wider.network.filters = 3;
  EXPECT_THAT([&] { train_stage(scratch, "a", "tcr", wider, true); },
              ThrowsMessage<DataError>(HasSubstr("checkpoint of another network")));
  EXPECT_THAT([&] { train_stage(scratch, "a", "tcr", head_options(TrainedPart::kAll), false); },
              ThrowsMessage<DataError>(HasSubstr("it has no network/cluster.weight")));
  EXPECT_THAT([&] { train_stage(scratch, "a", "none", head_options(TrainedPart::kAll), true); },
              ThrowsMessage<IoError>(HasSubstr("holds no checkpoint")));
  const TrainingRun run = {.folder = scratch / "a", .device = "cpu", .new_heads = true};
  EXPECT_THAT([&] { train(small_images(), kSmallShape, small_options(), run); },
              ThrowsMessage<InvalidArgument>(HasSubstr("starts from no other")));
}

TEST(Stages, TheObjectiveNeedsItsHeadAndItsViews) {
  const ScratchFolder scratch;
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  TrainingOptions options = head_options(TrainedPart::kAll);
  options.network.cluster_outputs = 1;
  EXPECT_THAT([&] { train(small_images(), kSmallShape, options, run); },
              ThrowsMessage<InvalidArgument>(
                  "train: cluster_outputs = 1, must be at least 2 for the objective nmce"));
  options = small_options();
  options.objective.views = 3;
  EXPECT_THAT([&] { train(small_images(), kSmallShape, options, run); },
              ThrowsMessage<InvalidArgument>("train: views = 3, must be 2 for the objective tcr"));
}

TEST(HeadClusters, AreTheLargestProbabilities) {
  const ScratchFolder scratch;
  small_train(scratch / "run", head_options(TrainedPart::kAll));
  const HeadClusters head =
      head_clusters(small_images(), kSmallShape, scratch / "run", "cpu", {.num_threads = 1});
  ASSERT_EQ(head.probabilities.rows(), 3);
  ASSERT_EQ(head.labels.size(), 24U);
  for (Index j = 0; j < 24; ++j) {
    EXPECT_NEAR(head.probabilities.col(j).sum(), 1.0, 1e-12);
    EXPECT_EQ(head.probabilities(head.labels[static_cast<std::size_t>(j)], j),
              head.probabilities.col(j).maxCoeff());
  }
  small_train(scratch / "headless");
  EXPECT_THAT([&] { head_clusters(small_images(), kSmallShape, scratch / "headless"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("has no cluster head")));
}

TEST(Points, TrainAndEmbedThroughAPlainNetwork) {
  const ScratchFolder scratch;
  const Matrix X = 5.0 * Matrix::NullaryExpr(3, 40, [](Index i, Index j) {
                     return std::sin(static_cast<double>(3 * j + i));
                   });
  TrainingOptions options = small_options(5);
  options.network = {.backbone = Backbone::kMlp, .hidden = 8, .layers = 2, .features = 4};
  options.augmentation.noise = 0.05;
  const TrainingRun run = {.folder = scratch / "run", .device = "cpu"};
  train(X, point_shape(3), options, run, {.num_threads = 1});
  const Features features =
      embed(X, point_shape(3), scratch / "run", {.device = "cpu"}, {.num_threads = 1});
  EXPECT_EQ(features.Z.rows(), 4);
  EXPECT_EQ(features.Z.cols(), 40);
  options.network = small_options().network;
  EXPECT_THAT([&] { train(X, point_shape(3), options, {.folder = scratch / "b"}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("need backbone = mlp")));
}

TEST(Embed, OtherLayersAndMeansOfViews) {
  const ScratchFolder scratch;
  small_train(scratch / "run");
  const auto embedded = [&](const EmbedOptions& options) {
    return embed(small_images(), kSmallShape, scratch / "run", options, {.num_threads = 1}).Z;
  };
  EXPECT_EQ(embedded({.layer = Layer::kHidden, .device = "cpu"}).rows(), 8);
  EXPECT_EQ(embedded({.layer = Layer::kPool, .device = "cpu"}).rows(), 16);
  const Matrix one = embedded({.views = 1, .seed = 7, .device = "cpu"});
  const Matrix many = embedded({.views = 200, .seed = 7, .device = "cpu"});
  const Matrix others = embedded({.views = 200, .seed = 8, .device = "cpu"});
  for (Index j = 0; j < many.cols(); ++j) EXPECT_NEAR(many.col(j).norm(), 1.0, 1e-12);
  // The mean over many views hardly depends on which they were; one view does.
  EXPECT_LT((many - others).norm(), 0.5 * (one - others).norm());
  EXPECT_EQ(many, embedded({.views = 200, .seed = 7, .device = "cpu"}));
  EXPECT_THAT([&] { embedded({.views = -1}); },
              ThrowsMessage<InvalidArgument>("embed: views = -1, must satisfy views >= 0"));
}

}  // namespace
}  // namespace subspace::neural
