// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/singular_threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr Index kMostRounds = 16;
constexpr double kSlack = 1e-9;  // values this close above tau count as tau

/// The vectors carried along: those above the threshold and some below, which speed the iteration
/// up and may rise above it next time.
Index block_size(Index rank) { return rank + std::max<Index>(16, rank / 2); }

/// As many rounds with a block of this width cost about what all eigenpairs do.
Index rounds_that_pay(Index order, Index width) { return std::min(kMostRounds, order / width); }

/// Whether an error that fell from `before` to `now` in one round falls to `goal` in those left.
bool in_reach(double before, double now, double goal, Index rounds_left) {
  return now <= goal ||
         (now < before && now * std::pow(now / before, static_cast<double>(rounds_left)) <= goal);
}

Index count_above(const Vector& descending, double tau) {
  return (descending.array() > tau).count();
}

/// U diag(weights) W'.
Matrix combine(const Matrix& U, const Vector& weights, const Matrix& W, const Context& context) {
  return linalg::multiply(U * weights.asDiagonal(), false, W, true, context);
}

}  // namespace

/// Approximate singular triplets u, sigma, w and the products T w.
struct SingularThreshold::Triplets {
  Matrix left = {};
  Vector values = {};
  Matrix right = {};
  Matrix products = {};

  /// The best triplets in the span of an orthonormal V: T'V = Q R, R = A S B'.
  Triplets(const Matrix& T, const Matrix& V, const Context& context) {
    right = linalg::multiply(T, true, V, false, context);
    Matrix R;
    linalg::orthonormalize(right, R);
    const linalg::Svd small = linalg::svd(std::move(R));
    left = linalg::multiply(V, false, small.V, false, context);
    right = linalg::multiply(right, false, small.U, false, context);
    values = small.values;
    products = linalg::multiply(T, false, right, false, context);
  }

  /// The part of T that maps the first `count` right vectors out of the left ones.
  double leak(Index count) const {
    return (products.leftCols(count) - left.leftCols(count) * values.head(count).asDiagonal())
        .norm();
  }
};

bool spectral_norm_below(const Matrix& A, double bound, const Context& context) {
  if (A.norm() < bound) return true;
  Matrix complement = -linalg::moment(A, context);
  complement.diagonal().array() += bound * bound;
  return linalg::cholesky(complement, context);
}

void SingularThreshold::keep(const Matrix& vectors, const Vector& values, double tau) {
  rank_ = count_above(values, tau);
  nuclear_norm_ = (values.head(rank_).array() - tau).sum();
  basis_ = vectors;
}

Matrix SingularThreshold::apply(const Matrix& T, double tau, const Context& context) {
  context.throw_if_cancelled();
  if (T.norm() <= tau) {
    rank_ = 0;
    nuclear_norm_ = 0.0;
    return Matrix::Zero(T.rows(), T.cols());
  }
  Matrix J;
  if (basis_.cols() > 0 && 3 * basis_.cols() <= T.rows() && try_subspace(T, tau, context, J)) {
    return J;
  }
  return by_eigen(T, tau, context);
}

bool SingularThreshold::try_subspace(const Matrix& T, double tau, const Context& context,
                                     Matrix& J) {
  const double goal = accuracy_ * T.norm();
  double before = std::numeric_limits<double>::infinity();
  Matrix V = basis_;
  const Index most_rounds = rounds_that_pay(T.rows(), V.cols());
  for (Index round = 0; round < most_rounds; ++round) {
    context.throw_if_cancelled();
    const Triplets found(T, V, context);
    const Index rank = count_above(found.values, tau);
    if (rank == V.cols()) return false;  // there may be more
    const double leak = found.leak(rank);
    if (round > 1 && !in_reach(before, leak, goal, most_rounds - round - 1)) return false;
    before = leak;
    if (leak <= goal) {
      const Matrix U = found.left.leftCols(rank);
      const Matrix W = found.right.leftCols(rank);
      const Vector values = found.values.head(rank);
      const Matrix rest = T - combine(U, values, W, context);
      if (!spectral_norm_below(rest, tau * (1.0 + kSlack), context)) return false;
      J = combine(U, values.array() - tau, W, context);
      const Index width = std::min(V.cols(), block_size(rank));
      keep(found.left.leftCols(width), found.values.head(width), tau);
      return true;
    }
    V = found.products;
    Matrix unused;
    linalg::orthonormalize(V, unused);
  }
  return false;
}

/// J = U diag(1 - tau / sigma) U'T over the eigenpairs (u, sigma^2) of T T' above tau^2.
Matrix SingularThreshold::by_eigen(const Matrix& T, double tau, const Context& context) {
  Matrix vectors = linalg::moment(T, context);
  Vector ascending;
  linalg::symmetric_eigen(vectors, ascending);
  const Vector values = ascending.reverse().cwiseMax(0.0).cwiseSqrt();
  const Index rank = count_above(values, tau);
  const Index width = std::min(T.rows(), block_size(rank));
  keep(vectors.rightCols(width).rowwise().reverse(), values.head(width), tau);
  if (rank == 0) return Matrix::Zero(T.rows(), T.cols());
  const Vector weights = (1.0 - tau / values.head(rank).array()).sqrt();
  const Matrix shrink = linalg::moment(basis_.leftCols(rank) * weights.asDiagonal(), context);
  return linalg::multiply(shrink, false, T, false, context);
}

}  // namespace subspace
