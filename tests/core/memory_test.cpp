// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>

#include "support/message_of.h"

namespace subspace {
namespace {

TEST(Memory, IsWithinReason) {
  EXPECT_GT(available_memory(), std::int64_t{1} << 26);
  EXPECT_GT(peak_memory(), 0);
  EXPECT_LT(peak_memory(), available_memory());
}

TEST(Memory, AContextsLimitHolds) {
  EXPECT_EQ(allowed_memory({.max_memory = 1000}), 1000.0);
  EXPECT_DOUBLE_EQ(allowed_memory({}), 0.8 * static_cast<double>(available_memory()));
}

TEST(Memory, RefusalNamesNeedLimitAndWayOut) {
  EXPECT_NO_THROW(check_memory("f", 1e9, 1e9, ""));
  EXPECT_EQ(testing::message_of<ResourceError>([] { check_memory("f", 4.2e9, 2e9, "use less"); }),
            "f: needs about 4.2 GB of memory, 2 GB allowed; use less");
}

}  // namespace
}  // namespace subspace
