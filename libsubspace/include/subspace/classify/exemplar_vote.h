// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/classify/nearest_subspace.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

/// New points by sparse representation on few points whose classes are known [Wri09]:
///     min_c |c|_1 + lambda/2 |x - E c|^2,   then the class k with the smallest |x - E_k c_k|.
/// It asks for no dimension and holds where a class is several subspaces.
/// [Wri09] J. Wright, A. Yang, A. Ganesh, S. Sastry, Y. Ma. Robust face recognition via sparse
///         representation. PAMI 2009.
struct ExemplarVoteOptions {
  int per_class = 20;     ///< exemplars of each class, farthest first; fewer where it has fewer
  double lambda = 200.0;  ///< fit weight; > 1
};
SUBSPACE_API Parameters describe(ExemplarVoteOptions& options);

struct LabelledExemplars {
  Matrix exemplars = {};  ///< D x k, unit columns
  Labels labels = {};     ///< of each exemplar; class after class, increasing
  double lambda = 200.0;
};

/// Chooses the exemplars of each class by select_exemplars(). A class whose points are all zero has
/// none and is never predicted. Throws DataError when all are zero.
SUBSPACE_API LabelledExemplars choose_exemplars(const ConstMatrixRef& X, const Labels& labels,
                                                const ExemplarVoteOptions& options = {},
                                                std::uint64_t seed = 0,
                                                const Context& context = {});

/// Labels and how well the representations they rest on were solved.
struct ExemplarVotes : NearestSubspaces {
  double largest_violation = 0.0;  ///< of the optimality conditions, see select_exemplars()
  bool converged = true;           ///< every representation met EscOptions::tolerance
};

/// Labels, distances |x - E_k c_k| of directions from the best class and margins to the second. A
/// point that no exemplar represents, a zero one among them, has distance 1 (0) from every class
/// and gets the lowest label with margin 0. Memory: two copies of the points beside the inner
/// products of exemplars and points; throws ResourceError when they do not fit.
SUBSPACE_API ExemplarVotes predict(const LabelledExemplars& model, const ConstMatrixRef& X,
                                   const Context& context = {});

}  // namespace subspace
