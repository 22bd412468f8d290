// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_relu.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <subspace/core/parallel.h>

#include "feature_tools.h"
#include "thread_share.h"

namespace subspace::neural {
namespace {

namespace nn = torch::nn;
using testing::gaussian;
using testing::relative_distance;
using testing::rounded_gaussian;

constexpr auto kTogether = torch::MemoryFormat::ChannelsLast;
constexpr double kSomeShare = 0.05;

/// Scales of both signs and zero among them; statistics that have seen other batches.
nn::BatchNorm2d norm_of(std::int64_t channels, torch::ScalarType type) {
  nn::BatchNorm2d norm(channels);
  const torch::NoGradGuard no_graph;
  norm->weight.copy_(gaussian({channels}, 1));
  norm->weight[0] = 0.0;
  norm->bias.copy_(0.2 * gaussian({channels}, 2));
  norm->running_mean.copy_(gaussian({channels}, 3));
  norm->to(type);
  return norm;
}

/// The input, what is added, the layer and the gradients of all of them.
struct Trial {
  torch::Tensor x = {}, added = {}, out = {};
  nn::BatchNorm2d norm{nullptr};
};

Trial trial(const torch::Tensor& x, const torch::Tensor& added, torch::ScalarType type) {
  Trial made = {.norm = norm_of(x.size(1), type)};
  made.x = x.to(type).clone(kTogether).requires_grad_(true);
  if (added.defined()) made.added = added.to(type).clone(kTogether).requires_grad_(true);
  made.out = norm_relu(made.x, *made.norm, made.added);
  (made.out * rounded_gaussian(x.sizes(), 64.0, 4).to(type)).sum().backward();
  return made;
}

// LibTorch's own modules in double precision are the judge: norm_relu() leaves them that type.
TEST(NormRelu, HasValuesGradientsAndStatisticsOfItsModules) {
  struct Case {
    std::int64_t count, channels, height, width;
  };
  for (const auto& [count, channels, height, width] :
       {Case{5, 32, 16, 16}, Case{3, 64, 9, 7}, Case{40, 33, 8, 8}, Case{2, 1, 1, 1}}) {
    for (const bool adds : {false, true}) {
      SCOPED_TRACE(std::to_string(channels) + (adds ? " channels, added" : " channels"));
      // Far from zero: the variance must not drown in the square of the mean.
      const torch::Tensor x = 5.0 + rounded_gaussian({count, channels, height, width}, 64.0);
      const torch::Tensor added = adds ? rounded_gaussian(x.sizes(), 64.0, 5) : torch::Tensor();
      const Trial exact = trial(x, added, torch::kFloat64);
      const Trial own = trial(x, added, torch::kFloat32);
      EXPECT_LT(relative_distance(own.out, exact.out), 1e-5);
      EXPECT_LT(relative_distance(own.x.grad(), exact.x.grad()), 2e-5);
      EXPECT_LT(relative_distance(own.norm->weight.grad(), exact.norm->weight.grad()), 2e-5);
      EXPECT_LT(relative_distance(own.norm->bias.grad(), exact.norm->bias.grad()), 2e-5);
      EXPECT_LT(relative_distance(own.norm->running_mean, exact.norm->running_mean), 1e-5);
      EXPECT_LT(relative_distance(own.norm->running_var, exact.norm->running_var), 1e-5);
      EXPECT_EQ(own.norm->num_batches_tracked.item<std::int64_t>(), 1);
      if (adds) {
        EXPECT_LT(relative_distance(own.added.grad(), exact.added.grad()), 1e-6);
      }
    }
  }
}

// With planes of bfloat16 the layer's parameters, their gradients and the statistics stay single.
TEST(NormRelu, OfBFloat16IsNearItsModules) {
  const torch::Tensor x = 1.0 + rounded_gaussian({8, 32, 16, 16}, 64.0);
  const torch::Tensor added = rounded_gaussian(x.sizes(), 64.0, 5);
  for (const torch::Tensor& more : {torch::Tensor(), added}) {
    const Trial exact = trial(x.to(torch::kBFloat16), more, torch::kFloat64);
    Trial own = {.norm = norm_of(32, torch::kFloat32)};
    own.x = x.to(torch::kBFloat16).clone(kTogether).requires_grad_(true);
    if (more.defined()) own.added = more.to(torch::kBFloat16).clone(kTogether);
    own.out = norm_relu(own.x, *own.norm, own.added);
    ASSERT_EQ(own.out.scalar_type(), torch::kBFloat16);
    (own.out * rounded_gaussian(x.sizes(), 64.0, 4)).sum().backward();
    // Half a unit in the last of 8 bits is 2e-3.
    EXPECT_LT(relative_distance(own.out, exact.out), 4e-3);
    EXPECT_LT(relative_distance(own.x.grad(), exact.x.grad()), 2e-2);
    EXPECT_EQ(own.norm->weight.grad().scalar_type(), torch::kFloat32);
    EXPECT_LT(relative_distance(own.norm->weight.grad(), exact.norm->weight.grad()), 1e-2);
    EXPECT_LT(relative_distance(own.norm->bias.grad(), exact.norm->bias.grad()), 1e-2);
    EXPECT_LT(relative_distance(own.norm->running_mean, exact.norm->running_mean), 1e-5);
    EXPECT_LT(relative_distance(own.norm->running_var, exact.norm->running_var), 1e-5);
  }
}

TEST(NormRelu, DoesNotDependOnTheNumberOfThreads) {
  const torch::Tensor x = gaussian({30, 32, 16, 16});
  const int before = torch::get_num_threads();
  std::vector<Trial> trials;
  for (const int threads : {1, 2, 3}) {
    torch::set_num_threads(threads);
    trials.push_back(trial(x, {}, torch::kFloat32));
  }
  torch::set_num_threads(before);
  for (const Trial& other : trials) {
    EXPECT_TRUE(other.out.equal(trials[0].out));
    EXPECT_TRUE(other.x.grad().equal(trials[0].x.grad()));
  }
}

/// The largest share that threads other than the caller's had in several rounds: one of them may
/// sleep for some rounds where the machine is busy. A call takes tens of milliseconds, longer than
/// a thread waits for a processor that something else is using.
double largest_share_of_others() {
  torch::set_num_threads(1);  // OpenMP makes no threads for the operations of LibTorch itself
  const torch::Tensor x = gaussian({200, 32, 64, 64}).to(torch::kFloat32).clone(kTogether);
  nn::BatchNorm2d norm = norm_of(32, torch::kFloat32);
  torch::set_num_threads(2);
  double largest = 0.0;
  for (int round = 0; round < 50 && largest <= kSomeShare; ++round) {
    largest = std::max(largest, testing::share_of_other_threads([&] {
                         for (int i = 0; i < 4; ++i) norm_relu(x, *norm);
                       }));
  }
  return largest;
}

/// Its loops are shared among the threads that LibTorch may use.
TEST(NormRelu, WorksOnSeveralThreads) {
  if (available_threads() < 2) GTEST_SKIP() << "one processor";
  testing::expect_share_in_new_process(largest_share_of_others,
                                       [](double share) { return share > kSomeShare; });
}

TEST(NormRelu, UsesRunningStatisticsOnceTrained) {
  const torch::Tensor x = gaussian({3, 4, 6, 6}).to(torch::kFloat32).contiguous(kTogether);
  nn::BatchNorm2d norm = norm_of(4, torch::kFloat32);
  norm->eval();
  const torch::Tensor before = norm->running_mean.clone();
  EXPECT_TRUE(norm_relu(x, *norm).equal(norm(x).relu()));
  EXPECT_TRUE(norm->running_mean.equal(before));
}

TEST(NormRelu, LetsBrokenNumbersThrough) {
  torch::Tensor x = gaussian({2, 4, 3, 3}).to(torch::kFloat32).contiguous(kTogether);
  x[1][2][0][0] = std::nan("");
  nn::BatchNorm2d norm = norm_of(4, torch::kFloat32);
  EXPECT_TRUE(norm_relu(x, *norm).isnan().any().item<bool>());
}

}  // namespace
}  // namespace subspace::neural
