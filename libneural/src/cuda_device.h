// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::neural {

/// In the words of CUDA itself (no driver, one that is too old, no device), or that this build is
/// without CUDA. Where there is a device, what LibTorch may have against it is not known here.
std::string why_no_cuda_device();

}  // namespace subspace::neural
