// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// One connected component of a graph with its normalised adjacency A = D^-1/2 W D^-1/2. The
/// normalised Laplacian is I - A; its kernel is spanned by D^1/2 1, known without solving anything.
struct NormalizedComponent {
  std::vector<int> vertices = {};  ///< of the whole graph, increasing
  SparseMatrix A = {};             ///< symmetric to the bit, in the order of `vertices`
  Vector kernel = {};              ///< D^1/2 1 to unit length: A kernel = kernel
};

/// The component on `vertices` of W, loops included where it has some; `local` maps vertices to
/// their place in it.
NormalizedComponent normalized_component(const SparseMatrix& W, const Vector& degrees,
                                         std::vector<int> vertices, const std::vector<int>& local);

/// y = A x for a symmetric A, by inner products with its columns: tiles write their own part of y
/// only, so the result has the same bytes on any number of threads.
void symmetric_product(const SparseMatrix& A, const double* x, double* y, const Context& context);

/// A X, to the bits of a symmetric_product() for each column of X, reading A once for several.
Matrix symmetric_products(const SparseMatrix& A, const ConstMatrixRef& X, const Context& context);

}  // namespace subspace
