// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

namespace subspace::pipelines {

/// Labels of the points of settings.input by the clusters that `cluster --save` kept in the folder
/// settings.model: where a network lies beside them its features are taken first, and one with a
/// cluster head answers itself. Evaluated as cluster_input() does where truth is known.
SUBSPACE_API Record predict_input(const RunSettings& settings, const Context& context);

}  // namespace subspace::pipelines
