// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <vector>

#include "arrays/load_arrays.h"
#include "fuzz/input.h"
#include "labels.h"

namespace subspace::datasets::fuzz {

inline void read_points(const MappedFile& file, Format format, const LoadOptions& options) {
  succeeds([&] {
    const PointSet set = load_array_points(file, format, options, small_context());
    require_sound(set, options.allow_non_finite);
  });
}

inline void read_labels(const MappedFile& file, Format format, const LoadOptions& options) {
  succeeds([&] { to_labels("input", load_array_labels(file, format, options, small_context())); });
}

/// All entries of a format of arrays, with the names that a user could give.
inline void read_arrays(Bytes bytes, Format format) {
  succeeds([&] {
    const InputFile input(bytes);
    std::vector<Variable> variables;
    succeeds([&] { variables = list_arrays(input.file(), format); });
    read_points(input.file(), format, {});
    read_points(input.file(), format, {.columns_are_samples = true, .allow_non_finite = true});
    read_labels(input.file(), format, {});
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(kMost, variables.size()); ++i) {
      const std::string& name = variables[i].name;
      if (name.empty()) continue;
      read_points(input.file(), format, {.x = name});
      read_points(input.file(), format, {.x = name, .columns_are_samples = true});
      read_labels(input.file(), format, {.y = name});
    }
  });
}

}  // namespace subspace::datasets::fuzz
