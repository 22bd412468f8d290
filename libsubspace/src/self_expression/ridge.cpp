// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ridge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/self_expression/lsr.h>

#include "linalg/largest.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"

namespace subspace {
namespace {

constexpr Index kTile = 128;
const char* const kPhase = "self-expression";

/// (G + lambda I)^-1 B for the N x N Gram matrix.
Matrix solve_gram_side(const Matrix& G, double lambda, Matrix B, const Context& context) {
  const Matrix L = factor_shifted(G, lambda, context);
  linalg::solve_factor(L, false, B, context);
  linalg::solve_factor(L, true, B, context);
  return B;
}

/// X'(X X' + lambda I)^-1 X, which is (X'X + lambda I)^-1 X'X, by the D x D side.
Matrix solve_dimension_side(const RidgeProblem& problem, const Context& context) {
  double lambda = problem.lambda;
  Matrix W = problem.points;
  const Matrix L = factor_shifted(linalg::moment(W, context), lambda, context);
  linalg::solve_factor(L, false, W, context);
  return linalg::gram(W, context);
}

bool by_dimensions(const RidgeProblem& problem) {
  return problem.points.rows() < problem.points.cols();
}

Matrix solve_free(const RidgeProblem& problem, const Context& context) {
  if (by_dimensions(problem)) return solve_dimension_side(problem, context);
  const Matrix G = linalg::gram(problem.points, context);
  return solve_gram_side(G, problem.lambda, G, context);
}

Matrix without_self_by_gram(const RidgeProblem& problem, const Context& context) {
  const Index n = problem.points.cols();
  Matrix C = solve_gram_side(linalg::gram(problem.points, context), problem.lambda,
                             Matrix::Identity(n, n), context);
  without_self_from_inverse(C);
  return C;
}

Matrix without_self_by_dimensions(const RidgeProblem& problem, const Context& context) {
  Matrix C = solve_dimension_side(problem, context);
  without_self_from_free(C);
  return C;
}

/// 1 - f_jj cancels where a point hardly is represented by others; the certificate sees it, and the
/// Gram side has no such difference.
Matrix solve_without_self(const RidgeProblem& problem, const Context& context) {
  if (by_dimensions(problem)) {
    Matrix C = without_self_by_dimensions(problem, context);
    if (ridge_violation(problem, C, RidgeKind::kWithoutSelf, context) <= kNormalEquationsTolerance)
      return C;
  }
  return without_self_by_gram(problem, context);
}

/// C = 11'/N + F with F the free solution on centred points [Ji14, section 3.2 by elimination of
/// the multiplier]: 1'F = 0 since X 1 = 0. What is added makes the sums one to the last digit.
/// [Ji14] P. Ji, M. Salzmann, H. Li. Efficient dense subspace clustering. WACV 2014.
Matrix solve_affine(const RidgeProblem& problem, const Context& context) {
  Matrix C = solve_free(problem, context);
  make_columns_sum_to_one(C);
  return C;
}

/// The gradient of the columns of a tile; `kind` says what of it must vanish.
double tile_violation(const RidgeProblem& problem, const Matrix& C, RidgeKind kind,
                      const Tile& tile) {
  const Matrix& X = problem.points;
  Matrix residual = X.middleCols(tile.begin, tile.size());
  linalg::gemm({.m = X.rows(),
                .n = tile.size(),
                .k = X.cols(),
                .a = X.data(),
                .lda = X.outerStride(),
                .b = C.col(tile.begin).data(),
                .ldb = C.outerStride(),
                .c = residual.data(),
                .ldc = residual.outerStride(),
                .alpha = -1.0,
                .beta = 1.0});
  Matrix gradient = C.middleCols(tile.begin, tile.size());
  linalg::gemm({.transpose_a = true,
                .m = X.cols(),
                .n = tile.size(),
                .k = X.rows(),
                .a = X.data(),
                .lda = X.outerStride(),
                .b = residual.data(),
                .ldb = residual.outerStride(),
                .c = gradient.data(),
                .ldc = gradient.outerStride(),
                .alpha = 1.0,
                .beta = -problem.lambda});
  if (kind == RidgeKind::kWithoutSelf) {
    for (Index k = 0; k < tile.size(); ++k) gradient(tile.begin + k, k) = 0.0;
  } else if (kind == RidgeKind::kAffine) {
    gradient.rowwise() -= gradient.colwise().mean();
  }
  return gradient.cwiseAbs().maxCoeff();
}

/// How far C is from what it must obey whatever the data are.
double constraint_violation(const Matrix& C, RidgeKind kind) {
  if (kind == RidgeKind::kWithoutSelf) return C.diagonal().cwiseAbs().maxCoeff();
  if (kind == RidgeKind::kAffine) return (C.colwise().sum().array() - 1.0).abs().maxCoeff();
  return 0.0;
}

}  // namespace

Matrix factor_shifted(const Matrix& A, double& shift, const Context& context) {
  shift = std::max(shift, std::numeric_limits<double>::epsilon() * A.trace());
  for (; std::isfinite(shift) && shift > 0.0; shift *= 8.0) {
    Matrix L = A;
    L.diagonal().array() += shift;
    if (linalg::cholesky(L, context)) return L;
    if (!A.allFinite()) break;
  }
  throw NumericalError(message("factor_shifted: a ", A.rows(), " x ", A.cols(),
                               " matrix has no Cholesky factor, whatever is added to its "
                               "diagonal: it must be finite and positive semidefinite"));
}

RidgeProblem at_unit_scale(Matrix X, double lambda) {
  const int exponent = binary_exponent(X);
  scale_by_power_of_two(X, -exponent);
  return {std::move(X), std::ldexp(lambda, -2 * exponent)};
}

void make_columns_sum_to_one(Matrix& C) {
  const double n = static_cast<double>(C.rows());
  for (auto column : C.colwise()) column.array() += (1.0 - column.sum()) / n;
}

void without_self_from_inverse(Matrix& H) {
  for (Index j = 0; j < H.cols(); ++j) {
    H.col(j) /= -H(j, j);
    H(j, j) = 0.0;
  }
}

void without_self_from_free(Matrix& F) {
  for (Index j = 0; j < F.cols(); ++j) {
    F.col(j) /= std::max(1.0 - F(j, j), std::numeric_limits<double>::min());
    F(j, j) = 0.0;
  }
}

Matrix solve_ridge(const RidgeProblem& problem, RidgeKind kind, const Context& context) {
  const Index n = problem.points.cols();
  if (drowns_points(problem.lambda)) {
    const double mean = kind == RidgeKind::kAffine ? 1.0 / static_cast<double>(n) : 0.0;
    return Matrix::Constant(n, n, mean);
  }
  switch (kind) {
    case RidgeKind::kWithoutSelf:
      return solve_without_self(problem, context);
    case RidgeKind::kAffine:
      return solve_affine(problem, context);
    case RidgeKind::kFree:
      break;
  }
  return solve_free(problem, context);
}

double ridge_violation(const RidgeProblem& problem, const Matrix& C, RidgeKind kind,
                       const Context& context) {
  double scale = problem.points.colwise().squaredNorm().maxCoeff();
  double largest = 0.0;
  if (scale > 0.0 && !drowns_points(problem.lambda)) {
    std::vector<double> violations(static_cast<std::size_t>((C.cols() + kTile - 1) / kTile));
    for_tiles(
        context, C.cols(), kTile,
        [&](const Tile& tile) {
          violations[static_cast<std::size_t>(tile.index)] = tile_violation(problem, C, kind, tile);
        },
        kPhase);
    for (const double violation : violations) {
      keep_largest(violation, largest);
    }
    if (kind == RidgeKind::kAffine) scale += problem.lambda * C.cwiseAbs().maxCoeff();
    largest /= scale;
  }
  return std::max(largest, constraint_violation(C, kind));
}

SolveInfo certify_exact(double violation) {
  const bool solved = violation <= kNormalEquationsTolerance;
  return {.termination = solved ? Termination::kConverged : Termination::kStalled,
          .iterations = 1,
          .residual = violation};
}

double ridge_tile_bytes(Index dimension, Index num_points, const Context& context) {
  return static_cast<double>(resolve_threads(context)) *
         matrix_bytes(1.0, num_points + dimension, std::min(kTile, num_points));
}

double ridge_bytes(Index dimension, Index num_points, const Context& context) {
  const Index n = num_points;
  const Index side = std::min(dimension, n);
  const double squares = dimension < n ? 1.0 : 2.0;
  return matrix_bytes(3.0, dimension, n) + matrix_bytes(squares, n, n) +
         matrix_bytes(2.0, side, side) + ridge_tile_bytes(dimension, n, context);
}

void check_ridge_memory(const std::string& function, const ConstMatrixRef& X,
                        const Context& context) {
  check_memory(function, ridge_bytes(X.rows(), X.cols(), context), allowed_memory(context),
               "its coefficients are dense; give fewer samples or use ensc, which is sparse");
}

}  // namespace subspace
