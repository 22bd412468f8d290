// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images.h"

#include <torch/torch.h>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/neural/tensor_bridge.h>

namespace subspace::neural {
namespace {

constexpr int kSmallestSide = 8;

}  // namespace

torch::Tensor to_images(const ConstMatrixRef& X, const ImageShape& shape,
                        const std::string& function) {
  if (shape.channels < 1 || shape.height < kSmallestSide || shape.width < kSmallestSide ||
      X.rows() != shape.num_pixels()) {
    throw DataError(message(function, ": ", X.rows(), " rows are no images of ", shape.channels,
                            " x ", shape.height, " x ", shape.width,
                            " (channels, height and width of at least ", kSmallestSide, ")"));
  }
  if (X.cols() < 1) throw DataError(function + ": there are no images");
  // Written so that NaN fails, too.
  for (Index j = 0; j < X.cols(); ++j) {
    if (!((X.col(j).array() >= 0.0) && (X.col(j).array() <= 1.0)).all()) {
      throw DataError(message(function, ": image ", j, " has a value that is not in [0, 1]"));
    }
  }
  return to_tensor(X, torch::kFloat32).view({X.cols(), shape.channels, shape.height, shape.width});
}

torch::Device to_torch(const Device& device) {
  return device.is_cuda()
             ? torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(device.cuda_index))
             : torch::Device(torch::kCPU);
}

ThreadsOfContext::ThreadsOfContext(const Context& context) : before_(num_threads()) {
  set_num_threads(resolve_threads(context));
}

ThreadsOfContext::~ThreadsOfContext() { at::set_num_threads(before_); }

double bytes_per_image(const NetworkOptions& options, const ImageShape& shape, bool with_graph) {
  // Each convolution keeps its input and its output (which batch normalisation reads again); the
  // backward pass holds gradients of a few layers at a time on top of that.
  const double stem = 0.25 * shape.height * shape.width * options.filters;
  const double blocks = options.backbone == Backbone::kResnet18 ? 2.0 : 1.0;
  double numbers = 2.0 * static_cast<double>(shape.num_pixels()) + 2.75 * stem;
  double stage = 0.25 * stem;  // the planes shrink by 4 while the channels double
  for (int i = 0; i < 4; ++i, stage *= 0.5) numbers += stage * (5.0 * blocks + (i > 0 ? 2.0 : 0.0));
  numbers += 3.0 * options.hidden;
  return sizeof(float) * (with_graph ? 1.4 * numbers : 3.0 * stem);
}

}  // namespace subspace::neural
