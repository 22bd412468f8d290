// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>
#include <subspace/neural/network.h>

namespace subspace::neural {

/// conv 3x3, BN, ReLU, conv 3x3, BN, added to the input (through 1x1 conv and BN where the shape
/// changes), ReLU.
class SUBSPACE_API BasicBlockImpl : public torch::nn::Module {
 public:
  BasicBlockImpl(int channels_in, int channels_out, int stride);
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  torch::nn::Sequential shortcut{nullptr};
};
TORCH_MODULE(BasicBlock);

/// conv 5x5/2, BN, ReLU, max-pool 3x3/2; four stages of BasicBlocks, strides 1-2-2-2; mean over the
/// plane; linear to `hidden` with BN and ReLU; linear to the features, scaled to unit norm. The
/// network of the COIL experiments of NMCE. The head of `cluster_outputs` logits reads the hidden
/// layer.
class SUBSPACE_API EncoderImpl : public torch::nn::Module {
 public:
  /// Weights and biases are uniform in +-1/sqrt(fan in), PyTorch's default, but drawn from the
  /// suite's own streams: the same on any platform and version of LibTorch.
  EncoderImpl(const NetworkOptions& options, int channels, std::uint64_t seed);

  /// Unit features (n, p) of images (n, channels, height, width).
  torch::Tensor forward(const torch::Tensor& images);

  std::int64_t num_parameters() const;
  std::int64_t num_backbone_parameters() const;

 private:
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Sequential hidden{nullptr};
  torch::nn::Linear subspace{nullptr}, cluster{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace subspace::neural
