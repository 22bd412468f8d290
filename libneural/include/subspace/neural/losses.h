// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/neural/augmentation.h>
#include <subspace/neural/coding_rate.h>

/// Objectives of self-supervised learning as functions of tensors: no state, no random numbers but
/// those that a key names. Features are rows. A loss is a float64 scalar with its graph, to be
/// minimised; log-determinants are computed in float64, all else in the type of the features, whose
/// gradients keep that type. Wrong shapes throw DataError, options out of range InvalidArgument,
/// numbers that are not finite NumericalError.
namespace subspace::neural {

/// Mean cosine of the angle between a row of z1 and that of z2, in [-1, 1]. The constraint D of
/// NMCE [Li22] is its negative. A row of zeros has cosine 0.
/// [Li22] Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022.
SUBSPACE_API torch::Tensor view_similarity(const torch::Tensor& z1, const torch::Tensor& z2);

/// One feature per image from those of its V views, (V, m, p) to (m, p):
///     z_i = normalise(1/V sum_v z^v_i).
/// Views that cancel out give a row of zeros.
SUBSPACE_API torch::Tensor mean_view(const torch::Tensor& views);

/// Relaxed draws from the categorical laws softmax(logits), one per row [Jan17]:
///     y = softmax((logits + noise) / temperature),
/// for standard Gumbel `noise` of the same shape, see draw_gumbel(). The largest entry is a true
/// draw at any temperature; y tends to its one-hot vector as the temperature tends to 0. With
/// `straight_through` that vector is returned, exactly, and has the gradient of y.
/// [Jan17] E. Jang, S. Gu, B. Poole. Categorical reparameterization with Gumbel-softmax. ICLR 2017.
SUBSPACE_API torch::Tensor gumbel_softmax(const torch::Tensor& logits, const torch::Tensor& noise,
                                          double temperature, bool straight_through = false);

/// Standard Gumbel numbers -ln(-ln u), float64 on the CPU, one row of `num_clusters` for each image
/// in `images`. They are those of (seed, step, view, image): the same in whichever batch and row an
/// image stands, and the first of them the same for any number of clusters.
SUBSPACE_API torch::Tensor draw_gumbel(const ViewKey& key, std::span<const Index> images,
                                       std::int64_t num_clusters);

/// MCR2-CTRL [Yu20] for V views of B images, (V, B, p): each image is a class, made of its views,
///     -gamma2 1/2 logdet(I + gamma1 s Z'Z) + R_c(Z, Pi; e),   s = p / (V B e),
/// Z being all V B rows. The authors take gamma1 = 20, gamma2 = 0.05, e = 0.5; with gamma1 = gamma2
/// = 1 this is MCR2 itself, -(R - R_c). As classes are of one size, R_c is the mean of the rates of
/// Z_k, each through a determinant of order min(V, p).
SUBSPACE_API torch::Tensor mcr2_ctrl(const torch::Tensor& views, double distortion,
                                     double gamma1 = 20.0, double gamma2 = 0.05);

/// SimCLR's normalised, temperature-scaled cross entropy [Che20] over the 2B rows of both views,
///     1/(2B) sum_i ( -c_ij/T + ln sum_{k != i} exp(c_ik/T) ),
/// where c are cosines and j is the other view of i. `decoupled` leaves k = j out of the sum as
/// well [Yeh22], so that pairs already found stop slowing down the rest; it takes B >= 2.
/// [Che20] T. Chen, S. Kornblith, M. Norouzi, G. Hinton. A simple framework for contrastive
///         learning of visual representations. ICML 2020.
/// [Yeh22] C. Yeh, C. Hong, Y. Hsu, T. Liu, Y. Chen, Y. LeCun. Decoupled contrastive learning.
///         ECCV 2022.
SUBSPACE_API torch::Tensor simclr(const torch::Tensor& z1, const torch::Tensor& z2,
                                  double temperature = 0.5, bool decoupled = false);

struct VicregOptions {
  double invariance = 25.0;
  double variance = 25.0;
  double covariance = 1.0;
  double deviation = 1.0;     ///< standard deviation below which a coordinate is pushed apart
  double regularizer = 1e-4;  ///< added to variances, for a finite gradient at 0
};

/// VICReg [Bar22] of B >= 2 pairs of p features, which are not normalised:
///     invariance 1/(B p) |z1 - z2|_F^2
///   + variance   1/2 sum_z 1/p sum_j max(0, deviation - sqrt(C_jj + regularizer))
///   + covariance     sum_z 1/p sum_{i != j} C_ij^2,
/// summed over z in {z1, z2}, C being the covariance of z with 1/(B - 1). The 1/2 is that of the
/// authors' program; their paper has none.
/// [Bar22] A. Bardes, J. Ponce, Y. LeCun. VICReg: variance-invariance-covariance regularization for
///         self-supervised learning. ICLR 2022.
SUBSPACE_API torch::Tensor vicreg(const torch::Tensor& z1, const torch::Tensor& z2,
                                  const VicregOptions& options = {});

/// Barlow Twins [Zbo21] of B >= 2 pairs of features,
///     sum_i (1 - C_ii)^2 + off_diagonal_weight sum_{i != j} C_ij^2,   C = 1/B Y1' Y2,
/// Y being z with each column centred and divided by sqrt(variance + 1e-5), as batch normalisation
/// without affine part does (variance with 1/B). A constant column gives C_ii = 0.
/// [Zbo21] J. Zbontar, L. Jing, I. Misra, Y. LeCun, S. Deny. Barlow twins: self-supervised learning
///         via redundancy reduction. ICML 2021.
SUBSPACE_API torch::Tensor barlow_twins(const torch::Tensor& z1, const torch::Tensor& z2,
                                        double off_diagonal_weight = 0.0051);

}  // namespace subspace::neural
