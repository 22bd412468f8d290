// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstring>
#include <set>

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>
#include <subspace/neural/losses.h>
#include <subspace/neural/tensor_bridge.h>

#include "batches.h"
#include "small_run.h"
#include "views.h"

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

/// An array of float32 as a tensor.
torch::Tensor tensor_of(const NpyArray& array) {
  const torch::Tensor tensor = torch::empty(array.shape, torch::kFloat32);
  const std::size_t bytes = tensor.numel() * sizeof(float);
  if (array.bytes.size() != bytes) throw DataError("not an array of float32");
  std::memcpy(tensor.mutable_data_ptr<float>(), array.bytes.data(), bytes);
  return tensor;
}

double largest(const torch::Tensor& tensor) { return tensor.abs().max().item<double>(); }

/// Largest difference of an array from what it should be, relative to the largest of that, or to
/// `least` where that is all but nothing.
double distance(const NpyArray& array, const torch::Tensor& expected, double least = 1e-30) {
  return largest(tensor_of(array) - expected) / std::max(largest(expected), least);
}

TEST(Batches, WholeSetIsInOrder) {
  EXPECT_EQ(images_of_step(3, 0, 1, 5), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(images_of_step(3, 7, 1, 5), (std::vector<Index>{0, 1, 2}));
}

TEST(Batches, WholeSetInAnOrderOfEveryStep) {
  const auto first = images_of_step(50, 0, 1, 0, WholeSetOrder::kMixed);
  EXPECT_THAT(first, ::testing::UnorderedElementsAreArray(images_of_step(50, 0, 1, 0)));
  EXPECT_NE(first, images_of_step(50, 0, 1, 0));
  EXPECT_NE(first, images_of_step(50, 0, 1, 1, WholeSetOrder::kMixed));
  EXPECT_EQ(first, images_of_step(50, 80, 1, 0, WholeSetOrder::kMixed));
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

  // After one step Adam's means are (1 - beta1) times the gradient with the decay added, of every
  // parameter, and (1 - beta2) times its square; corrected for the zeros they began with they are
  // the gradient g itself, so that the step is -rate g / (|g| + eps).
  loss.backward();
  const NamedArrays arrays = trainer.arrays();
  for (const auto& item : encoder->named_parameters()) {
    const torch::Tensor before = item.value().detach();
    const torch::Tensor gradient = item.value().grad() + 0.5 * before;
    const NpyArray& moment = arrays.at("optimizer/" + item.key() + ".mean");
    EXPECT_LT(distance(moment, 0.1 * gradient), 1e-4) << item.key();
    const NpyArray& square = arrays.at("optimizer/" + item.key() + ".mean_square");
    EXPECT_LT(distance(square, 0.01 * gradient.square()), 1e-4) << item.key();
    const torch::Tensor corrected = 10.0 * tensor_of(moment);
    const torch::Tensor step =
        -options.optimizer.learning_rate * corrected / (corrected.abs() + 1e-8);
    EXPECT_LT(distance(arrays.at("network/" + item.key()), before + step), 1e-5) << item.key();
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

torch::Tensor points_of_trainer() {
  return (torch::arange(23 * 5, torch::kFloat32) * 1.7).sin().view({23, 1, 1, 5});
}

Trainer point_trainer(const TrainingOptions& options) {
  return {points_of_trainer(), point_shape(5), options, 2, torch::kCPU};
}

constexpr Objective kObjectives[] = {Objective::kTcr,    Objective::kNmce,   Objective::kMcr2,
                                     Objective::kSimclr, Objective::kVicreg, Objective::kBarlow};

// Two passes over micro-batches are the gradient of the whole where no layer looks across images:
// of every layer, so that a wrong scale or a part left out of the second pass shows. The mean of
// Adam after one step is a tenth of the gradient, which later steps would blur.
TEST(Trainer, MicroBatchesGiveTheGradientOfTheWholeWithoutBatchNormalisation) {
  for (const Objective objective : kObjectives) {
    TrainingOptions options = plain_options(objective);
    Trainer whole = point_trainer(options);
    options.gradient = GradientMode::kGhostBn;
    options.micro_batch = 5;
    Trainer parts = point_trainer(options);
    whole.step({}), parts.step({});
    int compared = 0;
    const NamedArrays wanted = whole.arrays();
    const NamedArrays found = parts.arrays();
    // VICReg and Barlow Twins do not see the bias of the features: its gradient is all rounding.
    const double scale = largest(tensor_of(wanted.at("optimizer/subspace.weight.mean")));
    ASSERT_GT(scale, 0.0);
    for (const auto& [name, array] : wanted) {
      if (!name.starts_with("optimizer/") || !name.ends_with(".mean")) continue;
      EXPECT_LT(distance(found.at(name), tensor_of(array), 1e-2 * scale), 1e-4)
          << objective_name(objective) << " " << name;
      ++compared;
    }
    EXPECT_GE(compared, 6) << "weights and biases of two hidden layers and a head";
    for (int step = 0; step < 2; ++step) whole.step({}), parts.step({});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(whole.history()[i].loss, parts.history()[i].loss,
                  1e-4 * (1.0 + std::abs(whole.history()[i].loss)))
          << objective_name(objective);
    }
  }
}

// 23 images by 11 are 11, 11 and a remainder of one, which batch normalisation could not use: they
// are taken as 7, 8 and 8.
TEST(Trainer, MicroBatchesAreAsEqualAsCanBe) {
  TrainingOptions options = testing::small_options();
  options.gradient = GradientMode::kGhostBn;
  options.batch = 23;
  options.micro_batch = 11;
  Trainer unequal = small_trainer(options);
  options.micro_batch = 8;
  Trainer equal = small_trainer(options);
  unequal.step({}), equal.step({});
  EXPECT_EQ(unequal.arrays(), equal.arrays());
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
  // The first of the two passes leaves the running statistics alone, and their count.
  int compared = 0;
  for (const auto& [name, array] : whole.arrays()) {
    if (name.find(".running_") == std::string::npos && !name.ends_with(".num_batches_tracked"))
      continue;
    EXPECT_EQ(same.arrays().at(name), array) << name;
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

// Two classes of equal images, one after the other. A micro-batch of one class alone is nothing to
// batch normalisation, which makes all its features equal.
TEST(Trainer, MicroBatchesMixWhatComesClassByClass) {
  TrainingOptions options = testing::small_options();
  options.augmentation = {.flip = 0, .perspective = 0, .brightness = 0, .contrast = 0};
  options.gradient = GradientMode::kGhostBn;
  options.micro_batch = 12;
  torch::Tensor images = small_tensor()[0].expand({24, 1, 12, 10}).clone();
  images.narrow(0, 12, 12) *= 0.25;
  Trainer trainer(images, testing::kSmallShape, options, 1, torch::kCPU);
  trainer.step({});
  EXPECT_GT(trainer.history()[0].coding_rate,
            1.1 * collapsed_rate(options.network.features, options.objective.distortion));
}

/// R and R_c as they are defined, by determinants.
double rate(const torch::Tensor& z, double e) {
  const std::int64_t p = z.size(1);
  const double scale = static_cast<double>(p) / (static_cast<double>(z.size(0)) * e);
  const torch::Tensor Z = z.to(torch::kFloat64);
  return 0.5 * torch::logdet(torch::eye(p, torch::kFloat64) + scale * Z.t().mm(Z)).item<double>();
}

double rate_of_clusters(const torch::Tensor& z, const torch::Tensor& memberships, double e) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < memberships.size(1); ++k) {
    const double weight = memberships.select(1, k).sum().item<double>();
    // The scale p / (t e) of the definition is that of weighted rows among m, times m / t.
    const torch::Tensor rows = z * memberships.select(1, k).sqrt().unsqueeze(1);
    const double m = static_cast<double>(z.size(0));
    sum += weight / m * rate(rows, e * weight / m);
  }
  return sum;
}

/// What the network of a new trainer makes of the views of its first step.
ViewOutputs first_outputs(const TrainingOptions& options, const torch::Tensor& points) {
  Encoder encoder(options.network, point_shape(5), 2);
  encoder->train();
  torch::Tensor views = torch::empty({2, 23, 1, 1, 5});
  const auto chosen = images_of_step(23, 0, 2, 0);
  for (const std::uint32_t view : {0U, 1U}) {
    draw_views(options.augmentation, point_shape(5), {.seed = 2, .step = 0, .view = view}, points,
               chosen, views[view], {});
  }
  const torch::NoGradGuard no_graph;
  const EncoderOutput all = encoder->output(views.flatten(0, 1));
  ViewOutputs outputs = {torch::nn::functional::normalize(all.features).view({2, 23, -1})};
  if (all.logits.defined()) outputs.logits = all.logits.view({2, 23, -1});
  return outputs;
}

// R of each view's own features, not of their mean.
TEST(Trainer, FirstStepByTheRateOfEachView) {
  TrainingOptions options = plain_options(Objective::kTcr);
  options.objective.rate_of = RateOf::kEachView;
  Trainer trainer = point_trainer(options);
  trainer.step({});
  const torch::Tensor z = first_outputs(options, points_of_trainer()).features;
  const double e = options.objective.distortion;
  const double expected = 0.5 * (rate(z[0], e) + rate(z[1], e));
  const double similarity = (z[0] * z[1]).sum(1).mean().item<double>();
  EXPECT_NEAR(trainer.history()[0].coding_rate, expected, 1e-5);
  EXPECT_NEAR(trainer.history()[0].loss, -expected - options.objective.similarity * similarity,
              1e-4);
}

// R_c - R - lambda D with memberships softmax((logits + gumbel) / temperature), the mean of two
// views.
TEST(Trainer, FirstStepByTheWholeObjective) {
  TrainingOptions options = plain_options(Objective::kNmce);
  options.objective.similarity = 3.0;
  options.objective.temperature = 0.7;
  Trainer trainer = point_trainer(options);
  trainer.step({});
  const ViewOutputs outputs = first_outputs(options, points_of_trainer());
  const auto chosen = images_of_step(23, 0, 2, 0);
  torch::Tensor memberships = torch::zeros({23, 3});
  for (const std::uint32_t view : {0U, 1U}) {
    const torch::Tensor noise = draw_gumbel({.seed = 2, .step = 0, .view = view}, chosen, 3);
    memberships += 0.5 * torch::softmax((outputs.logits[view] + noise) / 0.7, 1);
  }
  const torch::Tensor& z = outputs.features;
  const torch::Tensor mean = torch::nn::functional::normalize((z[0] + z[1]) / 2);
  const double e = options.objective.distortion;
  const double all = rate(mean, e);
  const double compressed = rate_of_clusters(mean, memberships, e);
  const double similarity = (z[0] * z[1]).sum(1).mean().item<double>();
  const StepStats& stats = trainer.history()[0];
  EXPECT_NEAR(stats.coding_rate, all, 1e-5);
  EXPECT_NEAR(stats.compressed_rate, compressed, 1e-5);
  EXPECT_NEAR(stats.similarity, similarity, 1e-5);
  EXPECT_NEAR(stats.loss, compressed - all - 3.0 * similarity, 1e-4);
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
