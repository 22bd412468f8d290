// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/encoder.h>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include <subspace/core/error.h>

#include "feature_tools.h"

namespace subspace::neural {
namespace {

constexpr ImageShape kGrey = {.channels = 1, .height = 64, .width = 64};
constexpr ImageShape kColour = {.channels = 3, .height = 16, .width = 16};

NetworkOptions coil100() {
  return {.backbone = Backbone::kResnet10, .features = 200, .cluster_outputs = 99};
}

NetworkOptions small() {
  return {.backbone = Backbone::kResnet10, .filters = 4, .hidden = 16, .features = 5};
}

torch::Tensor ramp(std::int64_t n, std::int64_t channels, std::int64_t size) {
  const torch::Tensor numbers = torch::arange(n * channels * size * size, torch::kFloat32);
  return (numbers * 0.37).sin().abs().view({n, channels, size, size});
}

// The totals include the heads that the COIL scripts carry along unused (19 and 99 outputs).
TEST(Encoder, HasTheParametersOfTheCoilNetworks) {
  const Encoder coil20_encoder(NetworkOptions{.cluster_outputs = 19}, kGrey, 0);
  EXPECT_EQ(coil20_encoder->num_parameters(), 4097563);
  EXPECT_EQ(coil20_encoder->num_backbone_parameters(), 2794976);
  const Encoder coil100_encoder(coil100(), kGrey, 0);
  EXPECT_EQ(coil100_encoder->num_parameters(), 3512203);
  EXPECT_EQ(coil100_encoder->num_backbone_parameters(), 1226336);
}

/// All but biases and normalisation, which are less than a hundredth.
TEST(Encoder, WeightsAreCountedWithoutMakingANetwork) {
  const ImageShape shape = {.channels = 1, .height = 64, .width = 64};
  for (const NetworkOptions& options : {NetworkOptions{}, coil100()}) {
    const auto all = static_cast<double>(Encoder(options, kGrey, 0)->num_parameters());
    const double weights = num_weights(options, shape);
    EXPECT_LT(weights, all);
    EXPECT_GT(weights, 0.99 * all);
  }
}

/// Counted layer by layer: 36.6 and 18.4 million.
TEST(Encoder, CostIsThatOfTheCoilNetworks) {
  const ImageShape shape = {.channels = 1, .height = 64, .width = 64};
  EXPECT_NEAR(multiply_adds_per_image(NetworkOptions{}, shape), 36.6e6, 0.1e6);
  EXPECT_NEAR(multiply_adds_per_image({.backbone = Backbone::kResnet10, .features = 200}, shape),
              18.4e6, 0.1e6);
}

TEST(Encoder, CostGrowsWithThePictures) {
  const ImageShape small_shape = {.channels = 1, .height = 32, .width = 32};
  const ImageShape large_shape = {.channels = 3, .height = 64, .width = 64};
  const NetworkOptions options;
  EXPECT_LT(multiply_adds_per_image(options, small_shape),
            multiply_adds_per_image(options, large_shape));
  EXPECT_LT(bytes_per_image(options, small_shape, true),
            bytes_per_image(options, large_shape, true));
  EXPECT_LE(bytes_per_image(options, small_shape, false),
            bytes_per_image(options, small_shape, true));
}

TEST(Encoder, FeaturesAreUnitRows) {
  Encoder encoder(small(), kColour, 1);
  const torch::Tensor Z = encoder->forward(ramp(6, 3, 16));
  EXPECT_EQ(Z.sizes(), (std::vector<std::int64_t>{6, 5}));
  EXPECT_LT((Z.norm(2, 1) - 1.0).abs().max().item<double>(), 1e-6);
}

/// In double precision every layer is LibTorch's own; in single precision stem and normalisation
/// are ours. The same weights must give the same values and gradients.
TEST(Encoder, HasTheValuesAndGradientsOfItsModules) {
  for (const Stem stem : {Stem::k5x5, Stem::k7x7, Stem::k3x3}) {
    for (const int channels : {1, 3}) {
      SCOPED_TRACE(message("stem ", static_cast<int>(stem), ", ", channels, " channels"));
      NetworkOptions options = small();
      options.stem = stem;
      options.filters = 8;
      const ImageShape shape = {.channels = channels, .height = 24, .width = 20};
      Encoder own(options, shape, 1);
      Encoder exact(options, shape, 1);
      exact->to(torch::kFloat64);
      const torch::Tensor images = testing::gaussian({6, channels, 24, 20}).abs();
      const torch::Tensor weights = testing::gaussian({6, 64}, 1);
      const torch::Tensor pool = own->output(images.to(torch::kFloat32)).pool;
      const torch::Tensor expected = exact->output(images).pool;
      EXPECT_LT(testing::relative_distance(pool, expected), 1e-4);
      (pool * weights.to(torch::kFloat32)).sum().backward();
      (expected * weights).sum().backward();
      const auto of_own = own->named_parameters();
      for (const auto& parameter : exact->named_parameters()) {
        if (!parameter.value().grad().defined()) continue;
        const torch::Tensor& gradient = of_own[parameter.key()].grad();
        ASSERT_TRUE(gradient.defined()) << parameter.key();
        // A ReLU near zero may fall to the other side in single precision.
        EXPECT_LT(testing::relative_distance(gradient, parameter.value().grad()), 2e-2)
            << parameter.key();
      }
    }
  }
}

/// Of all numbers together: where a ReLU falls to the other side, single ones differ by all they
/// are.
double share_that_differs(const torch::Tensor& found, const torch::Tensor& expected) {
  const torch::Tensor reference = expected.to(torch::kFloat64);
  return ((found.to(torch::kFloat64) - reference).norm() / reference.norm()).item<double>();
}

/// A block alone, whose double-precision twin is LibTorch's own. Of the gradients that reach a ReLU
/// about one in 200 falls to the other side, so that they differ by some sqrt(1 / 200); what each
/// kernel computes has sharper tests of its own.
TEST(BasicBlock, OfBFloat16HasTheValuesAndGradientsOfItsModules) {
  for (const int stride : {1, 2}) {
    torch::manual_seed(1);
    BasicBlock own(16, stride == 1 ? 16 : 32, stride);
    torch::manual_seed(1);
    BasicBlock exact(16, stride == 1 ? 16 : 32, stride);
    exact->to(torch::kFloat64);
    const auto together = torch::MemoryFormat::ChannelsLast;
    const torch::Tensor x = testing::gaussian({24, 16, 12, 12}).to(torch::kBFloat16);
    torch::Tensor narrow = x.clone(together).requires_grad_(true);
    torch::Tensor wide = x.to(torch::kFloat64).requires_grad_(true);
    const torch::Tensor found = own->forward(narrow);
    const torch::Tensor expected = exact->forward(wide);
    EXPECT_EQ(found.scalar_type(), torch::kBFloat16);
    EXPECT_LT(testing::relative_distance(found, expected), 0.02);
    const torch::Tensor weights = testing::gaussian(expected.sizes(), 1);
    (found * weights.to(torch::kFloat32)).sum().backward();
    (expected * weights).sum().backward();
    EXPECT_LT(share_that_differs(narrow.grad(), wide.grad()), 0.2);
    const auto of_own = own->named_parameters();
    for (const auto& parameter : exact->named_parameters()) {
      const torch::Tensor& gradient = of_own[parameter.key()].grad();
      ASSERT_TRUE(gradient.defined()) << parameter.key();
      EXPECT_EQ(gradient.scalar_type(), torch::kFloat32);
      EXPECT_LT(share_that_differs(gradient, parameter.value().grad()), 0.2) << parameter.key();
    }
  }
}

TEST(Encoder, OfBFloat16IsSinglePrecisionOutside) {
  NetworkOptions options = small();
  options.precision = Precision::kBFloat16;
  Encoder narrow(options, kGrey, 1);
  const torch::Tensor Z = narrow->forward(ramp(6, 1, 64));
  EXPECT_EQ(Z.scalar_type(), torch::kFloat32);
  EXPECT_FALSE(Z.equal(Encoder(small(), kGrey, 1)->forward(ramp(6, 1, 64))));
  Z.square().select(1, 0).sum().backward();
  for (const auto& parameter : narrow->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_EQ(parameter.value().grad().scalar_type(), torch::kFloat32) << parameter.key();
  }
}

TEST(Encoder, OfBFloat16IsReadInSinglePrecision) {
  NetworkOptions options = small();
  Encoder single(options, kGrey, 1);
  options.precision = Precision::kBFloat16;
  Encoder narrow(options, kGrey, 1);
  single->eval();
  narrow->eval();
  EXPECT_TRUE(narrow->forward(ramp(4, 1, 64)).equal(single->forward(ramp(4, 1, 64))));
  EXPECT_LT(bytes_per_image(options, kGrey, true), bytes_per_image(small(), kGrey, true));
}

TEST(Encoder, ConvolutionsKeepChannelsTogether) {
  const Encoder encoder(small(), kGrey, 1);
  for (const torch::Tensor& parameter : encoder->parameters()) {
    if (parameter.dim() == 4) {
      EXPECT_TRUE(parameter.is_contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
}

TEST(Encoder, InitialWeightsAreThoseOfTheSeed) {
  const auto first = Encoder(small(), kGrey, 3)->parameters();
  const auto same = Encoder(small(), kGrey, 3)->parameters();
  const auto other = Encoder(small(), kGrey, 4)->parameters();
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(first[i].equal(same[i]));
  EXPECT_FALSE(first[0].equal(other[0]));
}

TEST(Encoder, InitialWeightsFillTheirInterval) {
  const Encoder encoder(NetworkOptions{.backbone = Backbone::kResnet10}, kGrey, 3);
  const torch::Tensor weight = encoder->named_parameters()["subspace.weight"].detach();
  const double bound = 1.0 / std::sqrt(4096.0);
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_GT(weight.abs().max().item<double>(), 0.999 * bound);
  EXPECT_NEAR(weight.mean().item<double>(), 0.0, 0.01 * bound);
  EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), 0.01 * bound);
}

TEST(Encoder, InEvaluationOneImageDoesNotSeeTheOthers) {
  Encoder encoder(small(), kGrey, 1);
  encoder->forward(ramp(8, 1, 16));
  encoder->eval();
  const torch::Tensor images = ramp(8, 1, 16);
  const torch::Tensor together = encoder->forward(images);
  const torch::Tensor alone = encoder->forward(images.slice(0, 2, 3));
  EXPECT_LT((together.slice(0, 2, 3) - alone).abs().max().item<double>(), 1e-5);
}

TEST(Encoder, EveryParameterOfTheFeaturesLearns) {
  Encoder encoder(small(), kGrey, 1);
  encoder->forward(ramp(8, 1, 16)).select(1, 0).sum().backward();
  for (const auto& named : encoder->named_parameters()) {
    EXPECT_TRUE(named.value().grad().defined()) << named.key();
  }
}

// He et al.'s ImageNet networks without their classifiers: 11 176 512 and 21 284 672 parameters.
TEST(Encoder, HasTheParametersOfThePublishedBackbones) {
  const Encoder resnet18(NetworkOptions{.stem = Stem::k7x7, .filters = 64}, kColour, 0);
  EXPECT_EQ(resnet18->num_backbone_parameters(), 11176512);
  const Encoder resnet34(
      NetworkOptions{.backbone = Backbone::kResnet34, .stem = Stem::k7x7, .filters = 64}, kColour,
      0);
  EXPECT_EQ(resnet34->num_backbone_parameters(), 21284672);
  // The CIFAR form has a 3 x 3 stem: 3 * 64 * (49 - 9) weights less.
  const Encoder cifar(NetworkOptions{.stem = Stem::k3x3, .filters = 64}, kColour, 0);
  EXPECT_EQ(cifar->num_backbone_parameters(), 11176512 - 3 * 64 * 40);
}

TEST(Encoder, ASmallStemKeepsThePicture) {
  NetworkOptions options = small();
  options.stem = Stem::k3x3;
  const double small_stem = multiply_adds_per_image(options, kColour);
  options.stem = Stem::k5x5;
  EXPECT_GT(small_stem, 5.0 * multiply_adds_per_image(options, kColour));
  options.stem = Stem::k3x3;
  Encoder encoder(options, kColour, 1);
  const EncoderOutput output = encoder->output(ramp(4, 3, 16));
  EXPECT_EQ(output.pool.sizes(), (std::vector<std::int64_t>{4, 32}));
  EXPECT_EQ(output.hidden.sizes(), (std::vector<std::int64_t>{4, 16}));
  EXPECT_FALSE(output.logits.defined());
}

TEST(Encoder, PlainNetworksAreThoseOfTheSyntheticExperiments) {
  // 2 -> 128 x 5 -> 6 features and 2 clusters.
  const NetworkOptions options = {
      .backbone = Backbone::kMlp, .hidden = 128, .layers = 5, .features = 6, .cluster_outputs = 2};
  Encoder encoder(options, point_shape(2), 0);
  EXPECT_EQ(encoder->num_parameters(), 3 * 128 + 4 * 129 * 128 + 129 * 8);
  const torch::Tensor points = torch::linspace(-1, 1, 14).view({7, 1, 1, 2});
  EXPECT_EQ(encoder->output(points).logits.sizes(), (std::vector<std::int64_t>{7, 2}));
  EXPECT_EQ(multiply_adds_per_image(options, point_shape(2)), 2 * 128 + 4 * 128 * 128 + 128 * 8);
}

TEST(Encoder, GradientsReachOnlyWhatIsTrained) {
  NetworkOptions options = small();
  options.cluster_outputs = 2;
  Encoder encoder(options, kGrey, 1);
  encoder->train_only(TrainedPart::kHeads);
  const EncoderOutput output = encoder->output(ramp(8, 1, 16));
  EXPECT_FALSE(output.hidden.requires_grad());
  (output.features.sum() + output.logits.sum()).backward();
  for (const auto& named : encoder->named_parameters()) {
    const bool head = named.key().starts_with("subspace") || named.key().starts_with("cluster");
    EXPECT_EQ(named.value().grad().defined(), head) << named.key();
  }
}

TEST(NetworkOptions, DescribesEveryField) {
  NetworkOptions options;
  EXPECT_EQ(describe(options).size(), 8U);
  set_from_text(describe(options)[0], "resnet10", "backbone");
  EXPECT_EQ(options.backbone, Backbone::kResnet10);
}

}  // namespace
}  // namespace subspace::neural
