// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ssc_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/kernels.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

constexpr Index kTile = 64;
// A product up to this share of the largest squared norm is rounding: the points are orthogonal, or
// one of them is nothing beside the others.
constexpr double kRounding = 1e-12;

double largest_beside(const double* products, Index own, Index n) {
  return std::max(linalg::max_abs(products, own), linalg::max_abs(products + own + 1, n - own - 1));
}

}  // namespace

Correlations correlations_of_gram(const Matrix& G) {
  const Index n = G.cols();
  Correlations result{Vector(n), G.diagonal()};
  for (Index j = 0; j < n; ++j) result.largest(j) = largest_beside(G.col(j).data(), j, n);
  return result;
}

Correlations correlations_of_points(const ConstMatrixRef& X, const Context& context) {
  const Index n = X.cols();
  Correlations result{Vector(n), X.colwise().squaredNorm()};
  std::vector<Matrix> products(static_cast<std::size_t>(resolve_threads(context)));
  for_tiles(context, n, kTile, [&](const Tile& tile) {
    Matrix& block = products[static_cast<std::size_t>(tile.worker)];
    block.resize(n, kTile);
    linalg::gemm({.transpose_a = true,
                  .m = n,
                  .n = tile.size(),
                  .k = X.rows(),
                  .a = X.data(),
                  .lda = X.outerStride(),
                  .b = X.col(tile.begin).data(),
                  .ldb = X.outerStride(),
                  .c = block.data(),
                  .ldc = n});
    for (Index j = tile.begin; j < tile.end; ++j) {
      result.largest(j) = largest_beside(block.col(j - tile.begin).data(), j, n);
    }
  });
  return result;
}

double correlations_bytes(Index num_points, const Context& context) {
  const Index workers = std::min<Index>(resolve_threads(context), (num_points + kTile - 1) / kTile);
  return matrix_bytes(static_cast<double>(workers), num_points, kTile) +
         matrix_bytes(2.0, num_points, 1);
}

double fit_scale(const Correlations& correlations) {
  const double rounding = kRounding * correlations.squared_norms.maxCoeff();
  double smallest = std::numeric_limits<double>::infinity();
  for (const double largest : correlations.largest) {
    if (largest > rounding) smallest = std::min(smallest, largest);
  }
  return std::isfinite(smallest) ? smallest : sum_weight(correlations);
}

double fit_weight(const Correlations& correlations, double alpha) {
  return alpha / fit_scale(correlations);
}

double sum_weight(const Correlations& correlations) {
  const double largest = correlations.squared_norms.maxCoeff();
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace subspace
