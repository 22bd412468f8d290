// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

/// What the neighbourhoods of a point set look like.
enum class LocalShape {
  kUnknown,  ///< too few points, or points of one length, of which the directions alone are left
  kLinear,   ///< nothing speaks against linear subspaces
  kAffine,   ///< flat, but past the origin
  kCurved,   ///< flat nearby only
};

struct LinearityOptions {
  int max_dimension = 10;  ///< local dimensions tried; at least 1
  int max_points = 200;    ///< points looked at, spread evenly over the data; at least 10
  /// Ratio below which the affine fit is plainly better. Unions of linear subspaces stay above 0.8.
  double threshold = 0.6;
};
SUBSPACE_API Parameters describe(LinearityOptions& options);

struct Linearity {
  LocalShape shape = LocalShape::kUnknown;
  /// The affine over the linear residual where they differ most, see below: about 1 on linear
  /// subspaces, towards 0 elsewhere. 1 where the linear residual is small throughout, NaN for
  /// kUnknown.
  double statistic = 1.0;
  int dimension = 0;             ///< local dimension m at which that is; 0: none
  double linear_residual = 0.0;  ///< medians there
  double affine_residual = 0.0;
  std::optional<std::string> warning = {};  ///< what was found and what to try
};

/// Whether a union of linear subspaces is a sensible model of the columns of X, without labels.
///
/// A linear subspace holds the direction to the origin: its dimension is the same whether one looks
/// for flats through the origin or anywhere. A line past the origin, a ring or any surface that is
/// no cone takes one dimension more through the origin. So for each point x with the neighbours
/// y_1, y_2, ...
///     the distance of x from span(y_1 .. y_m)  and  from the affine hull of y_1 .. y_m+1
/// are compared, both of dimension m, both over |x - y_m+1|. Their medians over the points are
/// equal on linear subspaces, for any m and with noise, and the affine one is far smaller at m = d
/// on other manifolds of dimension d. Neighbours are taken one by one, then every second, fourth
/// and eighth, so that noise may exceed the distance of the nearest; the shape is curved where the
/// affine residual grows with that distance, and affine where it does not. Where lengths vary along
/// no neighbourhood (rings about the origin), linear subspaces of one dimension more explain the
/// points as well, unless these fill the space the points span: only then it warns.
///
/// Give the points before they are normalised: unit length makes every set a part of the sphere,
/// and such data are kUnknown. So are fewer than 10 distinct points. Clouds that fill the space
/// have no local dimension and raise no warning. Cost: max_points x N x D for the neighbours.
SUBSPACE_API Linearity check_linearity(const ConstMatrixRef& X,
                                       const LinearityOptions& options = {},
                                       const Context& context = {});

}  // namespace subspace
