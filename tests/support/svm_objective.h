// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>

#include <subspace/core/types.h>

namespace subspace::testing {

/// Primal and dual value of
///     min_w  1/2 |w|^2 + C sum_j max(0, 1 - y_j w'z_j)^2,   z_j = (x_j, bias),
/// at a point of each, point by point from the definitions. Shares nothing with the solver.
struct SvmValues {
  double primal = 0.0;
  double dual = 0.0;
};

/// `row` has the intercept last, as LinearSvm::weights has it. The dual point is that of w:
///     D(alpha) = sum_j alpha_j - 1/2 |sum_j alpha_j y_j z_j|^2 - 1/(4C) |alpha|^2,  alpha >= 0.
inline SvmValues svm_values(const Matrix& X, const Labels& labels, int positive, const Vector& row,
                            double penalty, double bias) {
  Vector w = row;
  if (bias > 0.0) w[X.rows()] /= bias;
  SvmValues values;
  values.primal = 0.5 * w.squaredNorm();
  Vector sum = Vector::Zero(w.size());
  for (Index j = 0; j < X.cols(); ++j) {
    Vector z(w.size());
    z << X.col(j), bias;
    const double y = labels[j] == positive ? 1.0 : -1.0;
    const double loss = std::max(0.0, 1.0 - y * w.dot(z));
    const double alpha = 2.0 * penalty * loss;
    values.primal += penalty * loss * loss;
    values.dual += alpha - alpha * alpha / (4.0 * penalty);
    sum += alpha * y * z;
  }
  values.dual -= 0.5 * sum.squaredNorm();
  return values;
}

}  // namespace subspace::testing
