// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/build_info.h>

namespace subspace::pipelines {

inline constexpr char kOverBudget[] = "the budget of time was used up";

/// The machine without what is of interest there alone: where its libraries lie.
inline NamedValues machine_info() {
  NamedValues info = build_info();
  std::erase_if(info, [](const auto& entry) { return entry.first == "openmp"; });
  return info;
}

}  // namespace subspace::pipelines
