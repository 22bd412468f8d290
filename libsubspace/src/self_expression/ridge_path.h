// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/self_expression/self_expression.h>

#include "self_expression/ridge.h"

namespace subspace {

/// The ridge problems of all penalties from one eigendecomposition of the smaller side of X, for
/// the paths of LSR and EDSC. `function` is the caller, in messages.
class RidgePath {
 public:
  /// Affine ones want centred points.
  RidgePath(const std::string& function, Matrix X, RidgeKind kind, const Context& context);

  /// What solve_ridge() returns at this penalty, with its certificate: one product for C, two for
  /// the certificate. Where that fails without self, C is solved by itself.
  DenseSelfExpression at(double lambda, const Context& context) const;

 private:
  Matrix coefficients(const RidgeProblem& problem, const Context& context) const;
  Matrix weighted(const Eigen::ArrayXd& weights, const Context& context) const;
  Matrix without_self(const Eigen::ArrayXd& shrunk, const Context& context) const;

  std::string function_ = {};
  RidgeKind kind_ = RidgeKind::kFree;
  Matrix points_ = {};       // at unit scale
  Matrix factor_ = {};       // N x p: eigenvectors of X'X, or X'U of those of X X'
  Vector eigenvalues_ = {};  // p, of either
  bool by_dimensions_ = false;
  int exponent_ = 0;  // of the scale
};

/// What a path takes: kept while it is there (its points and factor), the most while it is made and
/// while one C is, which counts; both with the points that it is given.
struct RidgePathBytes {
  double kept = 0.0;
  double making = 0.0;
  double solving = 0.0;
};
RidgePathBytes ridge_path_bytes(Index dimension, Index num_points, const Context& context);
void check_ridge_path_memory(const std::string& function, const ConstMatrixRef& X,
                             const Context& context);

}  // namespace subspace
