// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/record.h>

#include "json.h"

namespace subspace::pipelines {

Json record_json(const Record& record);
/// The inverse; throws what nlohmann::json throws where a key is missing or of another type.
Record record_from_json(const Json& json);

Json input_json(const InputInfo& input);
InputInfo input_from_json(const Json& json);
/// The total covers the load as well: what the user waited for.
Json seconds_json(const StageSeconds& seconds, double load, double features = 0.0);
Json model_json(const ModelInfo& model);
ModelInfo model_from_json(const Json& json);
Json truth_json(const TruthInfo& truth);
TruthInfo truth_from_json(const Json& json);

}  // namespace subspace::pipelines
