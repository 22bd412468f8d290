// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <set>

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>
#include <subspace/neural/tensor_bridge.h>

#include "batches.h"
#include "small_run.h"

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

torch::Tensor small_tensor() {
  return to_tensor(testing::small_images(), torch::kFloat32).view({24, 1, 12, 10});
}

Trainer small_trainer(const TrainingOptions& options, std::uint64_t seed = 1) {
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

// The first step, written out with the parts that have tests of their own.
TEST(Trainer, FirstStepIsTheObjectiveAndAdamWithCoupledDecay) {
  TrainingOptions options = testing::small_options();
  options.optimizer.weight_decay = 0.5;
  Trainer trainer = small_trainer(options, 4);
  trainer.step({});

  Encoder encoder(options.network, testing::kSmallShape, 4);
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
  const torch::Tensor rate = coding_rate(mean, options.objective.distortion);
  const torch::Tensor loss = -rate - options.objective.similarity * cosine;
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
  Trainer whole = small_trainer(testing::small_options());
  for (int step = 0; step < 2; ++step) whole.step({});
  Trainer restored = small_trainer(testing::small_options());
  restored.restore(whole.arrays());
  for (int step = 0; step < 2; ++step) whole.step({}), restored.step({});
  EXPECT_EQ(whole.arrays(), restored.arrays());
  EXPECT_EQ(whole.history(), restored.history());
}

TEST(Trainer, AnotherNetworksStateIsRefused) {
  Trainer trainer = small_trainer(testing::small_options());
  TrainingOptions other = testing::small_options();
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
  TrainingOptions options = testing::small_options();
  options.network.cluster_outputs = 3;
  Trainer trainer = small_trainer(options);
  const NpyArray before = trainer.arrays().at("network/cluster.weight");
  trainer.step({});
  EXPECT_EQ(trainer.arrays().at("network/cluster.weight"), before);
  EXPECT_FALSE(trainer.arrays().contains("optimizer/cluster.weight.mean"));
}

/// A network without batch normalisation, on points.
TrainingOptions plain_options(Objective objective, int steps = 3) {
  TrainingOptions options;
  options.objective = objective_options(objective);
  options.objective.distortion = 0.1;
  options.network = {.backbone = Backbone::kMlp, .hidden = 16, .layers = 2, .features = 4};
  if (objective == Objective::kNmce) options.network.cluster_outputs = 3;
  if (objective == Objective::kMcr2) options.objective.views = 4;
  options.augmentation.noise = 0.1;
  options.steps = steps;
  return options;
}

Trainer point_trainer(const TrainingOptions& options) {
  const torch::Tensor points = (torch::arange(23 * 5, torch::kFloat32) * 1.7).sin();
  return {points.view({23, 1, 1, 5}), point_shape(5), options, 2, torch::kCPU};
}

constexpr Objective kObjectives[] = {Objective::kTcr,    Objective::kNmce,   Objective::kMcr2,
                                     Objective::kSimclr, Objective::kVicreg, Objective::kBarlow};

// Two passes over micro-batches are the gradient of the whole where no layer looks across images.
TEST(Trainer, MicroBatchesGiveTheGradientOfTheWholeWithoutBatchNormalisation) {
  for (const Objective objective : kObjectives) {
    TrainingOptions options = plain_options(objective);
    Trainer whole = point_trainer(options);
    options.gradient = GradientMode::kGhostBn;
    options.micro_batch = 5;
    Trainer parts = point_trainer(options);
    for (int step = 0; step < 3; ++step) whole.step({}), parts.step({});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(whole.history()[i].loss, parts.history()[i].loss,
                  1e-4 * (1.0 + std::abs(whole.history()[i].loss)))
          << objective_name(objective);
    }
    const NamedArrays expected = whole.arrays();
    const NamedArrays found = parts.arrays();
    const NpyArray& mean = expected.at("optimizer/subspace.weight.mean");
    const NpyArray& other = found.at("optimizer/subspace.weight.mean");
    const auto* a = reinterpret_cast<const float*>(mean.bytes.data());
    const auto* b = reinterpret_cast<const float*>(other.bytes.data());
    float largest = 0.0F;
    for (std::size_t i = 0; i < mean.bytes.size() / sizeof(float); ++i) {
      largest = std::max(largest, std::abs(a[i]));
    }
    for (std::size_t i = 0; i < mean.bytes.size() / sizeof(float); ++i) {
      EXPECT_NEAR(a[i], b[i], 2e-4F * largest) << objective_name(objective);
    }
  }
}

TEST(Trainer, BatchNormalisationSeesOneMicroBatchAtATime) {
  TrainingOptions options = testing::small_options();
  Trainer whole = small_trainer(options);
  options.gradient = GradientMode::kGhostBn;
  options.micro_batch = 24;
  Trainer same = small_trainer(options);
  options.micro_batch = 8;
  Trainer ghost = small_trainer(options);
  for (Trainer* trainer : {&whole, &same, &ghost}) trainer->step({});
  EXPECT_NEAR(same.history()[0].loss, whole.history()[0].loss, 1e-6);
  EXPECT_GT(std::abs(ghost.history()[0].loss - whole.history()[0].loss), 1e-4);
  // The first of the two passes leaves the running statistics alone.
  const std::string mean = "network/backbone.1.running_mean";
  EXPECT_EQ(same.arrays().at(mean), whole.arrays().at(mean));
}

TEST(Trainer, EveryObjectiveLearnsAndRestores) {
  for (const Objective objective : kObjectives) {
    TrainingOptions options = plain_options(objective, 60);
    options.optimizer.learning_rate = 5e-3;
    Trainer trainer = point_trainer(options);
    for (int step = 0; step < 60; ++step) trainer.step({});
    EXPECT_LT(trainer.history().back().loss, trainer.history().front().loss)
        << objective_name(objective);
    Trainer restored = point_trainer(options);
    restored.restore(trainer.arrays());
    EXPECT_EQ(restored.arrays(), trainer.arrays());
  }
}

}  // namespace
}  // namespace subspace::neural
