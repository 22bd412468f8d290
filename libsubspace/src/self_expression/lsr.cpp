// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/lsr.h>

#include <memory>
#include <utility>

#include <subspace/preprocess/normalize.h>

#include "self_expression/ridge.h"
#include "self_expression/ridge_path.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

RidgeKind kind_of(LsrVariant variant) {
  return variant == LsrVariant::kLsr1 ? RidgeKind::kWithoutSelf : RidgeKind::kFree;
}

}  // namespace

Parameters describe(LsrOptions& options) {
  return {
      parameter("lambda", options.lambda, "weight of the penalty, in the units of |x|^2")
          .above(0)
          .written("lambda"),
      choice("variant", options.variant, {{"lsr1", LsrVariant::kLsr1}, {"lsr2", LsrVariant::kLsr2}},
             "lsr1: no point represents itself; lsr2: the diagonal is free"),
  };
}

double solver_bytes(const LsrOptions&, Index dimension, Index num_points, const Context& context) {
  return ridge_bytes(dimension, num_points, context);
}

DenseSelfExpression lsr(const ConstMatrixRef& X, const LsrOptions& options,
                        const Context& context) {
  LsrOptions checked = options;
  check(describe(checked), "lsr");
  require_finite(X, "lsr");
  check_ridge_memory("lsr", X, context);
  const RidgeKind kind = kind_of(options.variant);
  const RidgeProblem problem = at_unit_scale(X, options.lambda);
  Matrix C = solve_ridge(problem, kind, context);
  const double violation = ridge_violation(problem, C, kind, context);
  return {std::move(C), {certify_exact(violation)}};
}

LsrPath lsr_path(const ConstMatrixRef& X, const LsrOptions& options, const Context& context) {
  LsrOptions checked = options;
  check(describe(checked), "lsr_path");
  require_finite(X, "lsr_path");
  check_ridge_path_memory("lsr_path", X, context);
  LsrPath path;
  path.path_ = std::make_shared<const RidgePath>("lsr_path", X, kind_of(options.variant), context);
  return path;
}

DenseSelfExpression LsrPath::at(double lambda, const Context& context) const {
  LsrOptions checked{.lambda = lambda};
  check(describe(checked), "lsr_path");
  return path_->at(lambda, context);
}

}  // namespace subspace
