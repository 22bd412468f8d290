// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::pipelines {

/// What is to know about LibTorch in this build; "not in this build" where it is absent.
std::string neural_version();
std::string neural_devices();
/// "cpu", "cuda:0": what "auto", "cuda" and the like mean here. Throws InvalidArgument.
std::string resolved_device(const std::string& device);
/// Version of the CUDA runtime, or that this build has none.
std::string neural_cuda();

}  // namespace subspace::pipelines
