// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "methods/method.h"

namespace subspace::pipelines {

/// `nmce-head`: features and clusters learned together, labels from the cluster head. Nothing in a
/// build without LibTorch.
const std::vector<MethodDefinition>& head_definitions();

}  // namespace subspace::pipelines
