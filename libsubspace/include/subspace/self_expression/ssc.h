// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace {

/// How SSC is solved.
enum class SscSolver {
  kActiveSet,  ///< exact, by the active sets of elastic_net()
  kAdmm,       ///< alternating directions until the optimality conditions hold
  kOfficial,   ///< the published iteration as it is, for comparison: it is stopped early
  kOsqp,       ///< quadratic programs for OSQP: slow, independent of the others; not in every build
};

/// Sparse subspace clustering [Elhamifar13]. For each point x_j, with the other points as
/// dictionary,
///     min_c  |c|_1 + lambda/2 |x_j - X c|_2^2,   c_j = 0,   and 1'c = 1 where `affine`,
/// with one weight for all points, lambda = alpha / m, m = min_i max_{j != i} |x_i'x_j|. Points
/// whose products with all others vanish up to rounding (1e-12 of the largest |x_i|^2) are left out
/// of the minimum; where that are all points, m is the largest |x_i|^2, or 1 of zero data.
///
/// With `outliers` every point may also use single coordinates:
///     min_{c,e}  |c|_1 + g |e|_1 + lambda/2 |x_j - X c - e|_2^2,
///     g = outlier_alpha / (largest absolute column sum of X),
/// the dictionary being [X, I/g], also in the rule for m. The published iteration has a multiplier
/// on x_j = X c + e: it seeks the limit of this problem without noise.
/// [Elhamifar13] E. Elhamifar, R. Vidal. Sparse subspace clustering: algorithm, theory, and
///               applications. TPAMI 35(11), 2013.
struct SscOptions {
  /// Fit weight as a multiple of the smallest for which no point has a zero solution. alpha > 0;
  /// above 1 is sensible.
  double alpha = 20.0;
  bool affine = false;         ///< coefficients sum to one: affine subspaces
  bool outliers = false;       ///< gross errors in single coordinates
  double outlier_alpha = 0.0;  ///< of the weight of e; 0: alpha
  SscSolver solver = SscSolver::kActiveSet;
  int max_rounds = 100;       ///< active-set: outer rounds per point
  int max_iterations = 5000;  ///< admm
  double tolerance = 1e-6;    ///< largest violation of the optimality conditions that is solved
};
SUBSPACE_API Parameters describe(SscOptions& options);

/// The stopping error at which solver official ends.
inline constexpr double kSscOfficialTolerance = 2e-4;

/// Solvers active-set, admm and osqp: one solve per point, whose residual is the largest violation
/// of its optimality conditions, recomputed from the final coefficients (with d = lambda (x_j - X
/// c) and, where affine, the multiplier n of the sum, else n = 0):
///     |x_i'd + n - sign(c_i)|   on the support,
///     max(0, |x_i'd + n| - 1)   off it,   and |1'c - 1|.
/// Solver official: one solve of all points together. Its stopping error is the largest of the
/// errors its stopping rule looks at (kSscOfficialTolerance is converged, after 199 iterations it
/// stops, with outliers after 149). Its residual is the violation above of the C returned, the
/// largest of all points; no tolerance is asked of it. With outliers the problem it seeks is the
/// limit lambda -> infinity, x_j = X c + e, whose conditions with the multiplier y of that are
///     x_i'y + n as x_i'd + n above,   y_i = g sign(e_i) where e_i != 0, else |y_i| <= g,
/// and |x_j - X c - e| over the largest entry of X, entrywise. The iteration ends with such an e
/// and y, which obey the second exactly; the others are recomputed from them, X and C.
/// With affine and a single point no solution exists: its column is empty and its residual 1.
/// Throws InvalidArgument for solver = osqp in a build without OSQP.
SUBSPACE_API SelfExpression ssc(const ConstMatrixRef& X, const SscOptions& options = {},
                                const Context& context = {});

}  // namespace subspace
