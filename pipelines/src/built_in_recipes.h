// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

namespace subspace::pipelines {

/// A file of bench/tables, compiled in.
struct BuiltInRecipe {
  std::string name = {};
  std::string text = {};
};

const std::vector<BuiltInRecipe>& built_in_recipes();

}  // namespace subspace::pipelines
