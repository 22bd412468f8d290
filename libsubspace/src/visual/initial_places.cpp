// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "visual/initial_places.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include <subspace/core/random.h>

#include "linalg/linalg.h"
#include "preprocess/mean.h"

namespace subspace {
namespace {

constexpr double kSpread = 1e-4;
constexpr double kOwnStep = 1e-3 * kSpread;

Matrix product(const Matrix& A, const Matrix& B, bool transpose_a) {
  Matrix C(transpose_a ? A.cols() : A.rows(), B.cols());
  linalg::gemm({.transpose_a = transpose_a,
                .m = C.rows(),
                .n = C.cols(),
                .k = B.rows(),
                .a = A.data(),
                .lda = A.outerStride(),
                .b = B.data(),
                .ldb = B.outerStride(),
                .c = C.data(),
                .ldc = C.outerStride()});
  return C;
}

Matrix orthonormal(const Matrix& A) {
  const Eigen::HouseholderQR<Matrix> qr(A);
  return qr.householderQ() * Matrix::Identity(A.rows(), A.cols());
}

/// Centred and scaled to entries of at most one, so that no square overflows.
Matrix centered(const ConstMatrixRef& X) {
  Matrix points = X.colwise() - mean_column(X);
  const double largest = points.cwiseAbs().maxCoeff();
  if (largest > 0.0) points /= largest;
  return points;
}

/// Coordinates along a basis that block power iteration turns towards the leading directions. A
/// start needs no more digits than a few rounds give, where fit_pca() would solve for all D.
Matrix leading_coordinates(const Matrix& points, RandomStream random) {
  constexpr Index kMostDirections = 10;
  constexpr int kRounds = 10;
  const Index directions = std::min({kMostDirections, points.rows(), points.cols()});
  Matrix basis(points.rows(), directions);
  for (double& entry : basis.reshaped()) entry = random.normal();
  basis = orthonormal(basis);
  for (int round = 0; round < kRounds; ++round) {
    basis = orthonormal(product(points, product(points, basis, true), false));
  }
  return product(points, basis, true);
}

/// N x directions to N x 2: the two directions of most variance, the largest entry positive.
Matrix two_widest(const Matrix& coordinates) {
  Matrix moment = coordinates.transpose() * coordinates;
  Vector variances;
  linalg::symmetric_eigen(moment, variances);
  const Index found = std::min<Index>(2, coordinates.cols());
  Matrix places = Matrix::Zero(coordinates.rows(), 2);
  places.leftCols(found) = coordinates * moment.rightCols(found).rowwise().reverse();
  for (auto axis : places.colwise()) {
    Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    if (axis[largest] < 0.0) axis = -axis;
  }
  return places;
}

}  // namespace

Matrix initial_places(const ConstMatrixRef& X, std::uint64_t seed) {
  Matrix places =
      two_widest(leading_coordinates(centered(X), stream(seed, Stream::kMap))).transpose();
  const double deviation = places.row(0).norm() / std::sqrt(static_cast<double>(X.cols()));
  if (deviation > 0.0) places *= kSpread / deviation;
  RandomStream steps = stream(seed, Stream::kMap, 1);
  for (double& place : places.reshaped()) place += kOwnStep * steps.normal();
  return places;
}

}  // namespace subspace
