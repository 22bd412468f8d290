// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include <subspace/core/types.h>

namespace subspace::datasets {

/// How one number is stored in a file.
struct ElementType {
  enum class Kind { kUnsigned, kSigned, kFloat, kBool };
  Kind kind = Kind::kFloat;
  int bytes = 8;
  bool swapped = false;  ///< byte order opposite to this machine's

  bool is_native_double() const { return kind == Kind::kFloat && bytes == 8 && !swapped; }
};

/// "float64", "uint8", "bool": NumPy's names.
std::string type_name(const ElementType& type);

/// destination[i * stride] = the i-th of `count` stored numbers as a double.
void widen(const ElementType& type, const std::byte* source, Index count, double* destination,
           Index stride);

/// Reads an integer at any alignment.
template <typename T>
T load_integer(const std::byte* source, bool swapped) {
  static_assert(std::is_integral_v<T>);
  T value;
  std::memcpy(&value, source, sizeof value);
  if constexpr (sizeof(T) == 2) {
    if (swapped) value = static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    if (swapped) value = static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  } else if constexpr (sizeof(T) == 8) {
    if (swapped) value = static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
  }
  return value;
}

/// Little-endian integer, as zip archives and .npy headers store them.
template <typename T>
T load_little(const std::byte* source) {
  return load_integer<T>(source, std::endian::native != std::endian::little);
}

/// Big-endian integer, as idx and .png files store them.
template <typename T>
T load_big(const std::byte* source) {
  return load_integer<T>(source, std::endian::native != std::endian::big);
}

}  // namespace subspace::datasets
