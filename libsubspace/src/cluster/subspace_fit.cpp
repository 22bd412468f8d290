// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/subspace_fit.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <subspace/core/parallel.h>

#include "labels/groups.h"
#include "linalg/linalg.h"
#include "preprocess/mean.h"

namespace subspace {
namespace {

/// Y Y'S.
Matrix moment_product(const Matrix& Y, const Matrix& S) {
  Matrix coordinates(Y.cols(), S.cols());
  linalg::gemm({.transpose_a = true,
                .m = Y.cols(),
                .n = S.cols(),
                .k = Y.rows(),
                .a = Y.data(),
                .lda = Y.outerStride(),
                .b = S.data(),
                .ldb = S.outerStride(),
                .c = coordinates.data(),
                .ldc = coordinates.outerStride()});
  Matrix image(Y.rows(), S.cols());
  linalg::gemm({.m = Y.rows(),
                .n = S.cols(),
                .k = Y.cols(),
                .a = Y.data(),
                .lda = Y.outerStride(),
                .b = coordinates.data(),
                .ldb = coordinates.outerStride(),
                .c = image.data(),
                .ldc = image.outerStride()});
  return image;
}

/// Columns of length one; zero columns stay.
Matrix with_unit_columns(Matrix A) {
  for (auto column : A.colwise()) {
    const double length = column.norm();
    if (length > 0.0) column /= length;
  }
  return A;
}

/// The best subspace within span [B, M B, M^2 B], M = Y Y', by Rayleigh and Ritz, repeated until
/// the residual is small beside |Y|^2. No round lets go of what B holds of Y, since B is in the
/// space; of directions that B and all its images are orthogonal to it learns nothing. Nothing
/// where the subspace found has directions without points.
std::optional<Matrix> grow_basis(Matrix basis, const Matrix& Y, const Context& context) {
  constexpr int kMostRounds = 8;
  constexpr double kCloseEnough = 1e-6;
  const Index width = basis.cols();
  const double energy = Y.squaredNorm();
  const double no_direction = static_cast<double>(std::max(Y.rows(), Y.cols())) *
                              std::numeric_limits<double>::epsilon();  // as fit_subspaces() has it
  for (int round = 0; round < kMostRounds; ++round) {
    context.throw_if_cancelled();
    Matrix space(Y.rows(), 3 * width);
    space.leftCols(width) = basis;
    for (Index power = 1; power < 3; ++power) {
      space.middleCols(power * width, width) =
          with_unit_columns(moment_product(Y, space.middleCols((power - 1) * width, width)));
    }
    Matrix unused;
    linalg::orthonormalize(space, unused);
    const Matrix image = moment_product(Y, space);
    Matrix rotation = space.transpose() * image;
    Vector values;
    linalg::symmetric_eigen(rotation, values);
    const Matrix leading = rotation.rightCols(width).rowwise().reverse();
    values = values.tail(width).reverse().eval();
    basis.noalias() = space * leading;
    if (!(values[width - 1] > no_direction * values[0])) return std::nullopt;
    if ((image * leading - basis * values.asDiagonal()).norm() <= kCloseEnough * energy) break;
  }
  return basis;
}

/// The basis of the class in the model, if it has one of just this dimension.
const Matrix* basis_of(const Subspaces& model, int name, int dimension) {
  const auto found = std::lower_bound(model.classes.begin(), model.classes.end(), name);
  if (found == model.classes.end() || *found != name) return nullptr;
  const Matrix& basis = model.bases[static_cast<std::size_t>(found - model.classes.begin())];
  return basis.cols() == dimension ? &basis : nullptr;
}

/// Below this share of the cluster's rank the products with a few columns cost less than the
/// moment matrix.
bool pays_to_grow(Index dimension, Index num_features, Index num_points) {
  constexpr Index kSmall = 64;
  const Index order = std::min(num_features, num_points);
  return dimension > 0 && order >= kSmall && 8 * dimension <= order;
}

}  // namespace

Subspaces fit_exactly(const ConstMatrixRef& X, const Labels& labels, const SubspaceShapes& shapes,
                      const Context& context) {
  // At least 1, for 0 would mean a choice by energy; what is too much is cut below.
  const int most =
      std::max(1, *std::max_element(shapes.dimensions.begin(), shapes.dimensions.end()));
  Subspaces model = fit_subspaces(X, labels, {.dimension = most, .center = shapes.affine}, context);
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const int dimension = std::min(model.dimensions[c],
                                   shapes.dimensions[static_cast<std::size_t>(model.classes[c])]);
    model.dimensions[c] = dimension;
    model.bases[c] = Matrix(model.bases[c].leftCols(dimension));
  }
  return model;
}

Subspaces fit_nearer(const ConstMatrixRef& X, const Labels& labels, const Subspaces& previous,
                     const SubspaceShapes& shapes, const Context& context) {
  const Groups groups = group_by_label(labels);
  Subspaces model;
  model.classes = groups.names;
  // Whole matrices even where a loop around this one ends and takes its tiles along.
  model.bases.resize(groups.members.size(), Matrix(X.rows(), 0));
  model.dimensions.resize(groups.members.size());
  model.means = Matrix::Zero(X.rows(), groups.size());
  model.residuals = Vector::Zero(groups.size());
  for_tiles(context, groups.size(), 1, [&](const Tile& tile) {
    const auto c = static_cast<std::size_t>(tile.begin);
    const int name = groups.names[c];
    const std::vector<Index>& members = groups.members[c];
    const int dimension = shapes.dimensions[static_cast<std::size_t>(name)];
    const Matrix* start = basis_of(previous, name, dimension);
    if (start != nullptr && pays_to_grow(dimension, X.rows(), static_cast<Index>(members.size()))) {
      Matrix Y = gather(X, members);
      const Vector mean = shapes.affine ? mean_column(Y) : Vector::Zero(X.rows());
      if (shapes.affine) Y.colwise() -= mean;
      if (std::optional<Matrix> basis = grow_basis(*start, Y, context)) {
        model.bases[c] = *std::move(basis);
        model.means.col(tile.begin) = mean;
      }
    }
    if (model.bases[c].cols() == 0) {
      Subspaces exact =
          fit_exactly(gather(X, members), Labels(members.size(), name), shapes, context);
      model.bases[c] = std::move(exact.bases.front());
      model.means.col(tile.begin) = exact.means.col(0);
    }
    model.dimensions[c] = static_cast<int>(model.bases[c].cols());
  });
  context.throw_if_cancelled();
  return model;
}

}  // namespace subspace
