// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/smce_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/osqp_column.h"

namespace subspace {

double SmcePoint::bytes(Index dimension, Index neighbors) {
  // Directions, their Gram matrix and the inverse factor.
  return matrix_bytes(1.0, dimension, neighbors) + matrix_bytes(2.0, neighbors, neighbors);
}

void SmcePoint::set_directions(const ConstMatrixRef& X, Index i, double lambda) {
  const auto count = static_cast<Index>(neighbors_.size());
  U_.resize(X.rows(), count);
  distances_.resize(count);
  for (Index k = 0; k < count; ++k) {
    auto direction = U_.col(k);
    direction = X.col(neighbors_[static_cast<std::size_t>(k)]) - X.col(i);
    // Twice: what is left of a denormal difference has few digits, and its norm fewer.
    distances_[k] = direction.stableNorm();
    direction /= distances_[k];
    direction /= direction.norm();
  }
  penalties_ = (distances_ / distances_.maxCoeff()).eval();
  penalties_ *= lambda / penalties_.sum();
  gram_.resize(count, count);
  linalg::gemm({.transpose_a = true,
                .m = count,
                .n = count,
                .k = X.rows(),
                .a = U_.data(),
                .lda = U_.rows(),
                .b = U_.data(),
                .ldb = U_.rows(),
                .c = gram_.data(),
                .ldc = count});
}

int SmcePoint::solve_active_set(const Context& context) {
  active_set_.solve(gram_, penalties_, context.cancel);
  for (Index k = 0; k < active_set_.support_size(); ++k) {
    c_[active_set_.support_index(k)] = active_set_.support_value(k);
  }
  return active_set_.steps();
}

int SmcePoint::solve_osqp(const Context& context) {
  const OsqpColumn column =
      osqp_column({.H = gram_, .penalty = penalties_, .sum = 1.0}, {.cancel = context.cancel});
  c_ = column.coefficients;
  return column.iterations;
}

SolveInfo SmcePoint::solve(const ConstMatrixRef& X, Index i, const int* neighbors, Index count,
                           const SmceOptions& options, const Context& context) {
  neighbors_.assign(neighbors, neighbors + count);
  c_ = Vector::Zero(count);
  SolveInfo info;
  info.termination = Termination::kConverged;
  info.residual = 0.0;
  if (count == 0) return info;
  set_directions(X, i, options.lambda);
  info.iterations =
      options.solver == SmceSolver::kOsqp ? solve_osqp(context) : solve_active_set(context);
  info.residual = violation() / std::max(1.0, options.lambda);
  if (!(info.residual <= options.tolerance)) info.termination = Termination::kStalled;
  return info;
}

/// By products with the directions, not with their Gram matrix. Every neighbour names an interval
/// for the multiplier, a single number on the support: half the gap between the highest lower end
/// and the lowest upper end is what the best multiplier cannot help.
double SmcePoint::violation() const {
  Vector fit(U_.rows());
  Vector gradient(U_.cols());
  linalg::gemv(false, U_.rows(), U_.cols(), 1.0, U_.data(), U_.rows(), c_.data(), 0.0, fit.data());
  linalg::gemv(true, U_.rows(), U_.cols(), 1.0, U_.data(), U_.rows(), fit.data(), 0.0,
               gradient.data());
  // A maximum would pass over NaN.
  if (!gradient.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < c_.size(); ++k) {
    lower = std::max(lower, gradient[k] + (c_[k] > 0.0 ? 1.0 : -1.0) * penalties_[k]);
    upper = std::min(upper, gradient[k] + (c_[k] < 0.0 ? -1.0 : 1.0) * penalties_[k]);
  }
  return std::max({0.0, 0.5 * (lower - upper), std::fabs(c_.sum() - 1.0)});
}

SmceColumn SmcePoint::column() const {
  std::vector<Index> order;
  double nearest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < c_.size(); ++k) {
    if (c_[k] == 0.0) continue;
    order.push_back(k);
    nearest = std::min(nearest, distances_[k]);
  }
  const auto point = [this](Index k) { return neighbors_[static_cast<std::size_t>(k)]; };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return point(a) < point(b); });
  // Over the nearest distance, so that no quotient overflows.
  Vector weights(static_cast<Index>(order.size()));
  for (Index m = 0; m < weights.size(); ++m) {
    const Index k = order[static_cast<std::size_t>(m)];
    weights[m] = std::fabs(c_[k]) * (nearest / distances_[k]);
  }
  weights /= weights.sum();
  SmceColumn column;
  for (Index m = 0; m < weights.size(); ++m) {
    if (!(weights[m] > 0.0)) continue;
    const Index k = order[static_cast<std::size_t>(m)];
    column.points.push_back(point(k));
    column.coefficients.push_back(c_[k]);
    column.weights.push_back(weights[m]);
  }
  return column;
}

}  // namespace subspace
