// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/low_rank.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <subspace/core/parallel.h>

#include "affinity/columns.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

/// Singular values from here on, relative to the largest, when no rank is asked for: what LRR's
/// authors take for the rank of its noisy Z.
constexpr double kRankThreshold = 1e-4;

/// Rows of C without an entry. In exact arithmetic their rows of U are zero; what rounding makes of
/// them must not be stretched to unit length.
std::vector<Index> empty_rows(const Matrix& C) {
  const Vector largest = C.cwiseAbs().rowwise().maxCoeff();
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

/// |cos|^power off the diagonal; negative cosines count as 0 when only positive ones are wanted.
/// Only the lower triangle is read: a product need not be symmetric to the bit, W has to be.
SparseMatrix powers(const Matrix& cosines, const AffinityOptions& options, const Context& context) {
  std::vector<Column> columns(static_cast<std::size_t>(cosines.cols()));
  for_tiles(context, cosines.cols(), kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Column& column = columns[static_cast<std::size_t>(j)];
      for (Index i = 0; i < cosines.rows(); ++i) {
        const double cosine = cosines(std::max(i, j), std::min(i, j));
        if (i == j || (options.positive && cosine < 0.0)) continue;
        const double weight = std::pow(std::abs(cosine), options.power);
        if (weight > 0.0) column.push_back({static_cast<int>(i), weight});
      }
    }
  });
  return assemble(columns);
}

}  // namespace

SparseMatrix singular_affinity(const LeftSingular& singular, const AffinityOptions& options,
                               const Context& context) {
  const Index n = singular.vectors.rows();
  if (singular.values.size() == 0 || singular.values[0] == 0.0) return SparseMatrix(n, n);
  const Matrix points = unit_points(singular, wanted_rank(singular.values, options));
  return powers(linalg::gram(points, context), options, context);
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
