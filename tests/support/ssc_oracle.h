// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/types.h>

/// SSC from its definitions, with dense algebra; shares nothing with the solvers.
namespace subspace::testing {

/// alpha / min_j max_{i != j} |P_i'x_j| over the atoms P, of which the points are the first; given
/// products = P'X.
inline double ssc_weight(const Matrix& products, double alpha) {
  double smallest = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < products.cols(); ++j) {
    Vector column = products.col(j);
    column(j) = 0.0;
    smallest = std::min(smallest, column.cwiseAbs().maxCoeff());
  }
  return alpha / smallest;
}

/// The largest violation of the optimality conditions of
///     min |c|_1 + weight/2 |f(x_j) - f(X) c|^2,  c_j = 0,  (1'c = 1),   K = f(X)'f(X).
inline double ssc_violation(const Matrix& K, Index j, const Vector& c, double weight, bool affine) {
  const Vector q = weight * (K.col(j) - K * c);
  double nu = 0.0;
  double largest = std::abs(c(j));
  if (affine) {
    // Of all multipliers the one that suits the support best: the middle of what its entries ask.
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (Index i = 0; i < c.size(); ++i) {
      if (c(i) == 0.0) continue;
      low = std::min(low, std::copysign(1.0, c(i)) - q(i));
      high = std::max(high, std::copysign(1.0, c(i)) - q(i));
    }
    nu = low <= high ? (low + high) / 2 : 0.0;
    largest = std::max(largest, std::abs(c.sum() - 1.0));
  }
  for (Index i = 0; i < c.size(); ++i) {
    if (i == j) continue;
    largest = std::max(largest, c(i) != 0.0 ? std::abs(q(i) + nu - std::copysign(1.0, c(i)))
                                            : std::abs(q(i) + nu) - 1.0);
  }
  return largest;
}

inline double ssc_violation(const Matrix& K, const Matrix& C, double weight, bool affine) {
  double largest = 0.0;
  for (Index j = 0; j < C.cols(); ++j) {
    largest = std::max(largest, ssc_violation(K, j, C.col(j), weight, affine));
  }
  return largest;
}

/// The value of each column's own problem.
inline Vector ssc_objectives(const Matrix& K, const Matrix& C, double weight) {
  const Matrix KC = K * C;
  Vector values(C.cols());
  for (Index j = 0; j < C.cols(); ++j) {
    const Vector c = C.col(j);
    values(j) = c.lpNorm<1>() + weight / 2 * (K(j, j) - 2.0 * c.dot(K.col(j)) + c.dot(KC.col(j)));
  }
  return values;
}

inline double ssc_objective(const Matrix& K, const Matrix& C, double weight) {
  return ssc_objectives(K, C, weight).sum();
}

/// The largest violation of the optimality conditions of the problem without noise,
///     min |c|_1 + g |e|_1,  x_j = X c + e,  c_j = 0,  (1'c = 1),
/// by C, E and the multipliers Y of its first constraint.
inline double noiseless_violation(const Matrix& X, const Matrix& C, const Matrix& E,
                                  const Matrix& Y, double g, bool affine) {
  double largest = (X - X * C - E).cwiseAbs().maxCoeff() / X.cwiseAbs().maxCoeff();
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      const double y = Y(i, j) / g;
      largest = std::max(
          largest, E(i, j) != 0.0 ? std::abs(y - std::copysign(1.0, E(i, j))) : std::abs(y) - 1.0);
    }
    // Of the lasso with weight 1 whose points are such that x_i'(x_j - X c) is x_i'y.
    const Vector products = X.transpose() * Y.col(j);
    const Vector c = C.col(j);
    Matrix K = Matrix::Zero(c.size(), c.size());
    K.col(j) = products;  // c_j is zero, so that K c vanishes
    largest = std::max(largest, ssc_violation(K, j, c, 1.0, affine));
  }
  return largest;
}

struct PublishedResult {
  Matrix C = {};
  Matrix E = {};  ///< with outliers: what they take from the points
  Matrix Y = {};  ///< and the multipliers of X = X C + E that the coordinates ask for
  int iterations = 0;
  double error = 0.0;
};

inline Matrix soft(const Matrix& M, double threshold) {
  return (M.cwiseAbs().array() - threshold).cwiseMax(0.0) * M.array().sign();
}

/// |c|_1 + g |e|_1 + weight/2 |x_j - X c - e|^2 of each point, e being the best there is for c.
inline Vector outlier_objectives(const Matrix& X, const Matrix& C, double g, double weight) {
  const Matrix rest = X - X * C;
  const Matrix E = soft(rest, g / weight);
  return (C.cwiseAbs().colwise().sum() + g * E.cwiseAbs().colwise().sum() +
          weight / 2 * (rest - E).colwise().squaredNorm())
      .transpose();
}

/// The iterations of Elhamifar and Vidal (TPAMI 2013, supplement and released program), line by
/// line on the dictionary P, which is X or, with outliers, [X, I/g].
inline PublishedResult published_admm(const Matrix& X, double alpha, bool affine, bool outliers) {
  const Index n = X.cols();
  const Index d = outliers ? X.rows() : 0;
  const double g = alpha / X.cwiseAbs().colwise().sum().maxCoeff();
  Matrix P(X.rows(), n + d);
  P.leftCols(n) = X;
  if (outliers) P.rightCols(d) = Matrix::Identity(d, d) / g;
  const double mu1 = ssc_weight(P.transpose() * X, alpha);
  const double mu2 = alpha;
  Vector delta = Vector::Zero(n + d);
  delta.head(n).setOnes();
  Matrix system = mu1 * P.transpose() * P + mu2 * Matrix::Identity(n + d, n + d);
  if (affine) system += mu2 * delta * delta.transpose();
  const Matrix A = system.inverse();

  PublishedResult result;
  Matrix C = Matrix::Zero(n + d, n);
  Matrix lambda1 = Matrix::Zero(X.rows(), n);
  Matrix lambda2 = Matrix::Zero(n + d, n);
  Eigen::RowVectorXd lambda3 = Eigen::RowVectorXd::Zero(n);
  const Eigen::RowVectorXd ones = Eigen::RowVectorXd::Ones(n);
  result.error = 1.0;
  while (result.error > 2e-4 && result.iterations < (outliers ? 149 : 199)) {
    Matrix right = mu1 * P.transpose() * (X + lambda1 / mu1) + mu2 * C - lambda2;
    if (affine) right += mu2 * delta * (ones - lambda3 / mu2);
    Matrix Z = A * right;
    Z.topRows(n).diagonal().setZero();
    C = soft(Z + lambda2 / mu2, 1.0 / mu2);
    C.topRows(n).diagonal().setZero();
    lambda2 += mu2 * (Z - C);
    result.error = (Z - C).cwiseAbs().maxCoeff();
    if (outliers) {
      lambda1 += mu1 * (X - P * Z);
      const Matrix clean = X - Z.bottomRows(d) / g;
      const Matrix misfit = clean - X * Z.topRows(n);
      for (Index j = 0; j < n; ++j) {
        result.error = std::max(result.error, misfit.col(j).norm() / clean.col(j).norm());
      }
    }
    if (affine) {
      const Eigen::RowVectorXd excess = delta.transpose() * Z - ones;
      lambda3 += mu2 * excess;
      result.error = std::max(result.error, excess.cwiseAbs().maxCoeff());
    }
    ++result.iterations;
  }
  result.C = C.topRows(n);
  result.E = C.bottomRows(d) / g;
  result.Y = g * lambda2.bottomRows(d);
  return result;
}

}  // namespace subspace::testing
