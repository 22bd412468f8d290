// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tcr_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <set>

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>
#include <subspace/neural/tensor_bridge.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

torch::Tensor small_tensor() {
  return to_tensor(testing::small_images(), torch::kFloat32).view({24, 1, 12, 10});
}

TcrTrainer small_trainer(const TcrOptions& options, std::uint64_t seed = 1) {
  return {small_tensor(), testing::kSmallShape, options, seed, torch::kCPU};
}

TEST(Batches, WholeSetIsInOrder) {
  EXPECT_EQ(images_of_step(3, 0, 1, 5), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(images_of_step(3, 7, 1, 5), (std::vector<Index>{0, 1, 2}));
}

TEST(Batches, AnEpochTakesNoImageTwice) {
  std::set<Index> seen;
  for (int step = 0; step < 3; ++step) {
    for (const Index image : images_of_step(11, 3, 1, step)) EXPECT_TRUE(seen.insert(image).second);
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_NE(images_of_step(11, 3, 1, 0), images_of_step(11, 3, 1, 3));
  EXPECT_NE(images_of_step(11, 3, 1, 0), images_of_step(11, 3, 2, 0));
}

TEST(LearningRate, FallsByACosineOrStays) {
  TcrOptions options = testing::small_options(10);
  options.learning_rate = 0.2;
  EXPECT_DOUBLE_EQ(learning_rate(options, 0), 0.2);
  EXPECT_NEAR(learning_rate(options, 5), 0.1, 1e-15);
  EXPECT_NEAR(learning_rate(options, 10), 0.0, 1e-15);
  options.schedule = Schedule::kNone;
  EXPECT_DOUBLE_EQ(learning_rate(options, 9), 0.2);
}

// The first step, written out with the parts that have tests of their own.
TEST(Trainer, FirstStepIsTheObjectiveAndAdamWithCoupledDecay) {
  TcrOptions options = testing::small_options();
  options.weight_decay = 0.5;
  TcrTrainer trainer = small_trainer(options, 4);
  trainer.step({});

  Encoder encoder(options.network, 1, 4);
  encoder->train();
  const torch::Tensor images = small_tensor();
  torch::Tensor views = torch::empty({2, 24, 1, 12, 10});
  const auto chosen = images_of_step(24, 0, 4, 0);
  for (const std::uint32_t view : {0U, 1U}) {
    augment(options.augmentation, testing::kSmallShape, {.seed = 4, .step = 0, .view = view},
            {images.const_data_ptr<float>(), 2880}, chosen,
            {views[view].mutable_data_ptr<float>(), 2880});
  }
  const torch::Tensor z = encoder->forward(views.view({48, 1, 12, 10})).view({2, 24, 4});
  const torch::Tensor cosine = torch::nn::functional::cosine_similarity(z[0], z[1]).mean();
  const torch::Tensor mean = torch::nn::functional::normalize((z[0] + z[1]) / 2);
  const torch::Tensor rate = coding_rate(mean, options.distortion);
  const torch::Tensor loss = -rate - options.similarity * cosine;
  const StepStats stats = trainer.history().at(0);
  EXPECT_NEAR(stats.loss, loss.item<double>(), 1e-5);
  EXPECT_NEAR(stats.coding_rate, rate.item<double>(), 1e-6);
  EXPECT_NEAR(stats.similarity, cosine.item<double>(), 1e-6);

  // After one step Adam's mean is (1 - beta1) times the gradient with the decay added.
  loss.backward();
  const torch::Tensor weight = encoder->named_parameters()["subspace.weight"];
  const torch::Tensor expected = 0.1 * (weight.grad() + 0.5 * weight.detach());
  const NamedArrays arrays = trainer.arrays();
  const NpyArray& array = arrays.at("optimizer/subspace.weight.mean");
  const auto* numbers = reinterpret_cast<const float*>(array.bytes.data());
  for (std::int64_t i = 0; i < expected.numel(); ++i) {
    EXPECT_NEAR(numbers[i], expected.view(-1)[i].item<float>(), 1e-5);
  }
}

TEST(Trainer, RestoredStateGoesOnAsIfNothingHadHappened) {
  TcrTrainer whole = small_trainer(testing::small_options());
  for (int step = 0; step < 2; ++step) whole.step({});
  TcrTrainer restored = small_trainer(testing::small_options());
  restored.restore(whole.arrays());
  for (int step = 0; step < 2; ++step) whole.step({}), restored.step({});
  EXPECT_EQ(whole.arrays(), restored.arrays());
  EXPECT_EQ(whole.history(), restored.history());
}

TEST(Trainer, AnotherNetworksStateIsRefused) {
  TcrTrainer trainer = small_trainer(testing::small_options());
  TcrOptions other = testing::small_options();
  other.network.features = 5;
  EXPECT_THAT([&] { small_trainer(other).restore(trainer.arrays()); },
              ThrowsMessage<DataError>(HasSubstr("checkpoint of another network")));
  other = testing::small_options();
  other.network.backbone = Backbone::kResnet18;
  EXPECT_THAT([&] { small_trainer(other).restore(trainer.arrays()); },
              ThrowsMessage<DataError>(HasSubstr("checkpoint of another network")));
  EXPECT_THAT([&] { trainer.restore(small_trainer(other).arrays()); },
              ThrowsMessage<DataError>(HasSubstr("checkpoint of another network")));
}

TEST(Trainer, AnUnusedHeadIsKeptButNotTrained) {
  TcrOptions options = testing::small_options();
  options.network.cluster_outputs = 3;
  TcrTrainer trainer = small_trainer(options);
  const NpyArray before = trainer.arrays().at("network/cluster.weight");
  trainer.step({});
  EXPECT_EQ(trainer.arrays().at("network/cluster.weight"), before);
  EXPECT_FALSE(trainer.arrays().contains("optimizer/cluster.weight.mean"));
}

}  // namespace
}  // namespace subspace::neural
