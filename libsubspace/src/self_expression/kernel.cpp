// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/kernel.h"

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"

namespace subspace {
namespace {

// Norms that differ by less than this, relative to their mean, are equal.
constexpr double kEqualNorms = 1e-8;
// A diagonal entry that falls below this share of the largest is explained.
constexpr double kExplained = 1e-14;
constexpr Index kTile = 64;

double gaussian_width(const ConstMatrixRef& X, const Matrix& centred,
                      const KernelOptions& options) {
  if (options.sigma > 0.0) return options.sigma;
  const Vector norms = X.colwise().norm();
  const double mean = norms.mean();
  const double deviation = std::sqrt((norms.array() - mean).square().mean());
  if (deviation > kEqualNorms * mean) return options.sigma_scale * deviation;
  const double distance = std::sqrt(centred.colwise().squaredNorm().mean());
  return distance > 0.0 ? options.sigma_scale * distance : 1.0;
}

double power(double base, int exponent) {
  double result = 1.0;
  for (int k = 0; k < exponent; ++k) result *= base;
  return result;
}

}  // namespace

KernelSource::KernelSource(const ConstMatrixRef& X, const KernelOptions& options)
    : options_(options), points_(X) {
  if (options.kernel == Kernel::kGaussian) {
    center_columns(points_);
    sigma_ = gaussian_width(X, points_, options);
  }
  squared_norms_ = points_.colwise().squaredNorm();
}

double KernelSource::value(double product, Index i, Index j) const {
  if (options_.kernel == Kernel::kPolynomial) {
    return power(product + options_.offset, options_.degree);
  }
  if (i == j) return 1.0;
  const double distance =
      std::max(0.0, squared_norms_(i) + squared_norms_(j) - 2.0 * product) / sigma_ / sigma_;
  return std::exp(-0.5 * distance);
}

void KernelSource::map_column(Index j, double* products) const {
  for (Index i = 0; i < num_points(); ++i) products[i] = value(products[i], i, j);
}

Matrix KernelSource::matrix(const Context& context) const {
  Matrix K = linalg::gram(points_, context);
  for_tiles(context, K.cols(), kTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) map_column(j, K.col(j).data());
  });
  return K;
}

void KernelSource::column(Index j, double* values) const {
  linalg::gemv(true, points_.rows(), num_points(), 1.0, points_.data(), points_.outerStride(),
               points_.col(j).data(), 0.0, values);
  map_column(j, values);
}

Vector KernelSource::diagonal() const {
  Vector result(num_points());
  for (Index j = 0; j < result.size(); ++j) result(j) = value(squared_norms_(j), j, j);
  return result;
}

Matrix pivoted_cholesky(const KernelSource& source, Index rank, const Context& context) {
  const Index n = source.num_points();
  const Index most = std::min(rank, n);
  Matrix columns(n, most);  // F'
  Vector left = source.diagonal();
  const double enough = kExplained * left.maxCoeff();
  Index k = 0;
  for (; k < most; ++k) {
    context.throw_if_cancelled();
    Index pivot = 0;
    const double largest = left.maxCoeff(&pivot);
    if (!(largest > enough)) break;
    double* column = columns.col(k).data();
    source.column(pivot, column);
    const Vector before = columns.row(pivot).head(k).transpose();
    linalg::gemv(false, n, k, -1.0, columns.data(), n, before.data(), 1.0, column);
    columns.col(k) /= std::sqrt(largest);
    left -= columns.col(k).cwiseAbs2();
    left(pivot) = 0.0;
  }
  return columns.leftCols(k).transpose();
}

}  // namespace subspace
