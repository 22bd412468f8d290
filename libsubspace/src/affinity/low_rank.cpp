// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/low_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

/// Singular values from here on, relative to the largest, when no rank is asked for: what LRR's
/// authors take for the rank of its noisy Z.
constexpr double kRankThreshold = 1e-4;
constexpr Index kWeightTile = 128;

/// Rows of C without an entry. In exact arithmetic their rows of U are zero; what rounding makes of
/// them must not be stretched to unit length.
std::vector<Index> empty_rows(const Matrix& C) {
  Vector largest = Vector::Zero(C.rows());
  for (const auto column : C.colwise()) largest = largest.cwiseMax(column.cwiseAbs());
  std::vector<Index> rows;
  for (Index i = 0; i < largest.size(); ++i) {
    if (largest[i] == 0.0) rows.push_back(i);
  }
  return rows;
}

LeftSingular left_singular(Matrix C, bool symmetric, const Context& context) {
  const std::vector<Index> empty = empty_rows(C);
  std::optional<LeftSingular> singular = left_singular_by_range(C, symmetric, context);
  if (!singular) singular = left_singular_by_eigen(std::move(C), symmetric, context);
  for (const Index i : empty) singular->vectors.row(i).setZero();
  return std::move(*singular);
}

Index wanted_rank(const Vector& values, const AffinityOptions& options) {
  const Index n = values.size();
  if (options.dimension > 0) {
    return std::min<Index>(n, Index{options.dimension} * options.num_clusters + 1);
  }
  const double threshold = kRankThreshold * values[0];
  return std::count_if(values.begin(), values.end(),
                       [&](double value) { return value > threshold; });
}

/// (U s^1/2)' of the leading `rank`, a column a point, each of unit length or zero.
Matrix unit_points(const LeftSingular& singular, Index rank) {
  Matrix points(rank, singular.vectors.rows());
  for (Index k = 0; k < rank; ++k) {
    points.row(k) = singular.vectors.col(k).transpose() * std::sqrt(singular.values[k]);
  }
  for (auto point : points.colwise()) {
    const double length = point.stableNorm();
    if (length > 0.0) point /= length;
  }
  return points;
}

/// x^exponent for x >= 0: whole exponents by squaring, in a fraction of the time of std::pow.
class Power {
 public:
  explicit Power(double exponent)
      : exponent_(exponent),
        whole_(exponent <= kLargestWhole && exponent == std::floor(exponent)
                   ? static_cast<int>(exponent)
                   : 0) {}

  double operator()(double x) const {
    if (whole_ == 0) return std::pow(x, exponent_);
    double result = 1.0;
    for (int rest = whole_; rest > 0; rest /= 2, x *= x) {
      if (rest % 2 == 1) result *= x;
    }
    return result;
  }

 private:
  static constexpr double kLargestWhole = 64.0;

  double exponent_ = 1.0;
  int whole_ = 0;
};

/// The lower triangle above the diagonal as well, by blocks that stay in the cache.
void mirror_lower(Matrix& A, const Context& context) {
  constexpr Index kBlock = 64;
  for_tiles(context, A.cols(), kBlock, [&](const Tile& tile) {
    for (Index row = 0; row < tile.begin; row += kBlock) {
      A.block(row, tile.begin, kBlock, tile.size()) =
          A.block(tile.begin, row, tile.size(), kBlock).transpose();
    }
    auto own = A.block(tile.begin, tile.begin, tile.size(), tile.size());
    own.triangularView<Eigen::StrictlyUpper>() = own.transpose();
  });
}

/// |cos|^power; on the diagonal 0 without loops, else 1 of points that have a direction. Negative
/// cosines count as 0 when only positive ones are wanted. Only the lower triangle is read: a
/// product need not be symmetric to the bit, W has to be.
Matrix weights_of(Matrix cosines, const AffinityOptions& options, const Context& context) {
  const Power power(options.power);
  for_tiles(context, cosines.cols(), kWeightTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      cosines(j, j) = options.loops && cosines(j, j) > 0.0 ? 1.0 : 0.0;
      for (double& value : cosines.col(j).tail(cosines.rows() - j - 1)) {
        value = options.positive && value < 0.0 ? 0.0 : power(std::abs(value));
      }
    }
  });
  mirror_lower(cosines, context);
  return cosines;
}

/// The positive entries of a full matrix, written in place: no column exists twice.
SparseMatrix positive_entries(const Matrix& weights, const Context& context) {
  const Index n = weights.cols();
  std::vector<Index> starts(static_cast<std::size_t>(n) + 1, 0);
  for_tiles(context, n, kWeightTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      starts[static_cast<std::size_t>(j) + 1] = (weights.col(j).array() > 0.0).count();
    }
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  check_sparse_size("make_affinity", starts.back(), "it is full; give fewer samples");
  SparseMatrix W(n, n);
  W.resizeNonZeros(starts.back());
  std::ranges::transform(starts, W.outerIndexPtr(), [](Index s) { return static_cast<int>(s); });
  for_tiles(context, n, kWeightTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Index p = starts[static_cast<std::size_t>(j)];
      for (Index i = 0; i < n; ++i) {
        if (!(weights(i, j) > 0.0)) continue;
        W.innerIndexPtr()[p] = static_cast<int>(i);
        W.valuePtr()[p++] = weights(i, j);
      }
    }
  });
  return W;
}

}  // namespace

SparseMatrix singular_affinity(const LeftSingular& singular, const AffinityOptions& options,
                               const Context& context) {
  const Index n = singular.vectors.rows();
  if (singular.values.size() == 0 || singular.values[0] == 0.0) return SparseMatrix(n, n);
  const Matrix points = unit_points(singular, wanted_rank(singular.values, options));
  return positive_entries(weights_of(linalg::gram(points, context), options, context), context);
}

SparseMatrix low_rank_affinity(Matrix C, const AffinityOptions& options, const Context& context) {
  // Angles do not depend on the scale of C; at unit scale nothing overflows.
  const double scale = std::max(C.cwiseAbs().maxCoeff(), options.unit_diagonal ? 1.0 : 0.0);
  if (scale > 0.0) C /= scale;
  if (options.symmetrize) C = (0.5 * (C + C.transpose())).eval();
  if (options.unit_diagonal) C.diagonal().setConstant(1.0 / scale);
  context.throw_if_cancelled();
  const LeftSingular singular = left_singular(std::move(C), options.symmetrize, context);
  context.throw_if_cancelled();
  return singular_affinity(singular, options, context);
}

}  // namespace subspace
