// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/lrr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"
#include "self_expression/lrr_iteration.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

/// The singular vectors to values above the rounding of the largest.
linalg::Svd significant_svd(const Matrix& X) {
  linalg::Svd full = linalg::svd(X);
  const double size = static_cast<double>(std::max(X.rows(), X.cols()));
  const double least = size * std::numeric_limits<double>::epsilon() * full.values(0);
  const Index rank = (full.values.array() > least).count();
  return {full.U.leftCols(rank), full.values.head(rank), full.V.leftCols(rank)};
}

Matrix residual_of(const Matrix& X, const Matrix& C, const Context& context) {
  return X - linalg::multiply(X, false, C, false, context);
}

/// Nothing is left to an error, and no constraint is missed.
DenseSelfExpression zero_coefficients(Index num_points, const LrrOptions& options) {
  SolveInfo info{.termination = Termination::kConverged, .iterations = 1, .residual = 0.0};
  if (options.schedule == LrrSchedule::kPublished && !options.noise_free) info.stopping_error = 0.0;
  return {Matrix::Zero(num_points, num_points), {info}};
}

/// The largest entry of X - X C over that of X.
double relative_misfit(const Matrix& X, const Matrix& C, const Context& context) {
  const double scale = std::max(X.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  return residual_of(X, C, context).cwiseAbs().maxCoeff() / scale;
}

/// (P - Q) / P, see lrr.h, for C = V J and the multiplier U Y. V and U are orthonormal, so
/// |V J|_* = |J|_* and |X' U Y|_2 = |diag(s) Y|_2.
double relative_gap(const Matrix& X, const Matrix& C, const linalg::Svd& svd, const Matrix& J,
                    const Matrix& Y, double lambda, const Context& context) {
  const double primal =
      linalg::singular_values(J).sum() + lambda * residual_of(X, C, context).colwise().norm().sum();
  const double excess = std::max({1.0, linalg::singular_values(svd.values.asDiagonal() * Y)(0),
                                  Y.colwise().norm().maxCoeff() / lambda});
  const Matrix data = linalg::multiply(svd.U, true, X, false, context);
  return (primal - Y.cwiseProduct(data).sum() / excess) / primal;
}

/// U Y = U diag(1/s) V' has |X'U Y|_2 = 1 and <U Y, X> = |V V'|_*.
Matrix multiplier_of_closed_form(const linalg::Svd& svd) {
  return svd.values.cwiseInverse().asDiagonal() * svd.V.transpose();
}

/// V V' is optimal where no error pays, which is where this multiplier is feasible.
bool leaves_no_error(const linalg::Svd& svd, double lambda) {
  return multiplier_of_closed_form(svd).colwise().norm().maxCoeff() <= lambda;
}

/// V V' is an answer where it fits. With a lambda so large that it is optimal the rounding of X C
/// alone makes a gap, so that the gap can be told but not decide.
DenseSelfExpression closed_form(const Matrix& X, const linalg::Svd& svd, double lambda,
                                const LrrOptions& options, const Context& context) {
  Matrix C = linalg::moment(svd.V, context);
  const double misfit = relative_misfit(X, C, context);
  SolveInfo info{
      .termination = misfit <= kLrrFitTolerance ? Termination::kConverged : Termination::kStalled,
      .iterations = 1,
      .residual = misfit};
  if (!options.noise_free) {
    info.residual =
        relative_gap(X, C, svd, svd.V.transpose(), multiplier_of_closed_form(svd), lambda, context);
    info.stopping_error = misfit;
  }
  return {std::move(C), {info}};
}

/// The gap proves the answer of the balanced schedule, whatever the iteration took for one.
void judge_by_gap(double tolerance, SolveInfo& info) {
  if (info.residual <= tolerance) {
    info.termination = Termination::kConverged;
  } else if (info.converged()) {
    info.termination = Termination::kStalled;
  }
}

/// C = 0 is optimal where no rank pays: y_j = lambda x_j / |x_j| reaches its objective.
bool leaves_no_rank(const linalg::Svd& svd, double lambda, const Context& context) {
  Matrix multiplier = svd.values.asDiagonal() * svd.V.transpose();
  normalize_columns(multiplier);
  return spectral_norm_below(lambda * svd.values.asDiagonal() * multiplier, 1.0, context);
}

/// lambda of the scaled points, whose error is measured in other units.
double scaled_lambda(const LrrOptions& options, double spectral_norm, Index num_points,
                     int exponent) {
  if (options.lambda == 0.0) {
    return 1.0 / (std::sqrt(static_cast<double>(num_points)) * spectral_norm);
  }
  return std::clamp(std::ldexp(options.lambda, exponent), 1e-140, 1e140);
}

}  // namespace

Parameters describe(LrrOptions& options) {
  return {
      parameter("lambda", options.lambda,
                "weight of the error, in the units of 1/|x|; 0: 1 / (sqrt(N) |X|_2)")
          .at_least(0)
          .written("lambda"),
      parameter("noise_free", options.noise_free, "the closed form C = V V' of data without noise"),
      choice(
          "schedule", options.schedule,
          {{"balanced", LrrSchedule::kBalanced}, {"published", LrrSchedule::kPublished}},
          "balanced: to the optimum, proved by the duality gap; published: as the released code"),
      parameter("tolerance", options.tolerance,
                "relative duality gap that counts as solved (balanced)")
          .above(0),
      parameter("max_iterations", options.max_iterations, "rounds of alternating directions")
          .at_least(1),
  };
}

// Data, copies and singular vectors; the iterates J, E, Y1, Y2, T, diag(s)V' and temporaries, r x
// N; T T' with the workspace of its eigensolver; C.
double solver_bytes(const LrrOptions& options, Index dimension, Index num_points, const Context&) {
  const Index rank = std::min(dimension, num_points);
  const double iterates = options.noise_free ? 0.0 : 9.0;
  return matrix_bytes(2.0, dimension, num_points) + matrix_bytes(2.0 + iterates, rank, num_points) +
         matrix_bytes(4.0, rank, rank) + matrix_bytes(1.0, num_points, num_points);
}

DenseSelfExpression lrr(const ConstMatrixRef& X, const LrrOptions& options,
                        const Context& context) {
  LrrOptions checked = options;
  check(describe(checked), "lrr");
  require_finite(X, "lrr");
  check_memory("lrr", solver_bytes(options, X.rows(), X.cols(), context), allowed_memory(context),
               "its coefficients are dense; give fewer samples or use ensc, which is sparse");
  context.throw_if_cancelled();
  Matrix points = X;
  const int exponent = binary_exponent(points);
  scale_by_power_of_two(points, -exponent);

  const linalg::Svd svd = significant_svd(points);
  if (svd.values.size() == 0) return zero_coefficients(X.cols(), options);
  const double lambda = scaled_lambda(options, svd.values(0), X.cols(), exponent);
  const bool exact = options.schedule == LrrSchedule::kBalanced;
  if (options.noise_free || (exact && leaves_no_error(svd, lambda))) {
    return closed_form(points, svd, lambda, options, context);
  }
  if (exact && leaves_no_rank(svd, lambda, context)) return zero_coefficients(X.cols(), options);
  LrrIteration iteration(svd.values, svd.V, lambda, options, context);
  SolveInfo info = iteration.run();
  Matrix C = linalg::multiply(svd.V, false, iteration.low_rank(), false, context);
  info.residual =
      relative_gap(points, C, svd, iteration.low_rank(), iteration.multiplier(), lambda, context);
  if (exact) judge_by_gap(options.tolerance, info);
  return {std::move(C), {info}};
}

}  // namespace subspace
