// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;

TEST(Npy, ArraysSurvive) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{}, {3}, {2, 3}, {0, 3}, {4, 1, 5, 5}}) {
    std::size_t size = 4;
    for (const auto length : shape) size *= static_cast<std::size_t>(length);
    const NpyArray array = {"<f4", shape, std::string(size, 'x')};
    const std::string file = to_npy(array);
    EXPECT_EQ((file.size() - size) % 64, 0U);
    EXPECT_EQ(from_npy(file), array);
  }
}

TEST(Npy, HeaderIsNumPys) {
  const std::string file = to_npy({"<f8", {2}, std::string(16, 'x')});
  EXPECT_THAT(file, HasSubstr("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"));
  EXPECT_THAT(to_npy({"<i8", {}, std::string(8, 'x')}), HasSubstr("'shape': (), }"));
}

TEST(Npy, WrongSizesAreRefused) {
  const std::string file = to_npy({"<f4", {2, 3}, std::string(24, 'x')});
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(from_npy(file.substr(0, size)), IoError) << size;
  }
  EXPECT_THROW(from_npy(file + "x"), IoError);
  EXPECT_THROW(from_npy(to_npy({"<f4", {1LL << 40, 1LL << 40}, ""})), IoError);
}

}  // namespace
}  // namespace subspace::neural
