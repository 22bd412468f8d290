// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "parameter_update.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "small_run.h"

namespace subspace::neural {
namespace {

NetworkOptions plain_network() {
  return {
      .backbone = Backbone::kMlp, .hidden = 6, .layers = 1, .features = 3, .cluster_outputs = 2};
}

Encoder plain_encoder() { return Encoder(plain_network(), point_shape(4), 5); }

/// The gradient of a fixed function of the outputs.
void differentiate(Encoder& encoder) {
  const torch::Tensor x = torch::linspace(-1.0, 1.0, 20).view({5, 1, 1, 4});
  const EncoderOutput output = encoder->output(x);
  (output.features.pow(2).sum() + output.logits.pow(3).sum()).backward();
}

std::vector<torch::Tensor> copies(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> all;
  for (const torch::Tensor& tensor : tensors) all.push_back(tensor.detach().clone());
  return all;
}

double distance(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

TEST(LearningRate, FallsByACosineOrStays) {
  OptimizerOptions options = {.learning_rate = 0.2};
  EXPECT_DOUBLE_EQ(learning_rate(options, 0, 10), 0.2);
  EXPECT_NEAR(learning_rate(options, 5, 10), 0.1, 1e-15);
  EXPECT_NEAR(learning_rate(options, 10, 10), 0.0, 1e-15);
  options.schedule = Schedule::kNone;
  EXPECT_DOUBLE_EQ(learning_rate(options, 9, 10), 0.2);
}

TEST(LearningRate, MayBeLaidOutForMoreStepsThanTheRunHas) {
  const OptimizerOptions plain = {.learning_rate = 0.2, .warmup = 3};
  OptimizerOptions excerpt = plain;
  excerpt.schedule_steps = 40;
  for (const int t : {0, 2, 3, 9}) {
    EXPECT_DOUBLE_EQ(learning_rate(excerpt, t, 10), learning_rate(plain, t, 40));
  }
  EXPECT_GT(learning_rate(excerpt, 9, 10), 5 * learning_rate(plain, 9, 10));
}

TEST(LearningRate, RisesToItsFullValueBeforeItFalls) {
  const OptimizerOptions options = {.learning_rate = 0.3, .warmup = 10};
  EXPECT_NEAR(learning_rate(options, 0, 600), 0.03, 1e-15);
  EXPECT_NEAR(learning_rate(options, 9, 600), 0.3, 1e-15);
  // What the released code comes to from there on: rate (1 + cos(pi t/T)) / (1 + cos(9 pi/T)).
  const double pi = std::acos(-1.0);
  for (const int t : {10, 300, 599}) {
    const double expected = 0.3 * (1 + std::cos(pi * t / 600)) / (1 + std::cos(9 * pi / 600));
    EXPECT_NEAR(learning_rate(options, t, 600), expected, 1e-15);
  }
}

// One step of each from w with gradient g, by the formulas of the header.
TEST(ParameterUpdate, FirstStepOfSgdAddsTheDecay) {
  Encoder encoder = plain_encoder();
  const auto before = copies(encoder->parameters());
  ParameterUpdate update(*encoder, {.optimizer = Optimizer::kSgd, .weight_decay = 0.5});
  differentiate(encoder);
  update.step(0.01);
  const auto after = encoder->parameters();
  for (std::size_t i = 0; i < after.size(); ++i) {
    // SGD must not have changed the gradient itself.
    EXPECT_LT(distance(after[i].detach(), before[i] - 0.01 * (after[i].grad() + 0.5 * before[i])),
              1e-6);
  }
}

TEST(ParameterUpdate, LarsScalesWeightsAndLeavesVectorsAlone) {
  for (const double trust : {0.02, 1e-4}) {  // beyond the clip and below it
    Encoder encoder = plain_encoder();
    const auto before = copies(encoder->parameters());
    ParameterUpdate update(*encoder,
                           {.optimizer = Optimizer::kLars, .trust = trust, .weight_decay = 0.3});
    differentiate(encoder);
    std::vector<torch::Tensor> slopes;
    for (const torch::Tensor& parameter : encoder->parameters()) {
      slopes.push_back(parameter.grad().clone());
    }
    const double rate = 0.005;
    update.step(rate);
    const auto after = encoder->parameters();
    for (std::size_t i = 0; i < after.size(); ++i) {
      torch::Tensor step = slopes[i];
      if (before[i].dim() > 1) {
        const double w = before[i].norm().item<double>();
        const double g = slopes[i].norm().item<double>();
        const double scale = std::min(trust * w / (g + 0.3 * w + 1e-8) / rate, 1.0);
        step = scale * (slopes[i] + 0.3 * before[i]);
      }
      EXPECT_LT(distance(after[i].detach(), before[i] - rate * step), 1e-7);
    }
  }
}

TEST(ParameterUpdate, TheClusterHeadMayHaveARateOfItsOwn) {
  Encoder encoder = plain_encoder();
  const auto before = copies(encoder->cluster_parameters());
  ParameterUpdate update(*encoder, {.cluster_learning_rate = 0.25, .cluster_weight_decay = 0.1});
  differentiate(encoder);
  update.step(1e-30);  // the rest stands still
  const auto after = encoder->cluster_parameters();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const torch::Tensor expected = before[i] - 0.25 * (after[i].grad() + 0.1 * before[i]);
    EXPECT_LT(distance(after[i].detach(), expected), 1e-6);
  }
}

TEST(ParameterUpdate, StateGoesOnAfterPutAndGet) {
  for (const Optimizer optimizer : {Optimizer::kAdam, Optimizer::kSgd, Optimizer::kLars}) {
    const OptimizerOptions options = {.optimizer = optimizer, .cluster_learning_rate = 0.1};
    Encoder first = plain_encoder();
    Encoder second = plain_encoder();
    ParameterUpdate of_first(*first, options);
    ParameterUpdate of_second(*second, options);
    for (ParameterUpdate* update : {&of_first, &of_second}) {
      Encoder& encoder = update == &of_first ? first : second;
      differentiate(encoder);
      update->step(0.01);
    }
    NamedArrays arrays;
    of_first.put(arrays);
    ParameterUpdate restored(*second, options);
    restored.get(arrays);
    for (ParameterUpdate* update : {&of_first, &restored}) {
      Encoder& encoder = update == &of_first ? first : second;
      update->zero_grad();
      differentiate(encoder);
      update->step(0.01);
    }
    for (std::size_t i = 0; i < first->parameters().size(); ++i) {
      EXPECT_TRUE(first->parameters()[i].equal(second->parameters()[i]));
    }
  }
}

TEST(ParameterUpdate, WhatIsNotTrainedIsNotMoved) {
  Encoder encoder = plain_encoder();
  encoder->train_only(TrainedPart::kHeads);
  const torch::Tensor before = encoder->named_parameters()["backbone.0.weight"].detach().clone();
  ParameterUpdate update(*encoder, {});
  differentiate(encoder);
  update.step(0.1);
  EXPECT_TRUE(encoder->named_parameters()["backbone.0.weight"].equal(before));
  NamedArrays arrays;
  update.put(arrays);
  EXPECT_FALSE(arrays.contains("optimizer/backbone.0.weight.mean"));
  EXPECT_TRUE(arrays.contains("optimizer/cluster.weight.mean"));
}

}  // namespace
}  // namespace subspace::neural
