// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/exemplars.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <Eigen/QR>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/self_expression.h>

#include "support/degenerate_data.h"
#include "support/lasso_violation.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::random_matrix;
using testing::union_of_subspaces;

Matrix unit(Matrix X) {
  normalize_columns(X);
  return X;
}

Matrix chosen_columns(const Matrix& X, const std::vector<int>& points) {
  Matrix E(X.rows(), static_cast<Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) E.col(static_cast<Index>(i)) = X.col(points[i]);
  return E;
}

double cost(const Matrix& E, const Vector& x, const Vector& c, double lambda) {
  return c.lpNorm<1>() + lambda / 2 * (x - E * c).squaredNorm();
}

/// The same lasso by cyclic coordinate descent, run far past what the answer needs.
Vector coordinate_descent(const Matrix& E, const Vector& x, double lambda) {
  Vector c = Vector::Zero(E.cols());
  Vector residual = x;
  for (int sweep = 0; sweep < 100000; ++sweep) {
    double largest_move = 0.0;
    for (Index i = 0; i < E.cols(); ++i) {
      const double raw = E.col(i).dot(residual) + c[i];
      const double next = std::copysign(std::max(std::abs(raw) - 1.0 / lambda, 0.0), raw);
      residual -= (next - c[i]) * E.col(i);
      largest_move = std::max(largest_move, std::abs(next - c[i]));
      c[i] = next;
    }
    if (largest_move < 1e-13) break;
  }
  return c;
}

// ---- optimality, recomputed from the data -------------------------------------------------------

TEST(Exemplars, RepresentEveryPointOptimally) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 25);
    const Index points = *rc::gen::inRange(1, 60);
    const double lambda = *rc::gen::element(1.5, 20.0, 200.0, 5000.0);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const Matrix X = random_matrix(dimension, points, seed);
    const EscOptions options{.num_exemplars = *rc::gen::inRange(1, 30), .lambda = lambda};
    const ExemplarExpression found = select_exemplars(X, options, seed);
    RC_ASSERT(num_unconverged(found.solves) == 0);
    RC_ASSERT(std::set<int>(found.points.begin(), found.points.end()).size() ==
              found.points.size());
    const Matrix Y = unit(X);
    const Matrix E = chosen_columns(Y, found.points);
    const Matrix C = found.coefficients;
    RC_ASSERT(C.rows() == E.cols() && C.cols() == points);
    for (Index j = 0; j < points; ++j) {
      const double gap = testing::lasso_violation(E, Y.col(j), C.col(j), lambda);
      RC_ASSERT(gap <= testing::kOptimality);
      RC_ASSERT(std::abs(gap - found.solves[static_cast<std::size_t>(j)].residual) < 1e-8);
      const double own = cost(E, Y.col(j), C.col(j), lambda);
      RC_ASSERT(std::abs(found.costs[j] - own) <= 1e-11 * lambda);
    }
  }));
}

// ---- two ways to one answer ---------------------------------------------------------------------

/// Farthest-first search as it is defined: all costs anew after every choice.
TEST(Exemplars, LazySearchIsTheExactOne) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 100000);
    const double lambda = *rc::gen::element(5.0, 50.0);
    const int count = *rc::gen::inRange(2, 9);
    const Matrix X = unit(union_of_subspaces(9, 3, 3, 15, 0.05, seed).points);
    const ExemplarExpression found =
        select_exemplars(X, {.num_exemplars = count, .lambda = lambda}, seed);
    RC_ASSERT(static_cast<int>(found.points.size()) == count);
    RC_ASSERT(found.selection_costs[0] == lambda / 2);
    for (int k = 1; k < count; ++k) {
      const Matrix E = chosen_columns(X, {found.points.begin(), found.points.begin() + k});
      Vector costs(X.cols());
      for (Index j = 0; j < X.cols(); ++j) {
        costs[j] = cost(E, X.col(j), coordinate_descent(E, X.col(j), lambda), lambda);
      }
      Index farthest = 0;
      const double largest = costs.maxCoeff(&farthest);
      RC_ASSERT(std::abs(found.selection_costs[k] - largest) < 1e-8);
      costs[farthest] = 0.0;
      if (largest - costs.maxCoeff() > 1e-7) {
        RC_ASSERT(found.points[static_cast<std::size_t>(k)] == farthest);
      }
    }
  }));
}

TEST(Exemplars, LazinessSavesMostEvaluations) {
  const Matrix X = unit(union_of_subspaces(30, 4, 8, 100, 0.05, 3).points);
  const ExemplarExpression found = select_exemplars(X, {.num_exemplars = 60});
  ASSERT_EQ(found.points.size(), 60U);
  EXPECT_LT(found.num_evaluations, 60 * X.cols() / 4);
  for (Index k = 1; k < 60; ++k) {
    EXPECT_LE(found.selection_costs[k], found.selection_costs[k - 1]);
  }
  EXPECT_LE(found.costs.maxCoeff(), found.selection_costs[59]);
}

/// G + G' for the `neighbors` columns of the largest positive products with each, equal ones by
/// index; products closer than `gap` count as equal.
Matrix nearest_unit_columns(const Matrix& A, int neighbors, double gap) {
  const Index n = A.cols();
  Matrix G = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    std::vector<std::pair<double, Index>> order;
    for (Index i = 0; i < n; ++i) {
      const double product = A.col(i).dot(A.col(j));
      if (i != j && product > 0.5 * gap) order.emplace_back(-std::round(product / gap), i);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min<std::size_t>(order.size(), static_cast<std::size_t>(neighbors)));
    for (const auto& [product, i] : order) G(i, j) = 1.0;
  }
  return G + G.transpose();
}

/// Columns of one exemplar alone are 1 or -1, so that their products are equal without rounding;
/// those of others differ by far more.
TEST(Exemplars, AffinityIsThatOfTheNearestUnitColumns) {
  const Matrix X = unit(union_of_subspaces(10, 2, 4, 20, 0.1, 5).points);
  const SparseMatrix C = select_exemplars(X, {.num_exemplars = 12}).coefficients;
  const Matrix W = exemplar_affinity(C, 3);
  EXPECT_EQ(W, nearest_unit_columns(unit(Matrix(C)), 3, 1e-12));
  EXPECT_EQ(W.diagonal().sum(), 0.0);
}

/// Of one entry or of four alike: unit length and multiples of 1/4, of which no product rounds.
TEST(Exemplars, EqualColumnsAreTakenByIndex) {
  RandomStream random = stream(3, Stream::kTest);
  Matrix A = Matrix::Zero(6, 90);
  for (Index j = 0; j < A.cols(); ++j) {
    const bool single = random.below(3) == 0;
    const double size = single ? 1.0 : 0.5;
    const auto begin = static_cast<Index>(random.below(single ? 6 : 3));
    for (Index i = begin; i < begin + (single ? 1 : 4); ++i) {
      A(i, j) = random.below(4) == 0 ? -size : size;
    }
  }
  for (const int neighbors : {1, 3, 10}) {
    const Matrix W = exemplar_affinity((3.0 * A).sparseView(), neighbors);
    EXPECT_EQ(W, nearest_unit_columns(A, neighbors, 0.25)) << neighbors;
  }
}

// ---- invariances --------------------------------------------------------------------------------

TEST(Exemplars, DoNotDependOnLengthsRotationOrThreads) {
  const Matrix X = unit(union_of_subspaces(15, 3, 4, 40, 0.1, 6).points);
  const EscOptions options{.num_exemplars = 20};
  const ExemplarExpression one = select_exemplars(X, options, 7, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const ExemplarExpression many = select_exemplars(X, options, 7, {.num_threads = threads});
    EXPECT_EQ(one.points, many.points);
    EXPECT_EQ(one.num_evaluations, many.num_evaluations);
    ASSERT_EQ(one.coefficients.nonZeros(), many.coefficients.nonZeros());
    const auto bytes = static_cast<std::size_t>(one.coefficients.nonZeros()) * sizeof(double);
    EXPECT_EQ(std::memcmp(one.coefficients.valuePtr(), many.coefficients.valuePtr(), bytes), 0);
  }
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(15, 15, 7)).householderQ();
  Matrix uneven = X;
  for (Index j = 0; j < X.cols(); ++j) {
    uneven.col(j) *= std::pow(10.0, static_cast<double>((37 * j) % 300) - 150.0);
  }
  for (const Matrix& Y : {Matrix(Q * X), uneven, Matrix(X * 1e-150)}) {
    const ExemplarExpression other = select_exemplars(Y, options, 7);
    EXPECT_EQ(one.points, other.points);
    EXPECT_LE((Matrix(one.coefficients) - Matrix(other.coefficients)).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Exemplars, SeedsDrawTheFirst) {
  const Matrix X = random_matrix(10, 50, 8);
  std::set<int> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    first.insert(select_exemplars(X, {.num_exemplars = 1}, seed).points.front());
  }
  EXPECT_GT(first.size(), 10U);
}

// ---- known worlds -------------------------------------------------------------------------------

TEST(Exemplars, VisitEverySubspaceFirstAndConnectNoTwo) {
  // Class sizes 4 to 40: the rare subspaces are not passed over.
  const std::vector<Index> sizes = {40, 4, 20, 8};
  Matrix X = Matrix::Zero(12, 72);
  Labels labels;
  for (Index k = 0; k < 4; ++k) {
    const Index size = sizes[static_cast<std::size_t>(k)];
    X.block(3 * k, static_cast<Index>(labels.size()), 3, size) =
        random_matrix(3, size, static_cast<std::uint64_t>(k));
    labels.insert(labels.end(), static_cast<std::size_t>(size), static_cast<int>(k));
  }
  const ExemplarExpression found = select_exemplars(X, {.num_exemplars = 24}, 1);
  std::set<int> visited;
  for (std::size_t i = 0; i < 4; ++i) {
    visited.insert(labels[static_cast<std::size_t>(found.points[i])]);
  }
  EXPECT_EQ(visited.size(), 4U);
  for (Index j = 0; j < 72; ++j) {
    for (SparseMatrix::InnerIterator c(found.coefficients, j); c; ++c) {
      const int exemplar = found.points[static_cast<std::size_t>(c.row())];
      EXPECT_EQ(labels[static_cast<std::size_t>(exemplar)], labels[static_cast<std::size_t>(j)]);
    }
  }
  const SparseMatrix W = exemplar_affinity(found.coefficients, 3);
  EXPECT_GT(W.nonZeros(), 72);
  for (Index j = 0; j < 72; ++j) {
    for (SparseMatrix::InnerIterator w(W, j); w; ++w) {
      EXPECT_EQ(labels[static_cast<std::size_t>(w.row())], labels[static_cast<std::size_t>(j)]);
    }
  }
}

TEST(Exemplars, RepresentThemselvesByTheClosedForm) {
  const Matrix X = random_matrix(8, 30, 9);
  const double lambda = 40.0;
  const ExemplarExpression found = select_exemplars(X, {.num_exemplars = 7, .lambda = lambda}, 2);
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const Index j = found.points[i];
    EXPECT_EQ(found.coefficients.col(j).nonZeros(), 1);
    EXPECT_EQ(found.coefficients.coeff(static_cast<Index>(i), j), 1.0 - 1.0 / lambda);
    EXPECT_EQ(found.costs[j], 1.0 - 0.5 / lambda);
  }
  EXPECT_GE(found.costs.minCoeff(), 1.0 - 0.5 / lambda - 1e-12);
}

TEST(Exemplars, StopWhenOnlyDuplicatesAreLeft) {
  Matrix X(5, 12);
  const Matrix distinct = random_matrix(5, 3, 10);
  for (Index j = 0; j < 12; ++j) X.col(j) = (j % 2 == 0 ? 1.0 : -3.0) * distinct.col(j % 3);
  const ExemplarExpression found = select_exemplars(X, {.num_exemplars = 10}, 3);
  EXPECT_EQ(found.points.size(), 3U);
  EXPECT_EQ(found.coefficients.rows(), 3);
  EXPECT_EQ(num_unconverged(found.solves), 0);
}

// ---- edges and refusals -------------------------------------------------------------------------

TEST(Exemplars, DegenerateDataIsRepresentedOrLeftAlone) {
  for (const Index points : {1, 2, 5, 50}) {
    for (const Index dimension : {1, 2, 100}) {
      for (const Matrix& X : testing::degenerate_data(dimension, points)) {
        const ExemplarExpression found = select_exemplars(X, {.num_exemplars = 60, .lambda = 300});
        ASSERT_EQ(found.coefficients.cols(), points);
        EXPECT_EQ(num_unconverged(found.solves), 0) << points << " of " << dimension;
        EXPECT_TRUE(Matrix(found.coefficients).allFinite());
        EXPECT_TRUE(found.costs.allFinite());
        const SparseMatrix W = exemplar_affinity(found.coefficients);
        EXPECT_EQ(W.rows(), points);
        EXPECT_TRUE(Matrix(W).allFinite());
      }
    }
  }
}

TEST(Exemplars, RefuseOptionsOutOfRangeAndBadData) {
  const Matrix X = random_matrix(3, 4, 12);
  const auto refusal = [&](const EscOptions& options) {
    return testing::message_of<InvalidArgument>([&] { select_exemplars(X, options); });
  };
  EXPECT_EQ(refusal({.num_exemplars = 0}),
            "select_exemplars: num_exemplars = 0, must satisfy num_exemplars >= 1");
  EXPECT_EQ(refusal({.lambda = 1.0}), "select_exemplars: lambda = 1, must satisfy lambda > 1");
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { exemplar_affinity(X.sparseView(), 0); }),
            "exemplar_affinity: neighbors = 0, must satisfy neighbors >= 1");
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_THROW(select_exemplars(broken), DataError);
  EXPECT_THROW(select_exemplars(Matrix(3, 0)), DataError);
  EXPECT_THROW(exemplar_affinity(SparseMatrix(broken.sparseView())), DataError);
  EXPECT_EQ(testing::message_of<ResourceError>(
                [&] { select_exemplars(X, {}, 0, {.num_threads = 1, .max_memory = 1}); }),
            "select_exemplars: needs about 2.21e-06 GB of memory, 1e-09 GB allowed; lower "
            "num_exemplars or give fewer samples");
}

TEST(Exemplars, StopWhenCancelled) {
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(select_exemplars(random_matrix(5, 100, 13), {}, 0, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace
