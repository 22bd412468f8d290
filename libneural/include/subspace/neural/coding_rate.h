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
/// same determinant), or, where features are so large that 1 is lost beside s Z'Z, from the
/// singular values of Z; a float64 scalar is returned, the gradient has the type of Z.
/// Differentiable once. Throws NumericalError when Z holds a non-finite number or s Z'Z overflows.
/// [Yu20] Y. Yu, K. Chan, C. You, C. Song, Y. Ma. Learning diverse and discriminative
///        representations via the principle of maximal coding rate reduction. NeurIPS 2020.
SUBSPACE_API torch::Tensor coding_rate(const torch::Tensor& Z, double distortion);

/// The rates of b sets of m features each, Z (b, m, p), as b float64 numbers: coding_rate() of
/// every Z[i], in one batch.
SUBSPACE_API torch::Tensor coding_rates(const torch::Tensor& Z, double distortion);

/// Compressed rate: what m features cost once each of K clusters is coded by itself [Yu20],
///     R_c(Z, Pi; e) = sum_k t_k/(2m) logdet(I + p/(t_k e) Z' diag(pi_k) Z),
///     t_k = 1e-8 + sum_i pi_ik,
/// where pi_k is column k of `membership` (m, K). Its rows sum to one by rights; value and gradient
/// are those of the formula for any numbers >= 0. For such rows R_c <= R, with equality for one
/// cluster, up to the 1e-8; an empty cluster counts nothing. Float64 Cholesky factors, one per
/// cluster, give the value and its gradient by Z and by `membership`, in their types; the sum is a
/// float64 scalar, differentiable once. O(K m p^2) time, O(K p^2 + m (p + K)) memory. Throws
/// NumericalError for numbers that are not finite or overflow, DataError for negative memberships.
SUBSPACE_API torch::Tensor compressed_rate(const torch::Tensor& Z, const torch::Tensor& membership,
                                           double distortion);

/// What clustering saves, R(Z; e) - R_c(Z, Pi; e) >= 0: the objective of MCR2, to be maximised.
SUBSPACE_API torch::Tensor rate_reduction(const torch::Tensor& Z, const torch::Tensor& membership,
                                          double distortion);

/// The rate of m equal unit rows, 1/2 ln(1 + p/e): the least that unit rows can have.
SUBSPACE_API double collapsed_rate(std::int64_t p, double distortion);
/// The most that m unit rows can have: r/2 ln(1 + p/(r e)) with r = min(m, p).
SUBSPACE_API double isotropic_rate(std::int64_t m, std::int64_t p, double distortion);

}  // namespace subspace::neural
