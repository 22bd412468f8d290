// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>
#include <subspace/core/parameters.h>

/// What a training minimises. Free of Torch's headers; the formulas are in coding_rate.h, losses.h.
namespace subspace::neural {

/// With unit features z_iv of the views v of image i, zbar_i their normalised mean, pi_i the mean
/// of their cluster probabilities, and the mean cosine s of two views of one image:
enum class Objective {
  kTcr,     ///< -R(zbar) - lambda s: total coding rate, the first stage of NMCE
  kNmce,    ///< R_c(zbar, pi) - R(zbar) - lambda s: the whole of it, with a cluster head
  kMcr2,    ///< MCR2-CTRL: each image a class of its own, the rate of all scaled down [Yu20]
  kSimclr,  ///< normalised temperature-scaled cross entropy
  kVicreg,  ///< variance, invariance, covariance; of features that are not normalised
  kBarlow   ///< Barlow Twins; likewise
};

/// What R is taken of where an objective has two views.
enum class RateOf {
  kMeanView,  ///< R(zbar): COIL, synthetic data, the stages with a cluster head
  kEachView   ///< the mean of R over the views: the first stage on CIFAR
};

/// An objective reads the fields that describe() lists for it. The defaults of the first are those
/// of COIL-20, of the others those of their publications.
struct ObjectiveOptions {
  Objective objective = Objective::kTcr;
  int views = 2;  ///< random views of an image in a step; more than two only for kMcr2

  double distortion = 0.01;  ///< e = epsilon^2 of the coding rate
  double similarity = 20.0;  ///< lambda
  RateOf rate_of = RateOf::kMeanView;
  double temperature = 1.0;       ///< of Gumbel-Softmax (kNmce) or of the cosines (kSimclr)
  bool straight_through = false;  ///< one-hot assignments forward, their soft gradient backward
  double rate_scale = 20.0;       ///< gamma_1 of MCR2-CTRL, inside its logdet
  double rate_weight = 0.05;      ///< gamma_2 of MCR2-CTRL, before it
  bool decoupled = false;         ///< SimCLR without the positive pair in the denominator
  double invariance = 25.0;       ///< weights of VICReg's three terms
  double variance = 25.0;
  double covariance = 1.0;
  double redundancy = 0.0051;  ///< weight of the off-diagonal terms of Barlow Twins
};

/// Options of an objective with the defaults of its publication.
SUBSPACE_API ObjectiveOptions objective_options(Objective objective);
SUBSPACE_API std::string objective_name(Objective objective);
/// Throws InvalidArgument for a name that is none.
SUBSPACE_API Objective objective_of(const std::string& name);
/// The fields that the objective reads; `objective` itself is not among them.
SUBSPACE_API Parameters describe(ObjectiveOptions& options);

}  // namespace subspace::neural
