// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "shrinking_stem.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <ostream>
#include <vector>

#include "feature_tools.h"

namespace subspace::neural {
namespace {

namespace nn = torch::nn;
using testing::gaussian;
using testing::relative_distance;
using testing::rounded_gaussian;

/// The two layers with parameters; scales of both signs and zero among them.
struct Layers {
  nn::Conv2d convolution{nullptr};
  nn::BatchNorm2d norm{nullptr};
};

Layers layers(int channels, int filters, int size, torch::ScalarType type) {
  Layers made;
  made.convolution = nn::Conv2d(
      nn::Conv2dOptions(channels, filters, size).stride(2).padding(size / 2).bias(false));
  made.norm = nn::BatchNorm2d(filters);
  const torch::NoGradGuard no_graph;
  made.convolution->weight.copy_(rounded_gaussian(made.convolution->weight.sizes(), 8.0, 1));
  made.norm->weight.copy_(gaussian({filters}, 2));
  made.norm->weight[0] = 0.0;
  made.norm->bias.copy_(0.2 * gaussian({filters}, 3));
  made.convolution->to(type);
  made.norm->to(type);
  made.norm->num_batches_tracked.zero_();
  return made;
}

/// The four modules one after the other, in double precision.
torch::Tensor one_by_one(const torch::Tensor& pictures, Layers& own) {
  return torch::max_pool2d(torch::relu(own.norm(own.convolution(pictures))), 3, 2, 1);
}

struct Case {
  int count, channels, height, width, size, filters;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.count << " pictures " << c.channels << "x" << c.height << "x" << c.width << ", "
       << c.filters << " filters of " << c.size;
}

/// Bright smooth pictures, filters that sum to zero: the variance is a small difference of moments.
TEST(ShrinkingStemAlone, KeepsTheDigitsOfSmallVariances) {
  const torch::Tensor ramp = torch::linspace(0.8, 0.9, 32, torch::kFloat64);
  const torch::Tensor pictures =
      (ramp.view({1, 1, 32, 1}) + 0.3 * ramp.view({1, 1, 1, 32})).expand({12, 1, 32, 32}) +
      0.001 * gaussian({12, 1, 32, 32}, 5);
  Layers exact = layers(1, 16, 5, torch::kFloat64);
  {
    const torch::NoGradGuard no_graph;
    exact.convolution->weight.sub_(exact.convolution->weight.mean({1, 2, 3}, true));
  }
  Layers own = layers(1, 16, 5, torch::kFloat32);
  own.convolution->weight.set_data(exact.convolution->weight.to(torch::kFloat32).detach());
  const torch::Tensor expected =
      one_by_one(pictures.to(torch::kFloat32).to(torch::kFloat64), exact);
  const torch::Tensor found =
      shrinking_stem(pictures.to(torch::kFloat32), *own.convolution, *own.norm);
  EXPECT_LT(relative_distance(found, expected), 1e-4);
  EXPECT_LT(relative_distance(own.norm->running_var, exact.norm->running_var), 1e-5);
}

class ShrinkingStem : public ::testing::TestWithParam<Case> {};

TEST_P(ShrinkingStem, HasValuesGradientsAndStatisticsOfItsModules) {
  const auto [count, channels, height, width, size, filters] = GetParam();
  const torch::Tensor pictures = rounded_gaussian({count, channels, height, width}, 8.0);
  Layers exact = layers(channels, filters, size, torch::kFloat64);
  Layers own = layers(channels, filters, size, torch::kFloat32);
  const torch::Tensor single = pictures.to(torch::kFloat32);
  ASSERT_TRUE(fits_shrinking_stem(single, *own.convolution, *own.norm));
  const torch::Tensor expected = one_by_one(pictures, exact);
  const torch::Tensor found = shrinking_stem(single, *own.convolution, *own.norm);
  ASSERT_EQ(found.sizes(), expected.sizes());
  EXPECT_TRUE(found.is_contiguous(torch::MemoryFormat::ChannelsLast) || filters == 1);
  EXPECT_LT(relative_distance(found, expected), 1e-5);
  const torch::Tensor weights = rounded_gaussian(expected.sizes(), 8.0, 4);
  (expected * weights).sum().backward();
  (found * weights.to(torch::kFloat32)).sum().backward();
  EXPECT_LT(relative_distance(own.convolution->weight.grad(), exact.convolution->weight.grad()),
            2e-5);
  EXPECT_LT(relative_distance(own.norm->weight.grad(), exact.norm->weight.grad()), 2e-5);
  EXPECT_LT(relative_distance(own.norm->bias.grad(), exact.norm->bias.grad()), 2e-5);
  EXPECT_LT(relative_distance(own.norm->running_mean, exact.norm->running_mean), 1e-5);
  EXPECT_LT(relative_distance(own.norm->running_var, exact.norm->running_var), 1e-5);
  EXPECT_EQ(own.norm->num_batches_tracked.item<std::int64_t>(), 1);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShrinkingStem,
                         ::testing::Values(Case{9, 1, 64, 64, 5, 32}, Case{3, 3, 32, 32, 5, 16},
                                           Case{2, 3, 33, 47, 7, 64}, Case{17, 1, 11, 7, 5, 5},
                                           Case{1, 1, 64, 64, 5, 32}, Case{2, 2, 5, 6, 7, 3},
                                           Case{5, 1, 1, 1, 5, 1}, Case{4, 1, 2, 9, 3, 33}));

TEST(ShrinkingStemAlone, DoesNotDependOnTheNumberOfThreads) {
  const torch::Tensor pictures = gaussian({41, 1, 32, 32}).to(torch::kFloat32);
  const int before = torch::get_num_threads();
  std::vector<torch::Tensor> values;
  std::vector<torch::Tensor> gradients;
  for (const int threads : {1, 2, 3}) {
    torch::set_num_threads(threads);
    Layers own = layers(1, 32, 5, torch::kFloat32);
    values.push_back(shrinking_stem(pictures, *own.convolution, *own.norm));
    values.back().square().sum().backward();
    gradients.push_back(own.convolution->weight.grad());
  }
  torch::set_num_threads(before);
  for (std::size_t i = 1; i < values.size(); ++i) {
    EXPECT_TRUE(values[i].equal(values[0]));
    EXPECT_TRUE(gradients[i].equal(gradients[0]));
  }
}

TEST(ShrinkingStemAlone, LetsBrokenWeightsBeSeen) {
  const torch::Tensor pictures = gaussian({2, 1, 16, 16}).to(torch::kFloat32);
  for (const bool in_filters : {true, false}) {
    Layers own = layers(1, 4, 5, torch::kFloat32);
    const torch::NoGradGuard no_graph;
    (in_filters ? own.convolution->weight.flatten() : own.norm->bias)[1] = std::nan("");
    EXPECT_TRUE(shrinking_stem(pictures, *own.convolution, *own.norm).isnan().any().item<bool>());
  }
}

TEST(ShrinkingStemAlone, LeavesToLibtorchWhatItDoesNotTake) {
  Layers own = layers(1, 4, 5, torch::kFloat32);
  const torch::Tensor pictures = torch::zeros({2, 1, 16, 16});
  EXPECT_FALSE(fits_shrinking_stem(pictures.to(torch::kFloat64), *own.convolution, *own.norm));
  EXPECT_FALSE(
      fits_shrinking_stem(pictures.clone().requires_grad_(true), *own.convolution, *own.norm));
  Layers dense = layers(1, 4, 5, torch::kFloat32);
  dense.convolution->options.stride(1);
  EXPECT_FALSE(fits_shrinking_stem(pictures, *dense.convolution, *dense.norm));
  own.norm->eval();
  EXPECT_FALSE(fits_shrinking_stem(pictures, *own.convolution, *own.norm));
}

}  // namespace
}  // namespace subspace::neural
