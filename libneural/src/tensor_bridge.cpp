// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/tensor_bridge.h>

#include <torch/torch.h>

#include <subspace/core/error.h>

#include "on_cpu.h"

namespace subspace::neural {
namespace {

void require_matrix(const char* function, const torch::Tensor& tensor) {
  if (!tensor.defined()) throw DataError(message(function, ": the tensor is undefined"));
  if (tensor.dim() != 2) {
    throw DataError(message(function, ": the tensor has ", tensor.dim(),
                            " dimensions, must have 2 (points, features)"));
  }
  if (!tensor.is_floating_point()) {
    throw DataError(message(function, ": the tensor holds ", c10::toString(tensor.scalar_type()),
                            ", must hold floating-point numbers"));
  }
}

Eigen::Map<const Matrix> map_rows_as_columns(const torch::Tensor& tensor) {
  return {tensor.const_data_ptr<double>(), tensor.size(1), tensor.size(0)};
}

}  // namespace

Matrix to_points(const torch::Tensor& features) {
  require_matrix("to_points", features);
  const torch::Tensor bytes = features.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  return map_rows_as_columns(bytes);
}

Eigen::Map<const Matrix> view_points(const torch::Tensor& features) {
  require_matrix("view_points", features);
  if (!features.device().is_cpu() || features.scalar_type() != torch::kFloat64 ||
      !features.is_contiguous()) {
    throw DataError(message("view_points: the tensor is ", c10::toString(features.scalar_type()),
                            " on ", features.device().str(),
                            features.is_contiguous() ? "" : ", not contiguous",
                            "; must be contiguous float64 on the CPU (to_points copies)"));
  }
  return map_rows_as_columns(features);
}

torch::Tensor to_tensor(const ConstMatrixRef& X, torch::ScalarType type) {
  if (type != torch::kFloat64 && type != torch::kFloat32) {
    throw InvalidArgument(
        message("to_tensor: type = ", c10::toString(type), ", must be Double or Float"));
  }
  torch::Tensor rows = torch::empty({X.cols(), X.rows()}, on_cpu(torch::kFloat64));
  Eigen::Map<Matrix>(rows.mutable_data_ptr<double>(), X.rows(), X.cols()) = X;
  return rows.to(type);
}

}  // namespace subspace::neural
