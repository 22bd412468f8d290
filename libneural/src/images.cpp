// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images.h"

#include <torch/torch.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/neural/tensor_bridge.h>

namespace subspace::neural {
namespace {

constexpr int kSmallestSide = 8;

/// Names the first value that does not fit.
template <typename Fits>
void check_values(const ConstMatrixRef& X, const Fits& fits, const std::string& what,
                  const char* rule) {
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      if (fits(X(i, j))) continue;
      throw DataError(message(what, j, " has the value ", X(i, j), ", ", rule));
    }
  }
}

void check_images(const ConstMatrixRef& X, const ImageShape& shape, const std::string& function) {
  if (shape.channels < 1 || shape.height < kSmallestSide || shape.width < kSmallestSide ||
      X.rows() != shape.num_pixels()) {
    throw DataError(message(function, ": ", X.rows(), " rows are no images of ", shape.channels,
                            " x ", shape.height, " x ", shape.width,
                            " (channels, height and width of at least ", kSmallestSide, ")"));
  }
  // Written so that NaN fails, too.
  const auto fits = [](double value) { return value >= 0.0 && value <= 1.0; };
  check_values(X, fits, function + ": image ", "must be in [0, 1]");
}

void check_points(const ConstMatrixRef& X, const ImageShape& shape, const std::string& function) {
  if (shape.channels != 1 || X.rows() != shape.num_pixels()) {
    throw DataError(
        message(function, ": points of ", X.rows(), " rows, must have ", shape.num_pixels()));
  }
  const auto fits = [](double value) { return std::isfinite(value); };
  check_values(X, fits, function + ": point ", "must be finite");
}

}  // namespace

torch::Tensor to_inputs(const ConstMatrixRef& X, const ImageShape& shape,
                        const std::string& function) {
  if (X.cols() < 1) throw DataError(function + ": there are no images");
  shape.is_picture() ? check_images(X, shape, function) : check_points(X, shape, function);
  return to_tensor(X, torch::kFloat32).view({X.cols(), shape.channels, shape.height, shape.width});
}

torch::Device to_torch(const Device& device) {
  if (!device.is_cuda()) return torch::kCPU;
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(device.cuda_index)};
}

void forbid_tf32(const Device& device) {
  if (!device.is_cuda()) return;
  at::globalContext().setAllowTF32CuDNN(false);
  at::globalContext().setAllowTF32CuBLAS(false);
}

ThreadsOfContext::ThreadsOfContext(const Context& context) : before_(num_threads()) {
  set_num_threads(resolve_threads(context));
}

ThreadsOfContext::~ThreadsOfContext() { at::set_num_threads(before_); }

}  // namespace subspace::neural
