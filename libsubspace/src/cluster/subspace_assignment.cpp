// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/subspace_assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <subspace/core/parallel.h>

#include "labels/groups.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 256;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// All bases and then all means side by side: their inner products with a point give its distance
/// from every subspace,
///     |x - m|^2 - |B'(x - m)|^2,  |x - m|^2 = x'x - 2 m'x + m'm,  B'(x - m) = B'x - B'm.
struct StackedSubspaces {
  explicit StackedSubspaces(const Subspaces& model) {
    const Index num_classes = model.means.cols();
    Index width = 0;
    for (const Matrix& basis : model.bases) width += basis.cols();
    columns.resize(model.means.rows(), width + num_classes);
    for (const Matrix& basis : model.bases) {
      firsts.push_back(firsts.empty() ? 0 : firsts.back() + widths.back());
      widths.push_back(basis.cols());
      columns.middleCols(firsts.back(), basis.cols()) = basis;
    }
    columns.rightCols(num_classes) = model.means;
    for (Index k = 0; k < num_classes; ++k) {
      offsets.push_back(model.bases[at(k)].transpose() * model.means.col(k));
      squared_means.push_back(model.means.col(k).squaredNorm());
    }
  }
  Index num_classes() const { return static_cast<Index>(widths.size()); }

  double squared_distance(Index k, double squared_length, const double* products) const {
    const double along_mean = products[columns.cols() - num_classes() + k];
    double squared = squared_length - 2.0 * along_mean + squared_means[at(k)];
    const Vector& offset = offsets[at(k)];
    for (Index i = 0; i < widths[at(k)]; ++i) {
      const double coordinate = products[firsts[at(k)] + i] - offset[i];
      squared -= coordinate * coordinate;
    }
    return squared;
  }
  /// Far above the rounding of squared_distance().
  double margin(Index k, double squared_length) const {
    const double terms = static_cast<double>(columns.rows() + 8);
    return 8.0 * terms * std::numeric_limits<double>::epsilon() *
           (squared_length + squared_means[at(k)]);
  }

  Matrix columns = {};
  std::vector<Index> firsts = {};
  std::vector<Index> widths = {};
  std::vector<Vector> offsets = {};  // B'm
  std::vector<double> squared_means = {};
};

/// The position of the nearest class, or `own` unless that is clearly nearer.
Index clearly_nearest(const StackedSubspaces& stack, Index own, double squared_length,
                      const double* products) {
  const double own_squared = stack.squared_distance(own, squared_length, products);
  const double own_margin = stack.margin(own, squared_length);
  Index best = own;
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < stack.num_classes(); ++k) {
    const double squared = stack.squared_distance(k, squared_length, products);
    const double margin = own_margin + stack.margin(k, squared_length);
    if (k == own || squared >= least || squared + margin >= own_squared) continue;
    best = k;
    least = squared;
  }
  return best;
}

}  // namespace

bool move_clearly_nearer(const ConstMatrixRef& X, const Subspaces& model, Labels& labels,
                         const Context& context) {
  const StackedSubspaces stack(model);
  const Index tiles = (X.cols() + kPointsPerTile - 1) / kPointsPerTile;
  std::vector<char> changed(at(tiles), 0);
  for_tiles(context, X.cols(), kPointsPerTile, [&](const Tile& tile) {
    Matrix products(stack.columns.cols(), tile.size());
    linalg::gemm({.transpose_a = true,
                  .m = products.rows(),
                  .n = products.cols(),
                  .k = X.rows(),
                  .a = stack.columns.data(),
                  .lda = stack.columns.outerStride(),
                  .b = X.col(tile.begin).data(),
                  .ldb = X.outerStride(),
                  .c = products.data(),
                  .ldc = products.outerStride()});
    for (Index j = tile.begin; j < tile.end; ++j) {
      int& label = labels[at(j)];
      const auto position = std::lower_bound(model.classes.begin(), model.classes.end(), label);
      const Index own = position - model.classes.begin();
      const Index best =
          clearly_nearest(stack, own, X.col(j).squaredNorm(), products.col(j - tile.begin).data());
      if (best == own) continue;
      label = model.classes[at(best)];
      changed[at(tile.index)] = 1;
    }
  });
  return std::find(changed.begin(), changed.end(), 1) != changed.end();
}

Vector own_residuals(const ConstMatrixRef& X, const Subspaces& model, const Labels& labels,
                     const Context& context) {
  const Groups groups = group_by_label(labels);
  Vector result(X.cols());
  for (std::size_t g = 0; g < groups.members.size(); ++g) {
    const auto position =
        std::lower_bound(model.classes.begin(), model.classes.end(), groups.names[g]);
    const Index k = position - model.classes.begin();
    const Subspaces own{.classes = {groups.names[g]},
                        .bases = {model.bases[at(k)]},
                        .means = model.means.col(k),
                        .dimensions = {model.dimensions[at(k)]}};
    const Matrix distances = residuals(own, gather(X, groups.members[g]), context);
    result(groups.members[g]) = distances.row(0).transpose();
  }
  return result;
}

}  // namespace subspace
