// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

namespace subspace::neural::detail {

/// logdet(L L') of Cholesky factors (..., p, p), shape (...).
torch::Tensor logdet_of_factor(const torch::Tensor& L);

/// Of matrices G = I + Y'Y (..., p, p) and what their Cholesky factorisation reports: which of them
/// have too little left of the 1 in float64. Unit rows have entries of at most 1 + p/e, far from
/// that for the e that are used; features that were not normalised may not.
torch::Tensor needs_singular_values(const torch::Tensor& G, const torch::Tensor& failed_at);

/// Y = U diag(sigma) V', for such G. Singular values of Y are accurate where those of Y'Y are not.
struct SingularForm {
  torch::Tensor U;      ///< (..., m, r), r = min(m, p)
  torch::Tensor sigma;  ///< (..., r)
  torch::Tensor Vt;     ///< (..., r, p)

  /// logdet(I + Y'Y) = sum_j ln(1 + sigma_j^2).
  torch::Tensor logdet() const;
  /// Y (I + Y'Y)^-1 = U diag(sigma / (1 + sigma^2)) V'.
  torch::Tensor solved() const;
  /// z_i'(I + Y'Y)^-1 z_i for the rows z_i of Z, r = p: the sum over j of (v_j'z_i)^2 / (1 +
  /// sigma_j^2).
  torch::Tensor quadratic_forms(const torch::Tensor& Z) const;
};

/// Of Y (..., m, p). Throws NumericalError where Y is so large that sigma^2 overflows.
SingularForm singular_form(const char* function, const torch::Tensor& Y);

/// Y with rows of zeros below where it has fewer rows than columns, so that r = p.
torch::Tensor at_least_square(const torch::Tensor& Y);

}  // namespace subspace::neural::detail
