// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ridge_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <subspace/core/memory.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"

namespace subspace {

RidgePath::RidgePath(const std::string& function, Matrix X, RidgeKind kind, const Context& context)
    : function_(function), kind_(kind), points_(std::move(X)) {
  exponent_ = binary_exponent(points_);
  scale_by_power_of_two(points_, -exponent_);
  by_dimensions_ = points_.rows() < points_.cols();
  Matrix vectors =
      by_dimensions_ ? linalg::moment(points_, context) : linalg::gram(points_, context);
  context.throw_if_cancelled();
  linalg::symmetric_eigen(vectors, eigenvalues_);
  eigenvalues_ = eigenvalues_.cwiseMax(0.0);
  factor_ = by_dimensions_ ? linalg::multiply(points_, true, vectors, false, context)
                           : std::move(vectors);
}

/// factor diag(weights) factor'.
Matrix RidgePath::weighted(const Eigen::ArrayXd& weights, const Context& context) const {
  return linalg::moment(factor_ * weights.sqrt().matrix().asDiagonal(), context);
}

/// From the solution with a free diagonal, or from H = V 1 / (S + lambda) V', where no difference
/// cancels.
Matrix RidgePath::without_self(const Eigen::ArrayXd& shrunk, const Context& context) const {
  Matrix C = weighted(shrunk, context);
  if (by_dimensions_) {
    without_self_from_free(C);
  } else {
    without_self_from_inverse(C);
  }
  return C;
}

/// With X'X = V S V' and penalty mu, C = V S / (S + mu) V' = (X'U) 1 / (S + mu) (X'U)': the second
/// form needs no division by small singular values.
Matrix RidgePath::coefficients(const RidgeProblem& problem, const Context& context) const {
  const double mu =
      std::max(problem.lambda, std::numeric_limits<double>::epsilon() * eigenvalues_.sum());
  if (drowns_points(problem.lambda) || mu < std::numeric_limits<double>::min()) {
    return solve_ridge(problem, kind_, context);
  }
  const Eigen::ArrayXd shrunk = (eigenvalues_.array() + mu).inverse();
  if (kind_ == RidgeKind::kWithoutSelf) return without_self(shrunk, context);
  Matrix C =
      weighted(by_dimensions_ ? shrunk : Eigen::ArrayXd(shrunk * eigenvalues_.array()), context);
  if (kind_ == RidgeKind::kAffine) make_columns_sum_to_one(C);
  return C;
}

DenseSelfExpression RidgePath::at(double lambda, const Context& context) const {
  check_ridge_path_memory(function_, points_, context);
  const RidgeProblem problem{points_, std::ldexp(lambda, -2 * exponent_)};
  Matrix C = coefficients(problem, context);
  SolveInfo info = certify_exact(ridge_violation(problem, C, kind_, context));
  if (kind_ == RidgeKind::kWithoutSelf && !info.converged()) {
    C.resize(0, 0);  // solve_ridge() has matrices of that size of its own
    C = solve_ridge(problem, kind_, context);
    info = certify_exact(ridge_violation(problem, C, kind_, context));
  }
  return {std::move(C), {info}};
}

RidgePathBytes ridge_path_bytes(Index dimension, Index num_points, const Context& context) {
  const Index n = num_points;
  const Index side = std::min(dimension, n);
  const double points = matrix_bytes(1.0, dimension, n);
  const double factor = matrix_bytes(1.0, n, side);
  // The eigensolver's workspace is up to twice the matrix.
  return {.kept = points + factor,
          .making = 2.0 * points + factor + matrix_bytes(3.0, side, side),
          // Given, kept and at this penalty; the factor and its weighted copy; C.
          .solving = 3.0 * points + 2.0 * factor + matrix_bytes(1.0, n, n) +
                     ridge_tile_bytes(dimension, n, context)};
}

void check_ridge_path_memory(const std::string& function, const ConstMatrixRef& X,
                             const Context& context) {
  const RidgePathBytes bytes = ridge_path_bytes(X.rows(), X.cols(), context);
  check_memory(function, std::max(bytes.making, bytes.solving), allowed_memory(context),
               "its coefficients are dense; give fewer samples or use ensc, which is sparse");
}

}  // namespace subspace
