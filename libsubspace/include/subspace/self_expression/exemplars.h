// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

/// Exemplar-based subspace clustering by farthest-first search (ESC-FFS) [You18]. A few exemplars
/// represent all points. What it costs exemplars E to represent the unit vector x is
///     f(x, E) = min_c |c|_1 + lambda/2 |x - E c|^2,
/// between 1 - 1/(2 lambda), for an exemplar itself, and lambda/2, for a point orthogonal to all.
/// After a first one drawn at random, each exemplar is the point of the largest cost.
/// [You18] C. You, C. Li, D. Robinson, R. Vidal. Scalable exemplar-based subspace clustering on
///         class-imbalanced data. ECCV 2018.
struct EscOptions {
  int num_exemplars = 100;  ///< at most: fewer where fewer points have different directions
  double lambda = 200.0;    ///< fit weight; at 1 or below nothing would be represented. > 1
  double tolerance =
      1e-6;  ///< largest violation of the optimality conditions that counts as solved
};
SUBSPACE_API Parameters describe(EscOptions& options);

struct ExemplarExpression {
  std::vector<int> points = {};    ///< the exemplars' indices in the order of choice; k
  Vector selection_costs = {};     ///< f of each when it was chosen, never rising; lambda/2 first
  SparseMatrix coefficients = {};  ///< k x N: column j represents x_j / |x_j| by unit exemplars
  Vector costs = {};               ///< N: f with all exemplars; 0 of a zero point
  std::vector<SolveInfo> solves = {};  ///< N, of the columns of `coefficients`
  Index num_evaluations = 0;           ///< of f during the search; k N without laziness
};

/// Works on the directions of the points: each is divided by its length. Zero points are neither
/// exemplars nor represented. Costs only fall while exemplars are added, so the last known cost of
/// a point bounds its present one; only points whose bound exceeds the largest present cost are
/// evaluated anew. The choice is the exact one, the lower index among equals.
///
/// The residual of each solve is the largest violation of the optimality conditions over all
/// exemplars, with d = lambda (x - E c) computed from the data:
///     |e_i'd - sign(c_i)| on the support,  max(0, |e_i'd| - 1) off it.
/// Memory: the directions, D x N, and the inner products of exemplars and points, k x N; throws
/// ResourceError when they do not fit.
SUBSPACE_API ExemplarExpression select_exemplars(const ConstMatrixRef& X,
                                                 const EscOptions& options = {},
                                                 std::uint64_t seed = 0,
                                                 const Context& context = {});

/// The same representation of points X by exemplars E that are known already (columns, any length):
/// coefficients, costs and solves are those of X; num_exemplars has no meaning.
SUBSPACE_API ExemplarExpression represent_by_exemplars(const ConstMatrixRef& E,
                                                       const ConstMatrixRef& X,
                                                       const EscOptions& options = {},
                                                       const Context& context = {});

/// The affinity of points represented by exemplars: columns of C (k x N) to unit length, G_ij = 1
/// where column i is among the `neighbors` columns with the largest positive inner products with
/// column j, equal ones by index, and W = G + G' [You18]: symmetric, entries 1 and 2, zero
/// diagonal. These are the nearest in Euclidean distance, except that columns at a right or obtuse
/// angle are never joined: they tell nothing of one another. Zero columns are isolated vertices.
/// neighbors >= 1.
SUBSPACE_API SparseMatrix exemplar_affinity(const SparseMatrix& C, int neighbors = 3,
                                            const Context& context = {});

}  // namespace subspace
