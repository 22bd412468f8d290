// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/results.h>

#include "table/evaluator.h"
#include "table/planned.h"

namespace subspace::pipelines {

/// What a row has come to: its cells with their metrics; of a sweep the setting that its rule
/// chooses.
RowResult assemble_row(const Recipe& recipe, const PlannedRow& planned,
                       const TableEvaluator& evaluator);

}  // namespace subspace::pipelines
