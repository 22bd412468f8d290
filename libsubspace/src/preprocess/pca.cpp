// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/preprocess/pca.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "preprocess/mean.h"
#include "preprocess/power_of_two.h"
#include "preprocess/preprocess_bytes.h"

namespace subspace {
namespace {

void check_dimensions(const ConstMatrixRef& X, int num_dimensions) {
  const Index most = std::min(X.rows(), X.cols());
  if (num_dimensions < 1 || num_dimensions > most) {
    throw DataError(message("fit_pca: num_dimensions = ", num_dimensions,
                            ", must satisfy 1 <= num_dimensions <= ", most, " (the smaller of ",
                            X.rows(), " features and ", X.cols(), " samples)"));
  }
}

struct MomentEigen {
  Matrix vectors = {};  ///< the leading r, by decreasing eigenvalue
  Vector values = {};
};

MomentEigen leading_eigen(Matrix moment, Index r) {
  Vector ascending;
  linalg::symmetric_eigen(moment, ascending);
  return {moment.rightCols(r).rowwise().reverse(), ascending.tail(r).reverse().cwiseMax(0.0)};
}

/// X V has orthogonal columns of length sigma_i. Householder QR makes them orthonormal and
/// completes the basis where sigma_i vanishes, which a division by sigma_i could not.
Matrix left_singular_vectors(const Matrix& X, const Matrix& V) {
  Matrix XV(X.rows(), V.cols());
  linalg::gemm({.m = X.rows(),
                .n = V.cols(),
                .k = X.cols(),
                .a = X.data(),
                .lda = X.outerStride(),
                .b = V.data(),
                .ldb = V.outerStride(),
                .c = XV.data(),
                .ldc = XV.outerStride()});
  const Eigen::HouseholderQR<Matrix> qr(XV);
  return qr.householderQ() * Matrix::Identity(X.rows(), V.cols());
}

void fix_signs(Matrix& basis) {
  for (auto direction : basis.colwise()) {
    Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) direction = -direction;
  }
}

}  // namespace

Pca fit_pca(const ConstMatrixRef& X, int num_dimensions, bool center, const Context& context) {
  require_finite(X, "fit_pca");
  check_dimensions(X, num_dimensions);
  check_memory("fit_pca", fit_pca_bytes(X.rows(), X.cols()), allowed_memory(context),
               "reduce the number of samples or of features");

  Pca pca;
  pca.mean = center ? mean_column(X) : Vector(Vector::Zero(X.rows()));
  Matrix centered = X.colwise() - pca.mean;
  const int exponent = binary_exponent(centered);
  scale_by_power_of_two(centered, -exponent);

  const bool by_features = X.rows() <= X.cols();
  MomentEigen eigen = leading_eigen(
      linalg::gram(by_features ? Matrix(centered.transpose()) : centered, context), num_dimensions);
  pca.basis =
      by_features ? std::move(eigen.vectors) : left_singular_vectors(centered, eigen.vectors);
  fix_signs(pca.basis);
  const double n = static_cast<double>(X.cols());
  pca.variances = (eigen.values / n).unaryExpr([exponent](double variance) {
    return std::ldexp(variance, 2 * exponent);
  });
  return pca;
}

Matrix project(const Pca& pca, const ConstMatrixRef& X) {
  if (X.rows() != pca.basis.rows()) {
    throw DataError(message("project: points have ", X.rows(), " features, the basis has ",
                            pca.basis.rows(), "; they must agree"));
  }
  // Subtracting first keeps the digits that basis'x - basis'mean would cancel.
  const Matrix centered = X.colwise() - pca.mean;
  Matrix coordinates(pca.basis.cols(), X.cols());
  linalg::gemm({.transpose_a = true,
                .m = coordinates.rows(),
                .n = X.cols(),
                .k = X.rows(),
                .a = pca.basis.data(),
                .lda = pca.basis.outerStride(),
                .b = centered.data(),
                .ldb = centered.outerStride(),
                .c = coordinates.data(),
                .ldc = coordinates.outerStride()});
  return coordinates;
}

}  // namespace subspace
