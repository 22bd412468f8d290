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

/// Chosen points along gammas; the weights of the rule are not used.
struct ElasticNetWalk {
  std::string function = {};  ///< the caller, in messages
  const ConstMatrixRef& X;
  const std::vector<Index>& points;
  const std::vector<double>& gammas;
  PointRule rule = {};
  /// Where above zero, gamma tau over this is the weight of all points alike.
  double common_scale = 0.0;
  const SparseMatrix* seeds = nullptr;  ///< N x points: supports to begin with
  int copies = 1;                       ///< of X that are there, the caller's included
  const Context& context;
};

struct WalkResult {
  std::vector<SelfExpression> steps = {};  ///< one a gamma, N x points
  Matrix fit_errors = {};                  ///< gammas x points, |x_j - X c| / |x_j|
};

/// Throws ResourceError where walk_bytes() says more than the context allows.
WalkResult walk(const ElasticNetWalk& job);

struct WalkSize {
  Index dimension = 0;
  Index num_points = 0;
  Index num_paths = 0;  ///< points that are walked for
  Index num_gammas = 0;
  int copies = 1;  ///< of the points
};

/// What a walk returns, for supports of kUsualSupport points.
double walked_bytes(const WalkSize& size);

/// The points in all their copies, the Gram matrix where it is stored, the workspaces of all
/// threads, and what is returned, twice: column after column while they are found, then the
/// matrices of them.
double walk_bytes(const WalkSize& size, const Context& context);

}  // namespace subspace
