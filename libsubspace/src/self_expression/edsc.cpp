// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/edsc.h>

#include <memory>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>

#include "self_expression/edsc_outliers.h"
#include "self_expression/ridge.h"
#include "self_expression/ridge_path.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

void check_options(const EdscOptions& options, const std::string& function) {
  EdscOptions checked = options;
  check(describe(checked), function);
  if (options.affine && options.outliers) {
    throw InvalidArgument(
        message(function, ": affine = true and outliers = true, one of them must be false: the ",
                "outlier model is linear"));
  }
}

/// The problem has the minimisers of ridge regression with penalty 1 / lambda; affine subspaces
/// become linear ones of centred points.
Matrix model_points(const ConstMatrixRef& X, bool affine) {
  Matrix points = X;
  if (affine) center_columns(points);
  return points;
}

RidgeKind kind_of(bool affine) { return affine ? RidgeKind::kAffine : RidgeKind::kFree; }

}  // namespace

Parameters describe(EdscOptions& options) {
  return {
      parameter("lambda", options.lambda, "fit weight, in the units of 1/|x|^2")
          .above(0)
          .written("lambda"),
      parameter("affine", options.affine, "subspaces need not pass through the origin"),
      parameter("outliers", options.outliers, "find sparse gross errors along with C"),
      parameter("fit_weight", options.fit_weight, "fit weight of the outlier model")
          .above(0)
          .written("lambda_1"),
      parameter("outlier_weight", options.outlier_weight,
                "penalty of gross errors in the outlier model")
          .above(0)
          .written("lambda_2"),
      parameter("growth", options.growth, "growth of the penalty a round of the outlier model")
          .above(1)
          .at_most(10),
      parameter("max_iterations", options.max_iterations, "iterations of the outlier model")
          .at_least(1),
  };
}

double solver_bytes(const EdscOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  return options.outliers ? edsc_outlier_bytes(dimension, num_points)
                          : ridge_bytes(dimension, num_points, context);
}

DenseSelfExpression edsc(const ConstMatrixRef& X, const EdscOptions& options,
                         const Context& context) {
  check_options(options, "edsc");
  require_finite(X, "edsc");
  if (options.outliers) return edsc_with_outliers(X, options, context);
  check_ridge_memory("edsc", X, context);
  const RidgeProblem problem = at_unit_scale(model_points(X, options.affine), 1.0 / options.lambda);
  const RidgeKind kind = kind_of(options.affine);
  Matrix C = solve_ridge(problem, kind, context);
  const double violation = ridge_violation(problem, C, kind, context);
  return {std::move(C), {certify_exact(violation)}};
}

EdscPath edsc_path(const ConstMatrixRef& X, const EdscOptions& options, const Context& context) {
  check_options(options, "edsc_path");
  require_finite(X, "edsc_path");
  if (options.outliers) {
    throw InvalidArgument("edsc_path: outliers, their model has no closed form; use edsc");
  }
  check_ridge_path_memory("edsc_path", X, context);
  EdscPath path;
  path.path_ = std::make_shared<const RidgePath>("edsc_path", model_points(X, options.affine),
                                                 kind_of(options.affine), context);
  return path;
}

DenseSelfExpression EdscPath::at(double lambda, const Context& context) const {
  EdscOptions checked{.lambda = lambda};
  check(describe(checked), "edsc_path");
  return path_->at(1.0 / lambda, context);
}

}  // namespace subspace
