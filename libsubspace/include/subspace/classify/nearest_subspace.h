// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

struct NearestSubspaceOptions {
  /// Dimension of every subspace; 0: the smallest that holds the share `energy` of the class.
  int dimension = 0;
  double energy =
      0.95;             ///< share of the sum of squares (centred: of the variance); 0 < energy <= 1
  bool center = false;  ///< affine subspaces through the mean of the class, else through the origin
};
SUBSPACE_API Parameters describe(NearestSubspaceOptions& options);

/// One principal subspace a class or cluster.
struct Subspaces {
  Labels classes = {};               ///< distinct labels, increasing; K
  std::vector<Matrix> bases = {};    ///< D x dimension, orthonormal columns
  Matrix means = {};                 ///< D x K; zero when not centred
  std::vector<int> dimensions = {};  ///< columns of each basis
  Vector residuals = {};  ///< root mean square distance of the points of each class from its own
};

/// A basis never exceeds the rank of its class: a class with fewer points than the dimension asked
/// for spans what it spans, and one whose points are all zero (centred: all equal) gets dimension
/// 0. Directions whose variance is rounding error of the largest do not count.
SUBSPACE_API Subspaces fit_subspaces(const ConstMatrixRef& X, const Labels& labels,
                                     const NearestSubspaceOptions& options = {},
                                     const Context& context = {});

/// K x N: the distance of each point from each subspace, |(I - B B')(x - mean)|, computed from the
/// difference itself and so without the cancellation of |x|^2 - |B'x|^2.
SUBSPACE_API Matrix residuals(const Subspaces& model, const ConstMatrixRef& X,
                              const Context& context = {});
/// The nearest subspace of each point and how near it is.
struct NearestSubspaces {
  Labels labels = {};     ///< as predict() gives them
  Vector residuals = {};  ///< distance from the nearest subspace
  Vector margins = {};    ///< how much farther the second one is, >= 0; infinite where there is one
};
SUBSPACE_API NearestSubspaces nearest_subspaces(const Subspaces& model, const ConstMatrixRef& X,
                                                const Context& context = {});
/// The class with the smallest residual, the lower label among equals; so a zero point, which lies
/// in every subspace through the origin, gets the lowest.
SUBSPACE_API Labels predict(const Subspaces& model, const ConstMatrixRef& X,
                            const Context& context = {});

}  // namespace subspace
