// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/export.h>

namespace subspace::neural {

/// An array in C order as NumPy stores it: "<f4", "<f8" or "<i8".
struct NpyArray {
  std::string type = {};
  std::vector<std::int64_t> shape = {};
  std::string bytes = {};
  bool operator==(const NpyArray&) const = default;
};

/// The bytes of a .npy file, format 1.0.
SUBSPACE_API std::string to_npy(const NpyArray& array);

/// Reads what to_npy() wrote, and nothing else: people's own files go through the data sets'
/// reader. Throws IoError.
SUBSPACE_API NpyArray from_npy(std::string_view file);

}  // namespace subspace::neural
