// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/nearest_subspace.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/preprocess/pca.h>

#include "classify/predict_bytes.h"
#include "labels/groups.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"

namespace subspace {
namespace {

constexpr Index kColumnsPerTile = 512;

/// The variances that are not rounding, over the largest of them. Subtracting the mean errs by
/// epsilon of the points' magnitude, and the eigenvalues of the moment matrix by epsilon of the
/// largest.
Vector significant_shares(const Vector& variances, const ConstMatrixRef& points) {
  const double error = static_cast<double>(std::max(points.rows(), points.cols())) *
                       std::numeric_limits<double>::epsilon();
  if (std::sqrt(variances[0]) <= error * points.cwiseAbs().maxCoeff()) return {};
  const Vector shares = variances / variances[0];
  return shares.head(
      std::count_if(shares.begin(), shares.end(), [error](double share) { return share > error; }));
}

/// The smallest number of leading variances that sum to the share asked for.
int dimension_by_energy(const Vector& shares, double energy) {
  const double wanted = energy * shares.sum();
  double held = 0.0;
  int dimension = 0;
  while (dimension < shares.size() && held < wanted) held += shares[dimension++];
  return dimension;
}

int chosen_dimension(const Vector& shares, const NearestSubspaceOptions& options) {
  if (options.dimension > 0) return std::min(options.dimension, static_cast<int>(shares.size()));
  return options.energy == 1.0 ? static_cast<int>(shares.size())
                               : dimension_by_energy(shares, options.energy);
}

/// (I - B B') Y in place, for one tile of points.
void remove_component(const Matrix& basis, Matrix& Y) {
  if (basis.cols() == 0) return;
  Matrix coordinates(basis.cols(), Y.cols());
  linalg::gemm({.transpose_a = true,
                .m = basis.cols(),
                .n = Y.cols(),
                .k = basis.rows(),
                .a = basis.data(),
                .lda = basis.rows(),
                .b = Y.data(),
                .ldb = Y.rows(),
                .c = coordinates.data(),
                .ldc = coordinates.rows()});
  linalg::gemm({.m = Y.rows(),
                .n = Y.cols(),
                .k = basis.cols(),
                .a = basis.data(),
                .lda = basis.rows(),
                .b = coordinates.data(),
                .ldb = coordinates.rows(),
                .c = Y.data(),
                .ldc = Y.rows(),
                .alpha = -1.0,
                .beta = 1.0});
}

/// Distances of the columns of X from one subspace.
Vector distances(const ConstMatrixRef& X, const Matrix& basis, const Vector& mean,
                 const Context& context) {
  Vector result(X.cols());
  for_tiles(context, X.cols(), kColumnsPerTile, [&](const Tile& tile) {
    Matrix Y = X.middleCols(tile.begin, tile.size()).colwise() - mean;
    remove_component(basis, Y);
    for (Index c = 0; c < Y.cols(); ++c) result[tile.begin + c] = Y.col(c).stableNorm();
  });
  return result;
}

/// Works on points scaled by a power of two, for their squares may overflow where they do not.
void fit_class(Matrix points, const NearestSubspaceOptions& options, Index k,
               const Context& context, Subspaces& model) {
  const int exponent = binary_exponent(points);
  scale_by_power_of_two(points, -exponent);
  int most = static_cast<int>(std::min(points.rows(), points.cols()));
  if (options.dimension > 0) most = std::min(most, options.dimension);  // shares of all are idle
  const Pca pca = fit_pca(points, most, options.center, context);
  const int dimension = chosen_dimension(significant_shares(pca.variances, points), options);
  model.bases[k] = pca.basis.leftCols(dimension);
  model.dimensions[k] = dimension;
  Matrix mean = pca.mean;
  scale_by_power_of_two(mean, exponent);
  model.means.col(k) = mean;
  const double left = distances(points, model.bases[k], pca.mean, context).norm();
  model.residuals[k] = std::ldexp(left / std::sqrt(static_cast<double>(points.cols())), exponent);
}

}  // namespace

Parameters describe(NearestSubspaceOptions& options) {
  return {
      parameter("dimension", options.dimension, "dimension of every subspace; 0: by energy")
          .at_least(0)
          .written("r"),
      parameter("energy", options.energy, "share of a class that its subspace holds")
          .above(0.0)
          .at_most(1.0),
      parameter("center", options.center, "affine subspaces, through the means of the classes"),
  };
}

Subspaces fit_subspaces(const ConstMatrixRef& X, const Labels& labels,
                        const NearestSubspaceOptions& options, const Context& context) {
  NearestSubspaceOptions checked = options;
  check(describe(checked), "fit_subspaces");
  require_labelled(X, labels, "fit_subspaces");
  const Groups groups = group_by_label(labels);
  Subspaces model;
  model.classes = groups.names;
  model.bases.resize(groups.members.size());
  model.dimensions.resize(groups.members.size());
  model.means.resize(X.rows(), groups.size());
  model.residuals.resize(groups.size());
  // One after the other: a class needs a moment matrix, and its products run on all threads.
  for (int k = 0; k < groups.size(); ++k) {
    context.throw_if_cancelled();
    fit_class(gather(X, groups.members[k]), options, k, context, model);
    context.report("subspaces", k + 1, groups.size());
  }
  return model;
}

namespace {

/// The distances, those from one subspace until they are among them, and for each thread a tile of
/// differences with its coordinates.
double residual_bytes(const Subspaces& model, Index num_points, const Context& context) {
  Index most = 0;
  for (const Matrix& basis : model.bases) most = std::max(most, basis.cols());
  const Index in_work = resolve_threads(context) * std::min(kColumnsPerTile, num_points);
  return matrix_bytes(1.0, model.means.cols() + 1, num_points) +
         matrix_bytes(1.0, model.means.rows() + most, in_work);
}

}  // namespace

double nearest_subspaces_bytes(const Subspaces& model, Index num_points, const Context& context) {
  return matrix_bytes(1.0, model.means.rows(), num_points) +
         residual_bytes(model, num_points, context) + kLabelBytes * static_cast<double>(num_points);
}

Matrix residuals(const Subspaces& model, const ConstMatrixRef& X, const Context& context) {
  require_finite(X, "residuals");
  if (X.rows() != model.means.rows()) {
    throw DataError(message("residuals: points have ", X.rows(), " features, the subspaces have ",
                            model.means.rows(), "; they must agree"));
  }
  const Index num_classes = model.means.cols();
  check_memory("residuals", residual_bytes(model, X.cols(), context), allowed_memory(context),
               "give fewer points at a time");
  Matrix result(num_classes, X.cols());
  for (Index k = 0; k < num_classes; ++k) {
    result.row(k) = distances(X, model.bases[k], model.means.col(k), context).transpose();
  }
  return result;
}

NearestSubspaces nearest_subspaces(const Subspaces& model, const ConstMatrixRef& X,
                                   const Context& context) {
  const Matrix R = residuals(model, X, context);
  NearestSubspaces nearest;
  nearest.labels.resize(static_cast<std::size_t>(X.cols()));
  nearest.residuals.resize(X.cols());
  nearest.margins.resize(X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    Index best = 0;
    nearest.residuals[j] = R.col(j).minCoeff(&best);
    nearest.labels[j] = model.classes[best];
    double second = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < R.rows(); ++k) {
      if (k != best) second = std::min(second, R(k, j));
    }
    nearest.margins[j] = second - nearest.residuals[j];
  }
  return nearest;
}

Labels predict(const Subspaces& model, const ConstMatrixRef& X, const Context& context) {
  return nearest_subspaces(model, X, context).labels;
}

}  // namespace subspace
