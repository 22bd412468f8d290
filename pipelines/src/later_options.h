// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string_view>

namespace subspace::pipelines {

/// Whether an option came after results were first kept, and has the value that stands for what was
/// done before it came. It is then left out of the text that names a result or a training, so that
/// those of before are found again.
inline bool is_as_before(std::string_view name, std::string_view value) {
  const auto is = [&](std::string_view option) {
    return name == option ||
           (name.ends_with(option) && name[name.size() - option.size() - 1] == '.');
  };
  return (name == "graph.power" && value == "0") || (name == "affinity.loops" && value == "0") ||
         (name == "affinity.keep_of" && value == "own") ||
         (name == "kmeans.init" && value == "plus-plus") ||
         (name == "preprocess.append_one" && value == "0") ||
         (is("precision") && value == "float32") || (is("schedule_steps") && value == "0");
}

}  // namespace subspace::pipelines
