// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

#include "self_expression/elastic_net_point.h"

namespace subspace {

/// The elastic nets of all points, in parallel over points.
struct ElasticNetJob {
  std::string function = {};  ///< the caller, in messages
  std::string sparser = {};   ///< what makes C sparser, in the message about too many entries
  PointRule rule = {};
  const Context& context;
};

/// The small problem of a point under way is a Gram matrix and its factor, whose final size only
/// the solution tells. Candidates of so many points are counted, by what noisy points were seen to
/// look at (158 of 3200, of dimension 40), and all other atoms: where they are coordinates, noise
/// puts most of them into the support.
Index counted_candidates(Index num_atoms, Index num_points);
double small_problem_bytes(Index num_atoms, Index num_points);

/// What the elastic nets of all points take, beside the coefficients: the points and their stored
/// Gram matrix where that fits (gram_budget.h), else the points and the workspaces of all threads.
double elastic_net_bytes(Index dimension, Index num_points, const Context& context);
double elastic_net_streamed_bytes(Index dimension, Index num_atoms, Index num_points,
                                  const Context& context);
/// The stored Gram matrix of atoms that are more than the points, and the workspaces of all
/// threads.
double elastic_net_gram_bytes(Index num_atoms, Index num_points, const Context& context);

/// With a stored Gram matrix G of all atoms, of which the first `num_points` are the points; a
/// point needs N x support per round. Only the points' rows of C are returned.
SelfExpression elastic_net_from_gram(const Matrix& G, Index num_points, const ElasticNetJob& job);

/// Without one: the points of a tile share one GEMM with all atoms in every round. Throws
/// ResourceError when the workspaces of all threads do not fit. With a rule that asks for
/// coefficients of sum one the last row of the atoms is the further coordinate, sqrt(sum_weight) of
/// points and zero of others.
SelfExpression elastic_net_streamed(const ConstMatrixRef& atoms, Index num_points,
                                    const ElasticNetJob& job);

}  // namespace subspace
