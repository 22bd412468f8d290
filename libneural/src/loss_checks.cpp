// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "loss_checks.h"

#include <torch/torch.h>

#include <array>
#include <cmath>

#include <subspace/core/error.h>

namespace subspace::neural::detail {

void check_shape(const char* function, const char* name, const torch::Tensor& tensor,
                 std::int64_t dimensions) {
  static constexpr std::array<const char*, 4> kKinds = {"scalar", "vector", "matrix", "3-d tensor"};
  if (tensor.defined() && tensor.dim() == dimensions && tensor.numel() > 0 &&
      tensor.is_floating_point()) {
    return;
  }
  throw DataError(message(function, ": ", name, " must be a non-empty floating-point ",
                          kKinds.at(static_cast<std::size_t>(dimensions))));
}

void check_finite(const char* function, const char* what, const torch::Tensor& tensor) {
  if (!tensor.detach().isfinite().all().item<bool>()) {
    throw NumericalError(message(function, ": a ", what, " is not finite"));
  }
}

void check_positive(const char* function, const char* name, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw InvalidArgument(
        message(function, ": ", name, " = ", value, ", must satisfy ", name, " > 0"));
  }
}

void check_weight(const char* function, const char* name, double value) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw InvalidArgument(
        message(function, ": ", name, " = ", value, ", must satisfy ", name, " >= 0"));
  }
}

torch::Tensor tracked(const torch::Tensor& x) {
  return torch::GradMode::is_enabled() ? x : x.detach();
}

}  // namespace subspace::neural::detail
