// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "spectral/laplacian.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <subspace/core/parallel.h>

namespace subspace {
namespace {

/// w / sqrt(d_i d_j), the same bits for (i, j) and (j, i). Since w <= d_i, d_j no step overflows,
/// even where d_i d_j would.
double normalized_weight(double w, double root_i, double root_j) {
  return (w / std::min(root_i, root_j)) / std::max(root_i, root_j);
}

}  // namespace

NormalizedComponent normalized_component(const SparseMatrix& W, const Vector& degrees,
                                         std::vector<int> vertices, const std::vector<int>& local) {
  NormalizedComponent component;
  component.vertices = std::move(vertices);
  const Index n = static_cast<Index>(component.vertices.size());
  Vector roots(n);
  Index stored = 0;
  for (Index j = 0; j < n; ++j) {
    const int vertex = component.vertices[static_cast<std::size_t>(j)];
    roots[j] = std::sqrt(degrees[vertex]);
    stored += W.col(vertex).nonZeros();
  }
  component.A.resize(n, n);
  component.A.reserve(stored);
  for (Index j = 0; j < n; ++j) {
    component.A.startVec(j);
    for (SparseMatrix::InnerIterator w(W, component.vertices[static_cast<std::size_t>(j)]); w;
         ++w) {
      const int i = local[static_cast<std::size_t>(w.row())];
      component.A.insertBack(i, j) = normalized_weight(w.value(), roots[i], roots[j]);
    }
  }
  component.A.finalize();
  component.kernel = roots / roots.stableNorm();
  return component;
}

void symmetric_product(const SparseMatrix& A, const double* x, double* y, const Context& context) {
  // Below this many non-zeros a product takes less time than waking a thread.
  constexpr Index kSerialNonZeros = Index{1} << 19;
  constexpr Index kColumnTile = 4096;
  const auto columns = [&](Index begin, Index end) {
    const auto* starts = A.outerIndexPtr();
    const auto* rows = A.innerIndexPtr();
    const double* values = A.valuePtr();
    for (Index j = begin; j < end; ++j) {
      double sum = 0.0;
      for (auto p = starts[j]; p < starts[j + 1]; ++p) sum += values[p] * x[rows[p]];
      y[j] = sum;
    }
  };
  context.throw_if_cancelled();
  if (A.nonZeros() < kSerialNonZeros) {
    columns(0, A.cols());
  } else {
    for_tiles(context, A.cols(), kColumnTile,
              [&](const Tile& tile) { columns(tile.begin, tile.end); });
  }
}

Matrix symmetric_products(const SparseMatrix& A, const ConstMatrixRef& X, const Context& context) {
  constexpr Index kTogether = 8;
  constexpr Index kColumnTile = 512;
  using Sums = Eigen::Matrix<double, kTogether, 1>;
  Matrix Y(X.rows(), X.cols());
  // A column a vertex: one entry of A meets its numbers of all vectors in one place.
  Eigen::Matrix<double, kTogether, Eigen::Dynamic> together(kTogether, X.rows());
  for (Index first = 0; first < X.cols(); first += kTogether) {
    const Index count = std::min(kTogether, X.cols() - first);
    together.setZero();
    together.topRows(count) = X.middleCols(first, count).transpose();
    for_tiles(context, A.cols(), kColumnTile, [&](const Tile& tile) {
      for (Index j = tile.begin; j < tile.end; ++j) {
        Sums sums = Sums::Zero();
        for (SparseMatrix::InnerIterator a(A, j); a; ++a) {
          sums += a.value() * together.col(a.row());
        }
        Y.row(j).segment(first, count) = sums.head(count).transpose();
      }
    });
  }
  return Y;
}

}  // namespace subspace
