// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "rate_factors.h"

#include <torch/torch.h>

#include <subspace/core/error.h>

namespace subspace::neural::detail {
namespace {

constexpr double kLargestDiagonal = 1e8;  // rounds the 1 of G to eight digits

}  // namespace

torch::Tensor needs_singular_values(const torch::Tensor& G, const torch::Tensor& failed_at) {
  // Comparisons with what is not a number are false.
  const torch::Tensor small = G.diagonal(0, -2, -1).le(kLargestDiagonal).all(-1);
  return failed_at.ne(0).logical_or(small.logical_not());
}

torch::Tensor logdet_of_factor(const torch::Tensor& L) {
  return 2.0 * L.diagonal(0, -2, -1).log().sum(-1);
}

torch::Tensor SingularForm::logdet() const { return sigma.square().log1p().sum(-1); }

torch::Tensor SingularForm::solved() const {
  return (U * (sigma / (1.0 + sigma.square())).unsqueeze(-2)).matmul(Vt);
}

torch::Tensor SingularForm::quadratic_forms(const torch::Tensor& Z) const {
  return Vt.matmul(Z.mT()).square().div(1.0 + sigma.square().unsqueeze(-1)).sum(-2);
}

SingularForm singular_form(const char* function, const torch::Tensor& Y) {
  SingularForm form;
  if (Y.isfinite().all().item<bool>()) {
    std::tie(form.U, form.sigma, form.Vt) = at::linalg_svd(Y, /*full_matrices=*/false);
  }
  if (!form.sigma.defined() || !form.sigma.square().isfinite().all().item<bool>()) {
    throw NumericalError(
        message(function, ": the features are so large that I + s Z'Z is not finite"));
  }
  return form;
}

torch::Tensor at_least_square(const torch::Tensor& Y) {
  const std::int64_t missing = Y.size(-1) - Y.size(-2);
  return missing > 0 ? at::constant_pad_nd(Y, {0, 0, 0, missing}) : Y;
}

}  // namespace subspace::neural::detail
