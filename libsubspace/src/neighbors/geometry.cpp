// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "neighbors/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr Index kColumnsPerTile = 256;

/// Power of two that brings `largest` near 1 where its square could overflow or underflow; else 1.
double safe_scale(double largest) {
  if (largest == 0.0 || (largest > 1e-100 && largest < 1e100)) return 1.0;
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1020, 1020));
}

}  // namespace

Geometry::Geometry(const ConstMatrixRef& X, Metric metric, const Context& context)
    : X_(X), metric_(metric) {
  choose_scales();
  measure_columns(context);
  if (metric_ == Metric::kEuclidean) {
    choose_center();
    if (center_.size() > 0) measure_columns(context);
    largest_norm_ = std::sqrt(norms_.maxCoeff());
  } else {
    norms_ = (norms_.array() > 0.0).select(norms_.cwiseSqrt().cwiseInverse(), 0.0);
    largest_norm_ = 1.0;
  }
  copies_columns_ = center_.size() > 0 || (scale_.array() != 1.0).any();
}

void Geometry::choose_scales() {
  if (metric_ == Metric::kEuclidean) {
    scale_ = Vector::Constant(X_.cols(), safe_scale(X_.cwiseAbs().maxCoeff()));
    return;
  }
  scale_.resize(X_.cols());
  for (Index j = 0; j < X_.cols(); ++j) scale_[j] = safe_scale(X_.col(j).cwiseAbs().maxCoeff());
}

/// Distances do not change with the origin, but the error of |x|^2 + |y|^2 - 2 x'y grows with the
/// norms: a point set far from the origin is moved, so that few pairs need the direct formula. The
/// subtraction itself is harmless, its error is relative to the small result.
void Geometry::choose_center() {
  const double share = 1.0 / static_cast<double>(X_.cols());
  Vector mean = Vector::Zero(X_.rows());
  for (Index j = 0; j < X_.cols(); ++j) mean += X_.col(j) * (scale_[j] * share);
  const double spread = norms_.sum() * share - mean.squaredNorm();
  constexpr double kFarAway = 100.0;
  if (mean.squaredNorm() > kFarAway * spread) center_ = mean;
}

void Geometry::measure_columns(const Context& context) {
  norms_.resize(X_.cols());
  for_tiles(context, X_.cols(), kColumnsPerTile, [this](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      norms_[j] =
          center_.size() > 0 ? (scaled(j) - center_).squaredNorm() : scaled(j).squaredNorm();
    }
  });
}

Geometry::Columns Geometry::columns(Index begin, Index end, Matrix& storage) const {
  if (!copies_columns_) return {X_.col(begin).data(), X_.outerStride()};
  storage.resize(X_.rows(), end - begin);
  for (Index j = begin; j < end; ++j) {
    storage.col(j - begin) = scaled(j);
    if (center_.size() > 0) storage.col(j - begin) -= center_;
  }
  return {storage.data(), storage.rows()};
}

Matrix Geometry::distances(Index row_begin, Index row_end, Index column_begin,
                           Index column_end) const {
  Matrix row_storage;
  Matrix column_storage;
  const bool same = row_begin == column_begin && row_end == column_end;
  const Columns left = columns(row_begin, row_end, row_storage);
  const Columns right = same ? left : columns(column_begin, column_end, column_storage);
  Matrix result(row_end - row_begin, column_end - column_begin);
  linalg::gemm({.transpose_a = true,
                .m = result.rows(),
                .n = result.cols(),
                .k = X_.rows(),
                .a = left.data,
                .lda = left.stride,
                .b = right.data,
                .ldb = right.stride,
                .c = result.data(),
                .ldc = result.rows()});
  to_distances(row_begin, column_begin, result);
  return result;
}

void Geometry::to_distances(Index row_begin, Index column_begin, Matrix& products) const {
  const auto row_norms = norms_.segment(row_begin, products.rows()).array();
  for (Index c = 0; c < products.cols(); ++c) {
    auto column = products.col(c).array();
    const double norm = norms_[column_begin + c];
    if (metric_ == Metric::kEuclidean) {
      column = (row_norms + norm) - 2.0 * column;
    } else if (metric_ == Metric::kCosine) {
      column = 1.0 - column * row_norms * norm;
    } else {
      column = 1.0 - (column * row_norms * norm).abs();
    }
  }
}

double Geometry::direct(Index i, Index j) const {
  if (metric_ == Metric::kEuclidean) return (scaled(i) - scaled(j)).squaredNorm();
  if (norms_[i] == 0.0 || norms_[j] == 0.0) return 1.0;
  // 1 - cos = |u - v|^2 / 2 for unit vectors u, v; with |cos| the nearer of v and -v counts.
  const bool flipped = metric_ == Metric::kAbsoluteCosine && scaled(i).dot(scaled(j)) < 0.0;
  const double sign = flipped ? -1.0 : 1.0;
  const double value = 0.5 * (scaled(i) * norms_[i] - scaled(j) * (sign * norms_[j])).squaredNorm();
  // An angle below the rounding error of the two norms is none: multiples of a point tie.
  const double angle_error = static_cast<double>(X_.rows() + 4) * kEpsilon;
  return value < angle_error * angle_error
             ? 0.0
             : std::min(value, metric_ == Metric::kCosine ? 2.0 : 1.0);
}

double Geometry::ambiguity(Index i) const {
  // Inner products and norms of length D err by D eps |x||y| at most, direct distances by D eps
  // d^2, and d <= |x| + |y|. Both sides of a comparison err, hence twice.
  const double own = metric_ == Metric::kEuclidean ? std::sqrt(norms_[i]) : 1.0;
  const double reach = own + largest_norm_;
  return 2.0 * static_cast<double>(2 * X_.rows() + 20) * kEpsilon * reach * reach;
}

double Geometry::reported(double value) const {
  return metric_ == Metric::kEuclidean ? std::sqrt(value) / scale_[0] : value;
}

}  // namespace subspace
