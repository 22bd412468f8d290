// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/affinity/affinity.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>

#include "affinity/columns.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

bool larger_magnitude(const Entry& a, const Entry& b) {
  const double left = std::abs(a.value);
  const double right = std::abs(b.value);
  return left != right ? left > right : a.row < b.row;
}

void check_coefficients(const SparseMatrix& C) {
  if (C.rows() != C.cols() || C.cols() == 0) {
    throw DataError(message("make_affinity: C is ", C.rows(), " x ", C.cols(),
                            ", must be square and not empty"));
  }
  for (Index j = 0; j < C.cols(); ++j) {
    for (SparseMatrix::InnerIterator c(C, j); c; ++c) {
      if (!std::isfinite(c.value())) {
        throw DataError(
            message("make_affinity: C(", c.row(), ", ", j, ") = ", c.value(), ", must be finite"));
      }
    }
  }
}

/// The non-zeros of column j off the diagonal: a point does not represent itself.
Column off_diagonal(const SparseMatrix& C, Index j) {
  Column column;
  for (SparseMatrix::InnerIterator c(C, j); c; ++c) {
    if (c.row() != j && c.value() != 0.0) column.push_back({static_cast<int>(c.row()), c.value()});
  }
  return column;
}

void keep_largest(Column& column, std::size_t top) {
  if (top == 0 || column.size() <= top) return;
  std::nth_element(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(top), column.end(),
                   larger_magnitude);
  column.resize(top);
  std::sort(column.begin(), column.end(), lower_row);
}

/// Dividing by the largest magnitude first makes every later square safe.
void divide_by_largest(Column& column) {
  double largest = 0.0;
  for (const Entry& entry : column) largest = std::max(largest, std::abs(entry.value));
  for (Entry& entry : column) entry.value /= largest;
}

void divide_by_norm(Column& column) {
  divide_by_largest(column);
  double squared = 0.0;
  for (const Entry& entry : column) squared += entry.value * entry.value;
  const double norm = std::sqrt(squared);
  for (Entry& entry : column) entry.value /= norm;
}

void take_absolute(Column& column) {
  for (Entry& entry : column) entry.value = std::abs(entry.value);
}

/// Applies `edit` to every column of C, in parallel.
template <typename Edit>
std::vector<Column> edited_columns(const SparseMatrix& C, const Context& context,
                                   const Edit& edit) {
  std::vector<Column> columns(static_cast<std::size_t>(C.cols()));
  for_tiles(context, C.cols(), kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Column column = off_diagonal(C, j);
      edit(column);
      columns[static_cast<std::size_t>(j)] = std::move(column);
    }
  });
  return columns;
}

/// scale (A + A'): sums of two numbers commute, so it is symmetric to the bit.
SparseMatrix symmetrized(const SparseMatrix& A, double scale) {
  // As many as the sum has at most: where no entry meets its mirror image.
  check_sparse_size("make_affinity", 2 * A.nonZeros(), "keep fewer with top or neighbors");
  const SparseMatrix transposed = A.transpose();
  SparseMatrix W = (A + transposed) * scale;
  W.prune([](Index, Index, double value) { return value != 0.0; });
  W.makeCompressed();
  return W;
}

}  // namespace

Parameters describe(AffinityOptions& options) {
  return {
      choice("kind", options.kind,
             {{"unit-columns", AffinityKind::kUnitColumns},
              {"max-columns", AffinityKind::kMaxColumns},
              {"neighbors", AffinityKind::kNeighbors}},
             "how coefficients become a symmetric affinity"),
      parameter("top", options.top, "coefficients kept per point by unit-columns; 0: all")
          .at_least(0),
      parameter("neighbors", options.neighbors,
                "nearest coefficient vectors joined by kind neighbors")
          .at_least(1),
  };
}

SparseMatrix make_affinity(const SparseMatrix& C, const AffinityOptions& options,
                           const Context& context) {
  AffinityOptions checked = options;
  check(describe(checked), "make_affinity");
  check_coefficients(C);
  switch (options.kind) {
    case AffinityKind::kUnitColumns:
      return symmetrized(
          assemble(edited_columns(C, context,
                                  [&](Column& column) {
                                    keep_largest(column, static_cast<std::size_t>(options.top));
                                    divide_by_norm(column);
                                    take_absolute(column);
                                  })),
          0.5);
    case AffinityKind::kMaxColumns:
      return symmetrized(assemble(edited_columns(C, context,
                                                 [](Column& column) {
                                                   divide_by_largest(column);
                                                   take_absolute(column);
                                                 })),
                         1.0);
    case AffinityKind::kNeighbors:
      return symmetrized(nearest_columns(assemble(edited_columns(C, context, divide_by_norm)),
                                         options.neighbors, context),
                         0.5);
  }
  throw InvalidArgument("make_affinity: kind is none of the known ones");
}

}  // namespace subspace
