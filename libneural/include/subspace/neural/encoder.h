// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/nn.h>

#include <subspace/core/export.h>
#include <subspace/neural/network.h>

namespace subspace::neural {

/// conv 3x3, BN, ReLU, conv 3x3, BN, added to the input (through 1x1 conv and BN where the shape
/// changes), ReLU. Planes of bfloat16 are convolved with weights rounded to it.
class SUBSPACE_API BasicBlockImpl : public torch::nn::Module {
 public:
  BasicBlockImpl(int channels_in, int channels_out, int stride);
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::Tensor around(const torch::Tensor& x);  // the convolutions: x, or its shortcut

  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  torch::nn::Sequential shortcut{nullptr};
};
TORCH_MODULE(BasicBlock);

/// What an encoder makes of n inputs, layer by layer.
struct EncoderOutput {
  torch::Tensor pool = {};      ///< mean over the plane, (n, 8 filters); of an mlp the last layer
  torch::Tensor hidden = {};    ///< the layer before the heads, (n, hidden)
  torch::Tensor features = {};  ///< (n, p), not yet of unit norm
  torch::Tensor logits = {};    ///< (n, cluster_outputs); undefined without a cluster head
};

/// Stem; four stages of BasicBlocks, strides 1-2-2-2; mean over the plane; linear to `hidden` with
/// BN and ReLU; linear to the features. Or, for an mlp, `layers` linear layers with ELU, then the
/// features. The head of `cluster_outputs` logits reads the hidden layer, too. The networks of the
/// experiments of NMCE.
class SUBSPACE_API EncoderImpl : public torch::nn::Module {
 public:
  /// Weights and biases are uniform in +-1/sqrt(fan in), PyTorch's default, but drawn from the
  /// suite's own streams: the same on any platform and version of LibTorch.
  EncoderImpl(const NetworkOptions& options, const ImageShape& shape, std::uint64_t seed);

  /// Unit features (n, p) of images (n, channels, height, width).
  torch::Tensor forward(const torch::Tensor& images);
  EncoderOutput output(const torch::Tensor& images);

  /// From now on, gradients reach only this part, and output() keeps no graph of the others.
  void train_only(TrainedPart part);

  /// The parameters of the cluster head; none without it.
  std::vector<torch::Tensor> cluster_parameters() const;

  std::int64_t num_parameters() const;
  std::int64_t num_backbone_parameters() const;

 private:
  torch::Tensor after_stem(const torch::Tensor& images);
  torch::Tensor pooled(const torch::Tensor& images);

  bool is_mlp_ = false;
  bool shrinks_ = false;  // the stem
  Precision precision_ = Precision::kFloat32;
  TrainedPart trained_ = TrainedPart::kAll;
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Sequential hidden{nullptr};  // empty for an mlp
  torch::nn::Linear subspace{nullptr}, cluster{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace subspace::neural
