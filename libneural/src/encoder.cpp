// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/encoder.h>

#include <torch/torch.h>

#include <cmath>
#include <variant>

#include <subspace/core/random.h>

#include "norm_relu.h"
#include "on_cpu.h"
#include "residual_stages.h"
#include "shrinking_stem.h"
#include "tile_convolution.h"
#include "widened_convolution.h"

namespace subspace::neural {
namespace {

namespace nn = torch::nn;

nn::Conv2d convolution(int channels_in, int channels_out, int size, int stride) {
  return nn::Conv2d(nn::Conv2dOptions(channels_in, channels_out, size)
                        .stride(stride)
                        .padding(size / 2)
                        .bias(false));
}

/// The last of the four stages has 8 times the stem's width.
nn::Sequential residual_backbone(const NetworkOptions& options, int channels) {
  const bool shrinks = stem_shrinks(options.stem);
  nn::Sequential layers(
      convolution(channels, options.filters, stem_size(options.stem), shrinks ? 2 : 1),
      nn::BatchNorm2d(options.filters), nn::ReLU(nn::ReLUOptions(true)));
  if (shrinks) layers->push_back(nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)));
  int width = options.filters;
  int stage = 0;
  for (const int blocks : blocks_of_stages(options.backbone)) {
    const int wider = options.filters << stage;
    for (int block = 0; block < blocks; ++block) {
      layers->push_back(BasicBlock(width, wider, stage > 0 && block == 0 ? 2 : 1));
      width = wider;
    }
    ++stage;
  }
  return layers;
}

nn::Sequential plain_backbone(const NetworkOptions& options, std::int64_t inputs) {
  nn::Sequential layers;
  for (int layer = 0; layer < options.layers; ++layer) {
    layers->push_back(nn::Linear(inputs, options.hidden));
    layers->push_back(nn::ELU(nn::ELUOptions().inplace(true)));
    inputs = options.hidden;
  }
  return layers;
}

nn::Sequential wide_layer(const NetworkOptions& options) {
  return nn::Sequential(nn::Linear(8 * options.filters, options.hidden),
                        nn::BatchNorm1d(options.hidden), nn::ReLU(nn::ReLUOptions(true)));
}

/// The number of inputs that one output of this module sums; 0 for a module that draws nothing.
std::int64_t fan_in(const nn::Module& module) {
  if (module.as<nn::Conv2d>() == nullptr && module.as<nn::Linear>() == nullptr) return 0;
  const torch::Tensor weight = module.named_parameters(false)["weight"];
  return weight.numel() / weight.size(0);
}

void draw_uniform(torch::Tensor parameter, double bound, RandomStream random) {
  torch::Tensor numbers = torch::empty(parameter.sizes(), on_cpu(torch::kFloat32));
  float* out = numbers.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    out[i] = static_cast<float>(bound * (2.0 * random.uniform() - 1.0));
  }
  parameter.copy_(numbers);
}

/// One stream a tensor, numbered in the order of the modules.
void initialise(const nn::Module& network, std::uint64_t seed) {
  const torch::NoGradGuard no_gradient;
  std::uint32_t index = 0;
  for (const auto& module : network.modules(/*include_self=*/false)) {
    const std::int64_t inputs = fan_in(*module);
    if (inputs == 0) continue;
    for (const torch::Tensor& parameter : module->parameters(false)) {
      draw_uniform(parameter, 1.0 / std::sqrt(static_cast<double>(inputs)),
                   stream(seed, Stream::kNetwork, index++));
    }
  }
}

/// Convolutions are about 1.2 times faster when the channels of a pixel are neighbours.
void use_channels_last(const nn::Module& network) {
  for (torch::Tensor& parameter : network.parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
}

/// In the precision of the planes; the gradient of the weights is theirs again.
torch::Tensor convolved(const torch::Tensor& planes, const nn::Conv2dImpl& layer) {
  if (fits_tile_convolution(planes, layer)) return tile_convolution(planes, layer);
  if (needs_widening(planes)) return widened_convolution(planes, layer);
  const auto& padding = std::get<torch::ExpandingArray<2>>(layer.options.padding());
  return torch::conv2d(planes, layer.weight.to(planes.scalar_type()), /*bias=*/{},
                       layer.options.stride(), padding);
}

std::int64_t count(const std::vector<torch::Tensor>& parameters) {
  std::int64_t sum = 0;
  for (const torch::Tensor& parameter : parameters) sum += parameter.numel();
  return sum;
}

}  // namespace

BasicBlockImpl::BasicBlockImpl(int channels_in, int channels_out, int stride) {
  conv1 = register_module("conv1", convolution(channels_in, channels_out, 3, stride));
  bn1 = register_module("bn1", nn::BatchNorm2d(channels_out));
  conv2 = register_module("conv2", convolution(channels_out, channels_out, 3, 1));
  bn2 = register_module("bn2", nn::BatchNorm2d(channels_out));
  if (stride != 1 || channels_in != channels_out) {
    shortcut = register_module("shortcut",
                               nn::Sequential(convolution(channels_in, channels_out, 1, stride),
                                              nn::BatchNorm2d(channels_out)));
  }
}

torch::Tensor BasicBlockImpl::forward(const torch::Tensor& x) {
  const torch::Tensor inner = norm_relu(convolved(x, *conv1), *bn1);
  return norm_relu(convolved(inner, *conv2), *bn2, around(x));
}

torch::Tensor BasicBlockImpl::around(const torch::Tensor& x) {
  if (shortcut.is_empty()) return x;
  auto& norm = *shortcut->ptr(1)->as<nn::BatchNorm2dImpl>();
  return norm.forward(convolved(x, *shortcut->ptr(0)->as<nn::Conv2dImpl>()));
}

EncoderImpl::EncoderImpl(const NetworkOptions& options, const ImageShape& shape, std::uint64_t seed)
    : is_mlp_(options.backbone == Backbone::kMlp),
      shrinks_(stem_shrinks(options.stem)),
      precision_(options.precision) {
  backbone = register_module("backbone", is_mlp_ ? plain_backbone(options, shape.num_pixels())
                                                 : residual_backbone(options, shape.channels));
  if (!is_mlp_) hidden = register_module("hidden", wide_layer(options));
  subspace = register_module("subspace", nn::Linear(options.hidden, options.features));
  if (options.cluster_outputs > 0) {
    cluster = register_module("cluster", nn::Linear(options.hidden, options.cluster_outputs));
  }
  initialise(*this, seed);
  use_channels_last(*this);
}

/// Convolution, normalisation and ReLU, and the pooling of a stem that shrinks.
torch::Tensor EncoderImpl::after_stem(const torch::Tensor& images) {
  auto& first = *backbone->ptr(0)->as<nn::Conv2dImpl>();
  auto& norm = *backbone->ptr(1)->as<nn::BatchNorm2dImpl>();
  if (shrinks_ && fits_shrinking_stem(images, first, norm)) {
    return shrinking_stem(images, first, norm);
  }
  const torch::Tensor whole = images.contiguous(torch::MemoryFormat::ChannelsLast);
  const torch::Tensor planes = norm_relu(first.forward(whole), norm);
  return shrinks_ ? backbone->ptr(3)->as<nn::MaxPool2dImpl>()->forward(planes) : planes;
}

torch::Tensor EncoderImpl::pooled(const torch::Tensor& images) {
  if (is_mlp_) return backbone->forward(images.flatten(1));
  torch::Tensor planes = after_stem(images);
  if (is_training() && precision_ == Precision::kBFloat16) planes = planes.to(torch::kBFloat16);
  for (std::size_t layer = shrinks_ ? 4 : 3; layer < backbone->size(); ++layer) {
    planes = backbone->ptr(layer)->as<BasicBlockImpl>()->forward(planes);
  }
  return planes.to(images.scalar_type()).mean({2, 3});
}

EncoderOutput EncoderImpl::output(const torch::Tensor& images) {
  EncoderOutput all;
  {
    const torch::AutoGradMode with_graph(torch::GradMode::is_enabled() &&
                                         trained_ != TrainedPart::kHeads);
    all.pool = pooled(images);
    all.hidden = is_mlp_ ? all.pool : hidden->forward(all.pool);
  }
  all.features = subspace(all.hidden);
  if (!cluster.is_empty()) all.logits = cluster(all.hidden);
  return all;
}

torch::Tensor EncoderImpl::forward(const torch::Tensor& images) {
  return nn::functional::normalize(output(images).features);
}

void EncoderImpl::train_only(TrainedPart part) {
  trained_ = part;
  for (torch::Tensor& parameter : backbone->parameters()) {
    parameter.requires_grad_(part != TrainedPart::kHeads);
  }
  if (is_mlp_) return;
  for (torch::Tensor& parameter : hidden->parameters()) {
    parameter.requires_grad_(part == TrainedPart::kAll);
  }
}

std::vector<torch::Tensor> EncoderImpl::cluster_parameters() const {
  return cluster.is_empty() ? std::vector<torch::Tensor>{} : cluster->parameters();
}

std::int64_t EncoderImpl::num_parameters() const { return count(parameters()); }
std::int64_t EncoderImpl::num_backbone_parameters() const { return count(backbone->parameters()); }

}  // namespace subspace::neural
