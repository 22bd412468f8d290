// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

#include <string>

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/neural/network.h>
#include <subspace/neural/runtime.h>

/// What training and embedding share before the network sees anything.
namespace subspace::neural {

/// The columns of X as (N, channels, height, width) in float32. Throws DataError unless X has
/// images of this shape, at least 8 x 8, with values in [0, 1], or finite points.
torch::Tensor to_inputs(const ConstMatrixRef& X, const ImageShape& shape,
                        const std::string& function);

torch::Device to_torch(const Device& device);

/// Lets float32 mean float32 on a CUDA device: LibTorch lets cuDNN convolve in TF32, of 10 bits of
/// mantissa, unless it is told otherwise. For the whole process, for the backward pass runs on
/// threads of LibTorch's own.
void forbid_tf32(const Device& device);

/// Lets LibTorch use the context's threads while it lives.
class ThreadsOfContext {
 public:
  explicit ThreadsOfContext(const Context& context);
  ThreadsOfContext(const ThreadsOfContext&) = delete;
  ThreadsOfContext& operator=(const ThreadsOfContext&) = delete;
  ~ThreadsOfContext();

 private:
  int before_;
};

}  // namespace subspace::neural
