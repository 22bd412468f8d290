// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <torch/torch.h>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neural/encoder.h>
#include <subspace/neural/tcr.h>
#include <subspace/neural/tensor_bridge.h>

#include "checkpoint_file.h"
#include "images.h"
#include "module_arrays.h"

namespace subspace::neural {
namespace {

/// Images of one forward pass. Fixed, so that results do not depend on the machine's memory.
constexpr std::int64_t kBlock = 128;

Encoder load_encoder(const Checkpoint& checkpoint, torch::Device device) {
  Encoder encoder(checkpoint.info.options.network, checkpoint.info.shape.channels, 0);
  get_module(checkpoint.arrays, *encoder);
  encoder->to(device);
  encoder->eval();
  return encoder;
}

/// Unit rows in float64, where they are unit to its precision.
torch::Tensor features_of(Encoder& encoder, const torch::Tensor& images, torch::Device device,
                          const Context& context) {
  const torch::InferenceMode no_graph;
  std::vector<torch::Tensor> parts;
  for (std::int64_t begin = 0; begin < images.size(0); begin += kBlock) {
    context.throw_if_cancelled();
    const torch::Tensor block = images.slice(0, begin, begin + kBlock).to(device);
    parts.push_back(encoder->forward(block).to(torch::kCPU, torch::kFloat64));
    context.report("embed", std::min(begin + kBlock, images.size(0)), images.size(0));
  }
  return torch::nn::functional::normalize(torch::cat(parts));
}

}  // namespace

Features embed(const ConstMatrixRef& X, const ImageShape& shape,
               const std::filesystem::path& folder, const std::string& device_name,
               const Context& context) {
  const torch::Device device = to_torch(resolve_device(device_name));
  auto found = CheckpointFolder(folder).load();
  if (!found) throw IoError(message("embed: ", folder.string(), " holds no checkpoint"));
  const CheckpointInfo& info = found->checkpoint.info;
  if (shape != info.shape) {
    throw DataError(message("embed: images of ", shape.channels, " x ", shape.height, " x ",
                            shape.width, ", the network was trained on ", info.shape.channels,
                            " x ", info.shape.height, " x ", info.shape.width));
  }
  const torch::Tensor images = to_images(X, shape, "embed");
  check_memory("embed", kBlock * bytes_per_image(info.options.network, shape, false),
               allowed_memory(context), "give smaller images");
  const ThreadsOfContext threads(context);
  Encoder encoder = load_encoder(found->checkpoint, device);
  const torch::Tensor rows = features_of(encoder, images, device, context);
  // A zero or infinite feature has no direction; its normalised row is not a unit vector.
  if (!((rows.norm(2, 1) - 1.0).abs() < 1e-6).all().item<bool>()) {
    throw NumericalError("embed: an image has a feature without direction");
  }
  return {to_points(rows), info.step, found->warnings};
}

}  // namespace subspace::neural
