// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include "table/planned.h"
#include "table/rules.h"

namespace subspace::pipelines {

/// A row that chooses among those it names, seed by seed: of `rows`, the rows above it as they have
/// come out. A seed that one of them lacks, or has
/// nothing to choose by, is left out.
RowResult choose_among_rows(const PlannedRow& planned, const std::vector<RowResult>& rows);

}  // namespace subspace::pipelines
