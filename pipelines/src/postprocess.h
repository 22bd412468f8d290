// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/parameters.h>
#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

constexpr char kPostprocessKey[] = "affinity.postprocess";

/// The option that names one of postprocesses(), or "none".
Parameter postprocess_parameter(std::string& name);
/// The same where the affinity is a graph of nearest coefficient vectors and can be no other.
Parameter neighbor_postprocess_parameter(std::string& name);

/// What the name sets; nothing of "none".
std::vector<KeyText> postprocess_steps(const std::string& name);
/// Whether any name sets this option.
bool is_postprocess_step(const std::string& key);

}  // namespace subspace::pipelines
