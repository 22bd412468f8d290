// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gtest/gtest.h>

#include <map>

#include <subspace/core/types.h>

namespace subspace::testing {

/// Whether two labelings group the points alike, whatever the groups are called.
inline ::testing::AssertionResult same_partition(const Labels& a, const Labels& b) {
  if (a.size() != b.size()) {
    return ::testing::AssertionFailure() << a.size() << " labels against " << b.size();
  }
  std::map<int, int> b_of_a;
  std::map<int, int> a_of_b;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const int expected_b = b_of_a.try_emplace(a[j], b[j]).first->second;
    const int expected_a = a_of_b.try_emplace(b[j], a[j]).first->second;
    if (expected_b != b[j] || expected_a != a[j]) {
      return ::testing::AssertionFailure()
             << "point " << j << ": label " << a[j] << " against " << b[j] << ", but " << a[j]
             << " went with " << expected_b << " and " << b[j] << " with " << expected_a;
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace subspace::testing
