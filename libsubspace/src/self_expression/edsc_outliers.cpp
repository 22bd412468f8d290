// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/edsc_outliers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <subspace/core/memory.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"
#include "self_expression/ridge.h"

namespace subspace {
namespace {

// The schedule of [Ji14]: the penalty grows until D = D C holds to the tolerance, by 3 a round
// there.
constexpr double kFirstPenalty = 1e-6;
constexpr double kLastPenalty = 1e10;
const char* const kPhase = "self-expression";

/// Weights at unit scale, kept where their products with data are finite.
double within_range(double weight) { return std::clamp(weight, 1e-140, 1e140); }

/// The augmented Lagrangian of
///     1/2 |C|^2 + l1/2 |X - D - E|^2 + l2 |E|_1 + <Y, D - D C> + rho/2 |D - D C|^2,
/// minimised over D, C and E in turn, each exactly, from C = 0. The order is that of the released
/// program: with its growth of the penalty the answer depends on it.
class OutlierModel {
 public:
  OutlierModel(Matrix X, double l1, double l2, double growth, const Context& context)
      : context_(context), X_(std::move(X)), l1_(l1), l2_(l2), growth_(growth) {
    E_ = Matrix::Zero(X_.rows(), X_.cols());
    Y_ = E_;
    complement_ = Matrix::Identity(X_.cols(), X_.cols());
  }

  /// The largest entry of D - D C after one round.
  double round() {
    update_clean_points();
    update_coefficients();
    update_errors();
    const Matrix gap = linalg::multiply(D_, false, complement_, false, context_);
    Y_ += rho_ * gap;
    rho_ = std::min(growth_ * rho_, kLastPenalty);
    return gap.cwiseAbs().maxCoeff();
  }

  /// The conditions of a stationary point but that on E, which the last step solves exactly. That
  /// on C holds but for rounding, since C was the answer to this D and Y took the gap: it is what
  /// tells when the penalty has grown beyond what rounding allows.
  double stationarity() const {
    const Matrix C = coefficients();
    const double constraint =
        (D_ - linalg::multiply(D_, false, C, false, context_)).cwiseAbs().maxCoeff();
    const double of_c = (C - linalg::multiply(D_, true, Y_, false, context_)).cwiseAbs().maxCoeff();
    const Matrix pull = linalg::multiply(Y_, false, complement_, true, context_);
    const double of_d = (X_ - D_ - E_ - pull / l1_).cwiseAbs().maxCoeff();
    return std::max({constraint, of_c, of_d});
  }

  Matrix coefficients() const {
    Matrix C = -complement_;
    C.diagonal().array() += 1.0;
    return C;
  }

 private:
  /// D (l1 I + rho B B') = l1 (X - E) - Y B'  with B = I - C.
  void update_clean_points() {
    const Matrix pull = linalg::multiply(Y_, false, complement_, true, context_);
    double shift = l1_ / rho_;
    const Matrix L = factor_shifted(linalg::moment(complement_, context_), shift, context_);
    D_ = solve(L, ((l1_ * (X_ - E_) - pull) / rho_).transpose()).transpose();
  }

  /// (I + rho D'D) C = D'(Y + rho D), by the smaller side:
  /// (I + rho D'D)^-1 D' = D'(I + rho D D')^-1.
  void update_coefficients() {
    const Matrix pull = Y_ + rho_ * D_;
    double shift = 1.0 / rho_;
    if (D_.rows() < D_.cols()) {
      const Matrix L = factor_shifted(linalg::moment(D_, context_), shift, context_);
      complement_ = linalg::multiply(D_, true, solve(L, pull / rho_), false, context_);
    } else {
      const Matrix L = factor_shifted(linalg::gram(D_, context_), shift, context_);
      complement_ = solve(L, linalg::multiply(D_, true, pull / rho_, false, context_));
    }
    complement_ = -complement_;
    complement_.diagonal().array() += 1.0;
  }

  void update_errors() {
    const double threshold = l2_ / l1_;
    E_ = (X_ - D_).unaryExpr(
        [threshold](double x) { return std::copysign(std::max(std::abs(x) - threshold, 0.0), x); });
  }

  Matrix solve(const Matrix& L, Matrix B) const {
    linalg::solve_factor(L, false, B, context_);
    linalg::solve_factor(L, true, B, context_);
    return B;
  }

  const Context& context_;
  Matrix X_;
  double l1_;
  double l2_;
  double growth_;
  double rho_ = kFirstPenalty;
  Matrix D_;           // clean points
  Matrix E_;           // gross errors
  Matrix Y_;           // multiplier of D = D C
  Matrix complement_;  // I - C
};

}  // namespace

double edsc_outlier_bytes(Index dimension, Index num_points) {
  return matrix_bytes(7.0, dimension, num_points) + matrix_bytes(4.0, num_points, num_points);
}

DenseSelfExpression edsc_with_outliers(const ConstMatrixRef& X, const EdscOptions& options,
                                       const Context& context) {
  check_memory("edsc", edsc_outlier_bytes(X.rows(), X.cols()), allowed_memory(context),
               "its coefficients are dense; give fewer samples or use ensc, which is sparse");
  Matrix points = X;
  const int exponent = binary_exponent(points);
  scale_by_power_of_two(points, -exponent);
  OutlierModel model(std::move(points), within_range(std::ldexp(options.fit_weight, 2 * exponent)),
                     within_range(std::ldexp(options.outlier_weight, exponent)), options.growth,
                     context);
  SolveInfo info{.termination = Termination::kIterationLimit};
  while (info.iterations < options.max_iterations) {
    info.stopping_error = model.round();
    context.report(kPhase, ++info.iterations, options.max_iterations);
    if (info.stopping_error <= kEdscConstraintTolerance) {
      info.termination = Termination::kConverged;
      break;
    }
  }
  info.residual = model.stationarity();
  return {model.coefficients(), {info}};
}

}  // namespace subspace
