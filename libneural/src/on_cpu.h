// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

namespace subspace::neural {

/// For tensors that our own loops fill or read: they stay here whatever device is the default.
inline torch::TensorOptions on_cpu(torch::Dtype type) {
  return torch::dtype(type).device(torch::kCPU);
}

}  // namespace subspace::neural
