// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <subspace/self_expression/ssc.h>

namespace subspace {

/// A call of ssc() or kssc(), whose name `function` is in messages; its options are in range.
struct SscCall {
  std::string function = {};
  const SscOptions& options;
  const Context& context;
};

/// The solvers by the words of the parameter `solver`.
inline std::vector<std::pair<std::string, SscSolver>> solver_words() {
  return {{"active-set", SscSolver::kActiveSet},
          {"admm", SscSolver::kAdmm},
          {"official", SscSolver::kOfficial},
          {"osqp", SscSolver::kOsqp}};
}

/// What ssc_of_points() takes with the points, and ssc_of_gram() with G; sparse results apart.
double ssc_bytes_of_points(const SscOptions& options, Index dimension, Index num_points,
                           const Context& context);
double ssc_bytes_of_gram(const SscOptions& options, Index num_points, const Context& context);

/// On points.
SelfExpression ssc_of_points(const ConstMatrixRef& X, const SscCall& call);

/// On the matrix G of inner products alone; without outliers.
SelfExpression ssc_of_gram(Matrix G, const SscCall& call);

}  // namespace subspace
