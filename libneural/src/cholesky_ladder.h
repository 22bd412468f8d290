// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

namespace subspace::neural::detail {

/// Cholesky factors of symmetric G >= I, shape (..., p, p), of which the lower triangles are read.
/// Unit rows give a condition number of at most 1 + p/e, far from trouble; features that were not
/// normalised may not, so the diagonal of a matrix that has no factor is raised step by step,
/// relative to its mean, before we give up with a NumericalError.
torch::Tensor cholesky_ladder(const char* function, const torch::Tensor& G);

/// logdet(L L') of factors (..., p, p), shape (...).
torch::Tensor logdet_of_factor(const torch::Tensor& L);

}  // namespace subspace::neural::detail
