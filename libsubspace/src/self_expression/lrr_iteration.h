// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <limits>

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/lrr.h>

#include "self_expression/singular_threshold.h"

namespace subspace {

/// LRR in the coordinates of X = U diag(s) V': with C = V J and X - X C = U E the problem is
///     min  |J|_* + lambda |E|_{2,1},    diag(s) V' = diag(s) Z + E,    Z = J,
/// all matrices r x N. Alternating directions: Z by a diagonal system, E by shrinking columns, J by
/// shrinking singular values, with multipliers Y1 and Y2 of the two constraints.
class LrrIteration {
 public:
  LrrIteration(const Vector& singular_values, const Matrix& V, double lambda,
               const LrrOptions& options, const Context& context);

  /// The residual is left to who asks for it.
  SolveInfo run();

  const Matrix& low_rank() const { return J_; }
  const Matrix& multiplier() const { return Y1_; }

 private:
  /// Sums over the columns of a tile, or all of them.
  struct Residuals {
    double data = 0.0;            // |data - s Z - E|^2
    double data_step = 0.0;       // |E - previous E|^2
    double copy = 0.0;            // |Z - J|^2
    double copy_step = 0.0;       // |J - previous J|^2
    double largest_column = 0.0;  // largest length of a column of either constraint
  };
  /// What the Z, E and multiplier steps of one round use.
  struct Penalties {
    double data = 1.0;  // times the weight of the column
    double copy = 1.0;
    double last_copy = 1.0;  // of the thresholding before
    double next_copy = 1.0;  // of the one that follows
  };
  Residuals pass(const Penalties& penalties);
  Residuals pass_columns(const Penalties& penalties, Index begin, Index end);
  bool run_balanced_round(int iteration);
  bool run_published_round();
  void rebalance(const Residuals& residuals);
  bool gap_is_closed();

  const LrrOptions& options_;
  const Context& context_;
  const double lambda_;
  const Eigen::ArrayXd s_;
  Matrix data_;     // diag(s) V'
  Vector weights_;  // of the columns in the penalty of the data
  Matrix J_;
  Matrix E_;
  Matrix Y1_;
  Matrix Y2_;  // published schedule alone; else Y2 = last_copy (T - J)
  Matrix Z_;   // balanced schedule alone
  Matrix T_;   // what is thresholded: Z + Y2 / penalty
  Penalties penalties_ = {};
  double first_data_penalty_ = 1.0;
  double constraint_error_ =  // published schedule alone
      std::numeric_limits<double>::quiet_NaN();
  SingularThreshold threshold_;
};

}  // namespace subspace
