// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/parallel.h>
#include <subspace/core/types.h>

#include "self_expression/column_blocks.h"
#include "self_expression/ridge_inverse.h"

namespace subspace {

/// Columns of C that are worked on together.
constexpr Index kAdmmTile = 64;

/// How far Z is from what it shall be: |Z - C|, |1'Z - 1|, and the fit where that is a constraint.
struct AdmmErrors {
  double coefficients = 0.0;
  double sum = 0.0;
  double fit = 0.0;
  void include(const AdmmErrors& other);
  double largest() const;
};

struct AdmmWorkspace {
  Matrix W = {};
  Matrix Z = {};
  Vector ridge = {};
};

/// The part of a step that is the same for all: elementwise work on columns of V, see ssc_admm.h.
struct AdmmColumns {
  double threshold = 0.0;      ///< 1/mu
  Index summed = 0;            ///< so many of the first coefficients sum to one; 0: no constraint
  bool zero_diagonal = false;  ///< of Z, as published
  double relaxation = 1.0;     ///< of Z towards the C before

  /// w = 2c - v - e_j - u 1
  void prepare(const double* v, Index n, Index point, double multiplier, double* w) const;
  /// Given z - e_j: completes z, moves v and the multiplier on.
  AdmmErrors finish(double* z, Index n, Index point, double* v, double& multiplier) const;
  /// c = S(v)
  void shrink(const double* v, Index n, Index point, double* c) const;
};

/// w = 2 S(v) - v and v <- z' + v - S(v), z' the relaxed z, for entries off the diagonal; the
/// largest |z - S(v)| of the new v.
void reflect(const double* v, Index n, double threshold, double* w);
double advance(const double* z, Index n, double threshold, double relaxation, double* v);

/// One step of a tile's columns of V, `n` atoms x tile.
AdmmErrors admm_step(const AdmmColumns& columns, const RidgeInverse& ridge, const Tile& tile,
                     double* V, Index n, double* multipliers, AdmmWorkspace& work);

}  // namespace subspace
