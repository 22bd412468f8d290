// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/pipelines/model.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// The clusters of raw points as the plan describes them; who made them is left to the caller.
ClusterModel make_model(const ModelPlan& plan, const ModelOptions& options, const ConstMatrixRef& X,
                        const Labels& labels, std::uint64_t seed, const Context& context);

}  // namespace subspace::pipelines
