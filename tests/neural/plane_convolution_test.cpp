// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tile_convolution.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <subspace/core/instruction_sets.h>
#include <subspace/neural/runtime.h>

#include "feature_tools.h"
#include "neural_kernels/tile_support.h"
#include "widened_convolution.h"

namespace subspace::neural {
namespace {

namespace nn = torch::nn;
constexpr auto kTogether = torch::MemoryFormat::ChannelsLast;

nn::Conv2d layer(int in, int out, int size, int stride) {
  torch::manual_seed(3);
  return nn::Conv2d(nn::Conv2dOptions(in, out, size).stride(stride).padding(size / 2).bias(false));
}

struct Trial {
  torch::Tensor out = {}, by_planes = {}, by_weights = {};
};

/// Weighs what `convolve` makes of x, so that every number of it has another gradient.
template <typename Convolve>
Trial trial(const torch::Tensor& x, const torch::Tensor& weight, const Convolve& convolve) {
  const torch::Tensor planes = x.clone(kTogether).requires_grad_(true);
  const torch::Tensor weights = weight.detach().clone(kTogether).requires_grad_(true);
  Trial result = {.out = convolve(planes, weights)};
  const torch::Tensor weighing = testing::gaussian(result.out.sizes(), 1).to(torch::kBFloat16);
  (result.out * weighing.to(result.out.scalar_type())).sum().backward();
  result.by_planes = planes.grad();
  result.by_weights = weights.grad();
  return result;
}

Trial by_tiles(const torch::Tensor& x, nn::Conv2d& convolution) {
  return trial(x, convolution->weight, [&](const auto& planes, const auto& weights) {
    convolution->weight = weights;
    EXPECT_TRUE(fits_tile_convolution(planes, *convolution));
    return tile_convolution(planes, *convolution);
  });
}

Trial by_widening(const torch::Tensor& x, nn::Conv2d& convolution) {
  return trial(x, convolution->weight, [&](const auto& planes, const auto& weights) {
    convolution->weight = weights;
    return widened_convolution(planes, *convolution);
  });
}

/// One rounding to bfloat16 of each result; weights are rounded before, as the double twin's are.
template <typename By>
void expect_values_and_gradients_of_libtorch(const By& by) {
  for (const int size : {1, 3}) {
    for (const int stride : {1, 2}) {
      nn::Conv2d convolution = layer(24, 40, size, stride);
      const torch::Tensor x = testing::gaussian({300, 24, 7, 6}).to(torch::kBFloat16);
      const torch::Tensor rounded =
          convolution->weight.detach().to(torch::kBFloat16).to(torch::kFloat64);
      const Trial expected = trial(
          x.to(torch::kFloat64), rounded,
          [&](const auto& a, const auto& w) { return torch::conv2d(a, w, {}, stride, size / 2); });
      const Trial found = by(x, convolution);
      EXPECT_EQ(found.out.scalar_type(), torch::kBFloat16);
      EXPECT_TRUE(found.out.is_contiguous(kTogether));
      EXPECT_LT(testing::relative_distance(found.out, expected.out), 1.0 / 256);
      EXPECT_EQ(found.by_planes.scalar_type(), torch::kBFloat16);
      EXPECT_LT(testing::relative_distance(found.by_planes, expected.by_planes), 1.0 / 256);
      EXPECT_EQ(found.by_weights.scalar_type(), torch::kFloat32);
      EXPECT_LT(testing::relative_distance(found.by_weights, expected.by_weights), 1e-5);
    }
  }
}

class TileConvolution : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bfloat16_tiles()) GTEST_SKIP() << testing::why_no_tiles();
  }
};

TEST_F(TileConvolution, HasTheValuesAndGradientsOfLibTorch) {
  expect_values_and_gradients_of_libtorch(by_tiles);
}

TEST_F(TileConvolution, DoesNotDependOnTheNumberOfThreads) {
  nn::Conv2d convolution = layer(32, 32, 3, 1);
  const torch::Tensor x = testing::gaussian({700, 32, 4, 4}).to(torch::kBFloat16);
  const int before = num_threads();
  set_num_threads(1);
  const Trial one = by_tiles(x, convolution);
  set_num_threads(5);
  const Trial five = by_tiles(x, convolution);
  set_num_threads(before);
  EXPECT_TRUE(one.out.equal(five.out));
  EXPECT_TRUE(one.by_planes.equal(five.by_planes));
  EXPECT_TRUE(one.by_weights.equal(five.by_weights));
}

TEST(WidenedConvolution, HasTheValuesAndGradientsOfLibTorch) {
  expect_values_and_gradients_of_libtorch(by_widening);
}

TEST(WidenedConvolution, IsForProcessorsThatWouldEmulate) {
  const torch::Tensor x = testing::gaussian({2, 8, 6, 6});
  EXPECT_FALSE(needs_widening(x));
  EXPECT_EQ(needs_widening(x.to(torch::kBFloat16)), lacks_bfloat16());
}

// What the form says does not depend on the processor, so this runs on all of them.
TEST(FormForTiles, LeavesOthersToLibTorch) {
  const torch::Tensor x = testing::gaussian({2, 8, 6, 6}).to(torch::kBFloat16).clone(kTogether);
  const auto usual = nn::Conv2dOptions(8, 8, 3).padding(1).bias(false);
  EXPECT_TRUE(has_form_for_tiles(x, *layer(8, 8, 3, 1)));
  EXPECT_EQ(fits_tile_convolution(x, *layer(8, 8, 3, 1)), has_bfloat16_tiles());
  EXPECT_FALSE(has_form_for_tiles(x.to(torch::kFloat32), *layer(8, 8, 3, 1)));
  EXPECT_FALSE(has_form_for_tiles(x.contiguous(), *layer(8, 8, 3, 1)));
  EXPECT_FALSE(has_form_for_tiles(x, *layer(8, 8, 5, 1)));
  EXPECT_FALSE(has_form_for_tiles(x, *layer(16, 8, 3, 1)));
  EXPECT_FALSE(has_form_for_tiles(x, *nn::Conv2d(nn::Conv2dOptions(usual).padding(0))));
  EXPECT_FALSE(has_form_for_tiles(x, *nn::Conv2d(nn::Conv2dOptions(usual).bias(true))));
  EXPECT_FALSE(
      has_form_for_tiles(x, *nn::Conv2d(nn::Conv2dOptions(usual).padding_mode(torch::kReflect))));
}

}  // namespace
}  // namespace subspace::neural
