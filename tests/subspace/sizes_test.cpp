// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/sizes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.h"

namespace subspace {
namespace {

TEST(Sizes, BytesOfMatricesDoNotOverflow) {
  EXPECT_EQ(matrix_bytes(2.0, 3, 5), 240.0);
  EXPECT_EQ(matrix_bytes(1.0, Index{1} << 40, Index{1} << 40), std::ldexp(8.0, 80));
}

// Eigen counts the entries of a sparse matrix in int and does not notice when that overflows.
TEST(Sizes, MoreEntriesThanAnIntCountsAreRefused) {
  EXPECT_NO_THROW(check_sparse_size("f", 0, ""));
  EXPECT_NO_THROW(check_sparse_size("f", 2147483647, ""));
  EXPECT_EQ(testing::message_of<ResourceError>(
                [] { check_sparse_size("f", Index{1} << 31, "keep fewer"); }),
            "f: 2147483648 entries exceed the largest sparse matrix (2147483647); keep fewer");
}

}  // namespace
}  // namespace subspace
