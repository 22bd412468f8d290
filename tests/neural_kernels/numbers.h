// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <subspace/core/random.h>

namespace subspace::neural::testing {

/// Normal numbers in steps of 1/8: sums of products of few of them are exact in single precision.
inline std::vector<float> rounded_numbers(std::size_t count, std::uint32_t index) {
  RandomStream random = stream(7, Stream::kTest, index);
  std::vector<float> numbers(count);
  for (float& number : numbers)
    number = static_cast<float>(std::round(8.0 * random.normal()) / 8.0);
  return numbers;
}

}  // namespace subspace::neural::testing
