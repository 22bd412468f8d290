// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/elastic_net.h>

#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "self_expression/elastic_net_engine.h"
#include "self_expression/gram_budget.h"
#include "self_expression/solver_bytes.h"

namespace subspace {

Parameters describe(ElasticNetOptions& options) {
  return {
      parameter("gamma", options.gamma,
                "fit weight, as a multiple of the smallest weight with a nonzero solution")
          .above(0)
          .written("gamma"),
      parameter("tau", options.tau, "balance of sparsity (1) against connectivity (towards 0)")
          .above(0)
          .at_most(1)
          .written("tau"),
      parameter("max_rounds", options.max_rounds, "rounds of the active set per point").at_least(1),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

double solver_bytes(const ElasticNetOptions&, Index dimension, Index num_points,
                    const Context& context) {
  return elastic_net_bytes(dimension, num_points, context);
}

SelfExpression elastic_net(const ConstMatrixRef& X, const ElasticNetOptions& options,
                           const Context& context) {
  ElasticNetOptions checked = options;
  check(describe(checked), "elastic_net");
  require_finite(X, "elastic_net");
  // C does not change when all points are scaled alike; at unit scale no inner product overflows.
  const double largest = X.cwiseAbs().maxCoeff();
  Matrix scaled;
  if (largest > 0.0 && (largest < 1e-50 || largest > 1e50)) scaled = X / largest;
  const ConstMatrixRef points = scaled.size() > 0 ? ConstMatrixRef(scaled) : X;

  const ElasticNetJob job{.function = "elastic_net",
                          .sparser = "raise tau or lower gamma",
                          .rule = {.tau = options.tau,
                                   .gamma = options.gamma,
                                   .max_rounds = options.max_rounds,
                                   .tolerance = options.tolerance},
                          .context = context};
  if (!stores_gram(X.rows(), X.cols(), context)) return elastic_net_streamed(points, X.cols(), job);
  return elastic_net_from_gram(linalg::gram(points, context), X.cols(), job);
}

}  // namespace subspace
