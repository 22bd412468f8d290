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

/// Independent sums hide the latency of an addition.
constexpr Index kColumnsTogether = 4;

/// y_j .. y_j+count-1. Each column adds its entries in their own order, whatever its neighbours
/// have, so the bits do not depend on `count`.
template <Index count>
void inner_products(const SparseMatrix& A, Index j, const double* x, double* y) {
  const int* const starts = A.outerIndexPtr() + j;
  const int* const rows = A.innerIndexPtr();
  const double* const values = A.valuePtr();
  int shortest = starts[1] - starts[0];
  for (Index k = 1; k < count; ++k) shortest = std::min(shortest, starts[k + 1] - starts[k]);
  double sums[count] = {};
  for (int p = 0; p < shortest; ++p) {
    for (Index k = 0; k < count; ++k) sums[k] += values[starts[k] + p] * x[rows[starts[k] + p]];
  }
  for (Index k = 0; k < count; ++k) {
    for (int p = starts[k] + shortest; p < starts[k + 1]; ++p) sums[k] += values[p] * x[rows[p]];
  }
  std::copy_n(sums, count, y + j);
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
  constexpr Index kColumnTile = 512;
  const auto columns = [&](Index begin, Index end) {
    Index j = begin;
    for (; j + kColumnsTogether <= end; j += kColumnsTogether) {
      inner_products<kColumnsTogether>(A, j, x, y);
    }
    for (; j < end; ++j) inner_products<1>(A, j, x, y);
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
