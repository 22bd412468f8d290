// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

/// What a representation looks like beside the truth. Labels are an argument here, because these
/// are figures of evaluation: no solver calls them. The diagonal of C never counts, and C must be
/// square and finite, else DataError.
namespace subspace {

/// Share of each column's l1 mass on points of other classes [You16]: 0 when every point is
/// represented by its own class alone, as the theory of subspace clustering asks for.
/// [You16] C. You, D. Robinson, R. Vidal. Scalable sparse subspace clustering by orthogonal
/// matching
///         pursuit. CVPR 2016.
struct PreservingError {
  double mean = 0.0;    ///< over columns that are not zero; NaN when all are
  Vector columns = {};  ///< N, in 0 .. 1; NaN for zero columns
};
SUBSPACE_API PreservingError subspace_preserving_error(const SparseMatrix& C, const Labels& labels);
SUBSPACE_API PreservingError subspace_preserving_error(const ConstMatrixRef& C,
                                                       const Labels& labels);

/// How well the points of one class hang together: the second-smallest eigenvalue of the normalised
/// Laplacian of |C| + |C|' restricted to the class, 0 when it falls apart, 2 at most. Classes of
/// one point have none: NaN, and no part in minimum and mean.
struct Connectivity {
  Labels classes = {};  ///< distinct labels, increasing
  Vector values = {};   ///< one a class
  double minimum = 0.0;
  double mean = 0.0;  ///< both NaN when no class has two points
};
SUBSPACE_API Connectivity class_connectivity(const SparseMatrix& C, const Labels& labels,
                                             const Context& context = {});
SUBSPACE_API Connectivity class_connectivity(const ConstMatrixRef& C, const Labels& labels,
                                             const Context& context = {});

/// Coefficients a column that are not zero, or larger than `negligible` times the largest of their
/// column.
struct Sparsity {
  double mean = 0.0;
  Index maximum = 0;
  Index num_empty = 0;  ///< columns without any
};
SUBSPACE_API Sparsity sparsity(const SparseMatrix& C, double negligible = 0.0);
SUBSPACE_API Sparsity sparsity(const ConstMatrixRef& C, double negligible = 0.0);

/// All three of a representation, sparse or dense.
struct RepresentationReport {
  PreservingError preserving_error = {};
  Connectivity connectivity = {};
  Sparsity sparsity = {};
};
SUBSPACE_API RepresentationReport report_representation(const Representation& representation,
                                                        const Labels& labels,
                                                        const Context& context = {});

}  // namespace subspace
