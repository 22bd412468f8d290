// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

#include <cstdint>

#include <subspace/core/export.h>

namespace subspace::neural {

/// Total coding rate of m features of dimension p, the rows of Z [Yu20]:
///     R(Z; e) = 1/2 logdet(I + s Z'Z),   s = p / (m e),   dR/dZ = s Z (I + s Z'Z)^-1.
/// `distortion` is e = epsilon^2, as in the released codes of MCR2 and NMCE. Value and gradient
/// come from one Cholesky factor in float64 whatever the type of Z (of I + s ZZ' when m < p: the
/// same determinant); a float64 scalar is returned, the gradient has the type of Z. Differentiable
/// once. Throws NumericalError when Z holds a non-finite number or no factor exists.
/// [Yu20] Y. Yu, K. Chan, C. You, C. Song, Y. Ma. Learning diverse and discriminative
///        representations via the principle of maximal coding rate reduction. NeurIPS 2020.
SUBSPACE_API torch::Tensor coding_rate(const torch::Tensor& Z, double distortion);

/// The rate of m equal unit rows, 1/2 ln(1 + p/e): the least that unit rows can have.
SUBSPACE_API double collapsed_rate(std::int64_t p, double distortion);
/// The most that m unit rows can have: r/2 ln(1 + p/(r e)) with r = min(m, p).
SUBSPACE_API double isotropic_rate(std::int64_t m, std::int64_t p, double distortion);

}  // namespace subspace::neural
