// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/results.h>

#include "json.h"

namespace subspace::pipelines {

Json figures_json(const Figures& figures);
/// Throws what nlohmann::json throws, or DataError where sizes do not agree.
Figures figures_from_json(const Json& json);

}  // namespace subspace::pipelines
