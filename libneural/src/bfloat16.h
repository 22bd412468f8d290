// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <bit>
#include <cstdint>

namespace subspace::neural {

/// The upper half of a float: its range with 8 bits of mantissa. The bytes of LibTorch's type of
/// this name, for the files that do without its headers.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// Kernels compute in single precision whatever they read and write.
inline float widened(float value) { return value; }
inline float widened(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

template <typename T>
T rounded_to(float value) = delete;
template <>
inline float rounded_to<float>(float value) {
  return value;
}
/// To the nearest, ties to even. Of what is no number the carry could make an infinity, so it gets
/// a bit that stays.
template <>
inline BFloat16 rounded_to<BFloat16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t nearest = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t kept = (bits >> 16) | 0x0040U;
  return {static_cast<std::uint16_t>(value == value ? nearest : kept)};
}

}  // namespace subspace::neural
