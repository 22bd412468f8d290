// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/runtime.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <subspace/core/error.h>

#include "thread_share.h"

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// Of an operation of LibTorch. (at::parallel_for would not tell: compiled here, without OpenMP, it
/// is a plain loop.)
double share_of_other_threads() {
  const torch::Tensor numbers = torch::rand({1 << 20}, torch::kFloat64);
  return testing::share_of_other_threads([&] {
    for (int repeat = 0; repeat < 30; ++repeat) numbers.exp();
  });
}

class Threads : public ::testing::Test {
 protected:
  void TearDown() override { set_num_threads(before_); }

 private:
  int before_ = num_threads();
};

TEST(Runtime, NamesItsVersion) { EXPECT_THAT(torch_version(), StartsWith("2.")); }

TEST_F(Threads, OneMeansOne) {
  set_num_threads(1);
  EXPECT_EQ(num_threads(), 1);
  testing::expect_share_in_new_process(
      [] {
        set_num_threads(1);
        return share_of_other_threads();
      },
      [](double share) { return share < 0.05; });
}

TEST_F(Threads, TwoAreUsedAgainAfterOne) {
  set_num_threads(1);
  set_num_threads(2);
  EXPECT_EQ(num_threads(), 2);
  EXPECT_GT(share_of_other_threads(), 0.2);
}

TEST_F(Threads, NoneIsRefused) {
  EXPECT_THAT([] { set_num_threads(0); },
              ThrowsMessage<InvalidArgument>("set_num_threads: n = 0, must satisfy n >= 1"));
}

TEST(Devices, TheCpuComesFirst) {
  const std::vector<Device> devices = list_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.front().name, "cpu");
  EXPECT_FALSE(devices.front().is_cuda());
}

TEST(Devices, EveryListedOneResolvesToItself) {
  for (const Device& device : list_devices()) {
    EXPECT_EQ(resolve_device(device.name).name, device.name);
    EXPECT_EQ(resolve_device(device.name).cuda_index, device.cuda_index);
  }
}

TEST(Devices, AutoTakesCudaWhereThereIsOne) {
  const bool has_cuda = list_devices().size() > 1;
  EXPECT_EQ(resolve_device("auto").is_cuda(), has_cuda);
}

TEST(Devices, AbsentCudaIsSaidPlainly) {
  if (list_devices().size() > 1) GTEST_SKIP() << "there is a CUDA device";
  for (const char* text : {"cuda", "cuda:0", "cuda:3"}) {
    EXPECT_THAT([&] { resolve_device(text); },
                ThrowsMessage<InvalidArgument>(HasSubstr("no CUDA device was found")));
  }
}

TEST(Devices, ABuildWithoutCudaSaysSo) {
  if (!cuda_version().empty()) GTEST_SKIP() << "built with CUDA " << cuda_version();
  EXPECT_THAT([] { resolve_device("cuda"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("this build is without CUDA")));
}

TEST(Devices, ABuildWithCudaHasItsKernels) {
  if (cuda_version().empty()) GTEST_SKIP() << "built without CUDA";
  EXPECT_THAT(cuda_version(), MatchesRegex("[0-9]+\\.[0-9]+"));
  // Registered by libtorch_cuda.so when it is loaded, with or without a device.
  EXPECT_TRUE(c10::Dispatcher::singleton()
                  .findSchemaOrThrow("aten::mm", "")
                  .hasKernelForDispatchKey(c10::DispatchKey::CUDA));
}

TEST(Devices, BeyondTheLastIsRefused) {
  EXPECT_THROW(resolve_device("cuda:1000"), InvalidArgument);
}

TEST(Devices, OtherWordsAreRefused) {
  for (const char* text : {"", "gpu", "CPU", "cpu:0", "cuda:", "cuda:-1", "cuda:1x", "cuda: 1"}) {
    EXPECT_THAT([&] { resolve_device(text); },
                ThrowsMessage<InvalidArgument>(HasSubstr("must be auto, cpu, cuda or cuda:n")))
        << text;
  }
}

}  // namespace
}  // namespace subspace::neural
