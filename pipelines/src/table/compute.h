// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "table/planned.h"

namespace subspace::pipelines {

/// What a cell needs to be computed beside its row.
struct CellJob {
  const Recipe& recipe;
  const TableInput& input;
  const PlannedRow& row;
  const PlannedVariant& variant;
  const PlannedCell& cell;
  std::string device = "auto";
  std::vector<std::filesystem::path> training_folders = {};  ///< one for each network it trains
};

/// Runs the method, or reads the labels made elsewhere. No truth is read here.
StoredCell compute_cell(const CellJob& job, const Context& context);

}  // namespace subspace::pipelines
