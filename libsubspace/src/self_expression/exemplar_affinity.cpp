// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/self_expression/exemplars.h>

#include "affinity/nearest_columns.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

void check_arguments(const SparseMatrix& C, int neighbors) {
  if (neighbors < 1) {
    throw InvalidArgument(
        message("exemplar_affinity: neighbors = ", neighbors, ", must satisfy neighbors >= 1"));
  }
  if (C.cols() == 0) throw DataError("exemplar_affinity: C has no columns, must have one a point");
  for (Index j = 0; j < C.cols(); ++j) {
    for (SparseMatrix::InnerIterator c(C, j); c; ++c) {
      if (!std::isfinite(c.value())) {
        throw DataError(message("exemplar_affinity: C(", c.row(), ", ", j, ") = ", c.value(),
                                ", must be finite"));
      }
    }
  }
}

/// Divided by the largest magnitude first, so that no square overflows or is lost.
SparseMatrix unit_columns(const SparseMatrix& C) {
  SparseMatrix A = C;
  A.prune([](Index, Index, double value) { return value != 0.0; });
  for (Index j = 0; j < A.cols(); ++j) {
    double largest = 0.0;
    for (SparseMatrix::InnerIterator a(A, j); a; ++a) {
      largest = std::max(largest, std::fabs(a.value()));
    }
    double squared = 0.0;
    for (SparseMatrix::InnerIterator a(A, j); a; ++a) {
      a.valueRef() /= largest;
      squared += a.value() * a.value();
    }
    const double length = std::sqrt(squared);
    for (SparseMatrix::InnerIterator a(A, j); a; ++a) a.valueRef() /= length;
  }
  return A;
}

}  // namespace

SparseMatrix exemplar_affinity(const SparseMatrix& C, int neighbors, const Context& context) {
  check_arguments(C, neighbors);
  const SparseMatrix G = nearest_columns(unit_columns(C), neighbors, context, Angles::kAcute);
  // As many as the sum has at most: where no edge has its mirror image.
  check_sparse_size("exemplar_affinity", 2 * G.nonZeros(), "lower neighbors");
  const SparseMatrix transposed = G.transpose();
  SparseMatrix W = G + transposed;
  W.makeCompressed();
  return W;
}

}  // namespace subspace
