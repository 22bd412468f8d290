// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

#include "self_expression/elastic_net_point.h"

namespace subspace {

/// Chosen points along gammas; `rule.gamma` is not used.
struct ElasticNetWalk {
  std::string function = {};  ///< the caller, in messages
  const ConstMatrixRef& X;
  const std::vector<Index>& points;
  const std::vector<double>& gammas;
  PointRule rule = {};
  const SparseMatrix* seeds = nullptr;  ///< N x points: supports to begin with
  const Context& context;
};

struct WalkResult {
  std::vector<SelfExpression> steps = {};  ///< one a gamma, N x points
  Matrix fit_errors = {};                  ///< gammas x points, |x_j - X c| / |x_j|
};

WalkResult walk(const ElasticNetWalk& job);

}  // namespace subspace
