// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::pipelines {

/// What is to know about LibTorch in this build; "not in this build" where it is absent.
std::string neural_version();
std::string neural_devices();

}  // namespace subspace::pipelines
