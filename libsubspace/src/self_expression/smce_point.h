// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/smce.h>

#include "self_expression/affine_lasso_column.h"

namespace subspace {

/// One column of the result: points by increasing index.
struct SmceColumn {
  std::vector<int> points = {};
  std::vector<double> coefficients = {};
  std::vector<double> weights = {};
};

/// The problem of one point on its neighbours, reused from point to point.
class SmcePoint {
 public:
  /// Bytes of one object for neighbourhoods of `neighbors` other points.
  static double bytes(Index dimension, Index neighbors);

  /// Sets up and solves the problem of point i of X on `count` other points, all different from it.
  SolveInfo solve(const ConstMatrixRef& X, Index i, const int* neighbors, Index count,
                  const SmceOptions& options, const Context& context);
  /// The answer; entries whose coefficient or weight is zero are left out.
  SmceColumn column() const;

 private:
  void set_directions(const ConstMatrixRef& X, Index i, double lambda);
  int solve_active_set(const Context& context);
  int solve_osqp(const Context& context);
  double violation() const;

  std::vector<int> neighbors_;
  Matrix U_;          // unit directions to the neighbours
  Matrix gram_;       // U'U
  Vector distances_;  // v
  Vector penalties_;  // lambda q
  Vector c_;
  AffineLassoColumn active_set_;
};

}  // namespace subspace
