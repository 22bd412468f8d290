// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <numbers>

#include <subspace/affinity/affinity.h>
#include <subspace/cluster/assign.h>
#include <subspace/core/error.h>
#include <subspace/self_expression/smce.h>
#include <subspace/spectral/embedding.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/same_partition.h"
#include "support/smce_problem.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using testing::random_matrix;
using testing::SmceProblem;

/// The raw coefficients of point i in the order of the problem's neighbours.
Vector local_column(const SparseMatrix& C, Index i, const SmceProblem& problem) {
  Vector c(static_cast<Index>(problem.neighbors.size()));
  for (Index k = 0; k < c.size(); ++k) {
    c(k) = C.coeff(problem.neighbors[static_cast<std::size_t>(k)], i);
  }
  return c;
}

double largest_violation(const Matrix& X, const SparseMatrix& C, const SmceOptions& options) {
  double largest = 0.0;
  for (Index i = 0; i < X.cols(); ++i) {
    const SmceProblem problem(X, i, options.neighbors - 1, options.lambda);
    const Vector c = local_column(C, i, problem);
    largest = std::max(largest, problem.violation(c) / std::max(1.0, options.lambda));
  }
  return largest;
}

/// Points along circles of the given radii, the circles one after another.
Matrix rings(const std::vector<double>& radii, Index per_ring) {
  Matrix X(2, static_cast<Index>(radii.size()) * per_ring);
  for (Index j = 0; j < X.cols(); ++j) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(j % per_ring) / static_cast<double>(per_ring);
    const double radius = radii[static_cast<std::size_t>(j / per_ring)];
    X.col(j) << radius * std::cos(angle), radius * std::sin(angle);
  }
  return X;
}

// ---- optimality, recomputed from the data

TEST(Smce, IsOptimalOnRandomProblemsOfAllShapes) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 30);
    const Index points = *rc::gen::inRange(2, 50);
    const double lambda = *rc::gen::element(1e-3, 0.1, 1.0, 10.0, 200.0, 1e5);
    const int neighbors = *rc::gen::inRange(2, 40);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const Matrix X = random_matrix(dimension, points, seed);
    const SmceOptions options{.lambda = lambda, .neighbors = neighbors};
    const SmceSolution solution = solve_smce(X, options);
    RC_ASSERT(num_unconverged(solution.weights.solves) == 0);
    const double violation = largest_violation(X, solution.coefficients, options);
    RC_ASSERT(violation <= 1e-9);
    RC_ASSERT(std::abs(violation - max_residual(solution.weights.solves)) <= 1e-9);
  }));
}

// Points of low rank and on lattices: every neighbourhood has dependent directions.
TEST(Smce, IsOptimalWhenDirectionsDependOnOneAnother) {
  for (const Index rank : {1, 2, 3}) {
    Matrix X = random_matrix(8, rank, 3) * random_matrix(rank, 40, 4);
    X.col(5) = 2.0 * X.col(4) - X.col(3);  // three points on a line
    X.col(6) = 0.5 * X.col(4) + 0.5 * X.col(3);
    for (const double lambda : {1e-2, 1.0, 10.0, 1e3}) {
      const SmceOptions options{.lambda = lambda, .neighbors = 30};
      const SmceSolution solution = solve_smce(X, options);
      EXPECT_EQ(num_unconverged(solution.weights.solves), 0) << rank << ", " << lambda;
      EXPECT_LE(largest_violation(X, solution.coefficients, options), testing::kOptimality);
    }
  }
  Matrix lattice(2, 36);
  for (Index j = 0; j < 36; ++j) lattice.col(j) << static_cast<double>(j / 6), double(j % 6);
  for (const double lambda : {1e-3, 0.1, 10.0}) {
    const SmceSolution solution = solve_smce(lattice, {.lambda = lambda, .neighbors = 36});
    EXPECT_EQ(num_unconverged(solution.weights.solves), 0) << lambda;
    EXPECT_LE(max_residual(solution.weights.solves), 1e-9);
  }
}

// ---- two ways to one answer

/// The lowest objective of all sign patterns whose equality-constrained minimiser has these signs.
double brute_force(const SmceProblem& problem) {
  const Index n = problem.U.cols();
  const Matrix H = problem.U.transpose() * problem.U;
  double best = std::numeric_limits<double>::infinity();
  int patterns = 1;
  for (Index k = 0; k < n; ++k) patterns *= 3;
  for (int pattern = 1; pattern < patterns; ++pattern) {
    Vector sign(n);
    for (Index k = 0, rest = pattern; k < n; ++k, rest /= 3) sign(k) = double(rest % 3) - 1.0;
    // ( H + (zero rows fixed)  1 ; 1' 0 ) (c, -nu) = (-p sign, 1)
    Matrix A = Matrix::Zero(n + 1, n + 1);
    Vector b = Vector::Zero(n + 1);
    b(n) = 1.0;
    for (Index k = 0; k < n; ++k) {
      if (sign(k) == 0.0) {
        A(k, k) = 1.0;
        continue;
      }
      A.row(k).head(n) = H.row(k);
      A(k, n) = 1.0;
      A(n, k) = 1.0;
      b(k) = -problem.penalties(k) * sign(k);
    }
    const Vector c = A.fullPivLu().solve(b).head(n);
    if (std::abs(c.sum() - 1.0) > 1e-8) continue;
    if ((c.array() * sign.array() < -1e-9).any()) continue;
    best = std::min(best, problem.objective(c));
  }
  return best;
}

TEST(Smce, EqualsTheBestOfAllSignPatterns) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Matrix X = random_matrix(1 + static_cast<Index>(seed % 4), 6, seed);
    const SmceOptions options{.lambda = seed % 3 == 0 ? 0.3 : 3.0, .neighbors = 6};
    const SmceSolution solution = solve_smce(X, options);
    for (Index i = 0; i < X.cols(); ++i) {
      const SmceProblem problem(X, i, 5, options.lambda);
      EXPECT_NEAR(problem.objective(local_column(solution.coefficients, i, problem)),
                  brute_force(problem), 1e-10)
          << "seed " << seed << ", point " << i;
    }
  }
}

TEST(Smce, WeightsAreCoefficientsOverDistanceWithSumOne) {
  const Matrix X = random_matrix(4, 60, 21);
  const SmceSolution solution = solve_smce(X, {.neighbors = 20});
  const SparseMatrix& W = solution.weights.coefficients;
  for (Index i = 0; i < X.cols(); ++i) {
    const SmceProblem problem(X, i, 19, 10.0);
    const Vector c = local_column(solution.coefficients, i, problem);
    Vector expected = c.cwiseAbs().cwiseQuotient(problem.distances);
    expected /= expected.sum();
    EXPECT_LE((local_column(W, i, problem) - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(W.coeff(i, i), 0.0);
    EXPECT_NEAR(W.col(i).sum(), 1.0, 1e-12);
  }
  const Matrix same = smce(X, {.neighbors = 20}).coefficients;
  EXPECT_EQ(same, Matrix(W));
}

// ---- invariances

TEST(Smce, DoesNotDependOnPlaceRotationOrScaleAndFollowsOrder) {
  const Matrix X = random_matrix(6, 50, 6);
  const SmceOptions options{.neighbors = 25};
  const Matrix W = smce(X, options).coefficients;
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(6, 6, 7)).householderQ();
  const Matrix moved = (Q * X).colwise() + Vector::Constant(6, 3.0);
  EXPECT_LE((Matrix(smce(moved, options).coefficients) - W).cwiseAbs().maxCoeff(), 1e-9);
  for (const double scale : {1e-300, 1e-150, 3.0, 1e150, 1e300}) {
    EXPECT_LE((Matrix(smce(scale * X, options).coefficients) - W).cwiseAbs().maxCoeff(), 1e-9)
        << scale;
  }
  const Matrix reversed = smce(X.rowwise().reverse(), options).coefficients;
  EXPECT_LE((Matrix(reversed.reverse()) - W).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Smce, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = random_matrix(10, 150, 8);
  const SmceSolution one = solve_smce(X, {}, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const SmceSolution many = solve_smce(X, {}, {.num_threads = threads});
    ASSERT_EQ(one.coefficients.nonZeros(), many.coefficients.nonZeros());
    const auto bytes = static_cast<std::size_t>(one.coefficients.nonZeros()) * sizeof(double);
    EXPECT_EQ(std::memcmp(one.coefficients.valuePtr(), many.coefficients.valuePtr(), bytes), 0);
    EXPECT_EQ(std::memcmp(one.weights.coefficients.valuePtr(), many.weights.coefficients.valuePtr(),
                          bytes),
              0);
  }
}

// ---- known worlds

TEST(Smce, ALargeLambdaChoosesTheNearestPointAlone) {
  const Matrix X = random_matrix(5, 30, 9);
  const SparseMatrix W = smce(X, {.lambda = 1e6}).coefficients;
  for (Index i = 0; i < X.cols(); ++i) {
    const SmceProblem problem(X, i, 1, 1.0);
    EXPECT_EQ(W.col(i).nonZeros(), 1);
    EXPECT_NEAR(W.coeff(problem.neighbors[0], i), 1.0, 1e-12);
  }
}

/// Two lines closer to one another than the points on them: a point's nearest neighbour lies on the
/// other line, and yet it is put together from its own; the nearer ones get what their lower price
/// buys, a hundredth.
TEST(Smce, StaysOnItsOwnLineWhereTheOtherIsNearer) {
  constexpr Index kPerLine = 30;
  Matrix X(3, 2 * kPerLine);
  for (Index j = 0; j < X.cols(); ++j) {
    X.col(j) << static_cast<double>(j % kPerLine), j < kPerLine ? 0.0 : 0.9, 0.0;
  }
  const SparseMatrix W = smce(X, {.lambda = 1.0, .neighbors = 20}).coefficients;
  for (Index i = 0; i < X.cols(); ++i) {
    if (i % kPerLine == 0 || i % kPerLine == kPerLine - 1) continue;  // ends have one side only
    const Index own = i / kPerLine * kPerLine;
    EXPECT_GE(Matrix(W).block(own, i, kPerLine, 1).sum(), 0.99) << i;
  }
}

TEST(Smce, TellsRingsApart) {
  const Matrix X = rings({1.0, 1.3, 1.6}, 80);
  const SparseMatrix W = smce(X, {.neighbors = 30}).coefficients;
  for (Index i = 0; i < X.cols(); ++i) {
    for (SparseMatrix::InnerIterator w(W, i); w; ++w) EXPECT_EQ(w.row() / 80, i / 80);
  }
  const Embedding embedding = spectral_embedding(make_affinity(W, {}), 3);
  Labels truth(240);
  for (std::size_t j = 0; j < truth.size(); ++j) truth[j] = static_cast<int>(j / 80);
  EXPECT_TRUE(testing::same_partition(assign(embedding.points, 3, {}, 0).labels, truth));
}

// ---- edges and refusals

TEST(Smce, CopiesShareTheColumnOfTheFirst) {
  Matrix X = random_matrix(3, 20, 10);
  const Matrix alone = smce(X, {.neighbors = 8}).coefficients;
  Matrix doubled(3, 40);
  doubled << X, X;
  const SmceSolution solution = solve_smce(doubled, {.neighbors = 8});
  const Matrix W = solution.weights.coefficients;
  EXPECT_EQ(W.topLeftCorner(20, 20), alone);
  EXPECT_EQ(W.topRightCorner(20, 20), alone);
  EXPECT_TRUE(W.bottomRows(20).isZero(0.0));
  EXPECT_EQ(num_unconverged(solution.weights.solves), 0);
  EXPECT_EQ(solution.weights.solves.size(), 40U);
}

TEST(Smce, HasNoColumnsWithoutTwoDistinctPoints) {
  for (const Index points : {1, 2, 30}) {
    const SelfExpression constant = smce(Matrix::Constant(4, points, 2.5));
    EXPECT_EQ(constant.coefficients.nonZeros(), 0);
    EXPECT_EQ(constant.coefficients.cols(), points);
    EXPECT_EQ(num_unconverged(constant.solves), 0);
    EXPECT_EQ(smce(Matrix::Zero(4, points)).coefficients.nonZeros(), 0);
  }
  Matrix two(1, 3);
  two << 1.0, 1.0, 2.0;
  EXPECT_EQ(Matrix(smce(two).coefficients), (Matrix(3, 3) << 0, 0, 1, 0, 0, 0, 1, 1, 0).finished());
}

TEST(Smce, HoldsOnAGridOfDegenerateData) {
  for (const Index dimension : {1, 2, 5, 100}) {
    for (const Index points : {1, 2, 3, 7, 50}) {
      for (const double scale : {1e-150, 1.0, 1e150}) {
        Matrix X = random_matrix(dimension, points, 11);
        if (points > 2) X.col(points - 1) = X.col(0);
        if (points > 4) X.col(3).setZero();
        if (points > 4) X.col(4) = 1e-14 * X.col(0) + X.col(2);
        X *= scale;
        for (const int neighbors : {2, 5, 60}) {
          const SmceSolution solution = solve_smce(X, {.neighbors = neighbors});
          EXPECT_EQ(num_unconverged(solution.weights.solves), 0)
              << dimension << " x " << points << " at " << scale;
          EXPECT_TRUE(Matrix(solution.weights.coefficients).allFinite());
          EXPECT_TRUE(Matrix(solution.coefficients).allFinite());
        }
      }
    }
  }
}

TEST(Smce, TakesDistancesOfAllSizes) {
  Matrix X(2, 6);
  X << 0.0, 1e-300, 2e-300, 1e-20, 1.0, 2.0, 0.0, 1e-310, 0.0, 1e-20, 0.0, 1e-3;
  const SmceSolution solution = solve_smce(X);
  EXPECT_EQ(num_unconverged(solution.weights.solves), 0);
  for (Index i = 0; i < X.cols(); ++i) {
    EXPECT_NEAR(solution.weights.coefficients.col(i).sum(), 1.0, 1e-12) << i;
  }
}

TEST(Smce, RefusesOptionsOutOfRangeAndBadData) {
  const Matrix X = random_matrix(3, 4, 12);
  const auto refusal = [&](const SmceOptions& options) {
    return testing::message_of<InvalidArgument>([&] { smce(X, options); });
  };
  EXPECT_EQ(refusal({.lambda = 0.0}), "smce: lambda = 0, must satisfy lambda > 0");
  EXPECT_EQ(refusal({.neighbors = 1}), "smce: neighbors = 1, must satisfy neighbors >= 2");
#ifndef SUBSPACE_WITH_OSQP
  EXPECT_EQ(refusal({.solver = SmceSolver::kOsqp}),
            "smce: solver = osqp, but this build has no OSQP; use active-set");
#endif
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_EQ(testing::message_of<DataError>([&] { smce(broken); }),
            "smce: sample 2, feature 1 (counted from 0) is nan; all values must be finite");
  EXPECT_THROW(smce(Matrix(3, 0)), DataError);
}

TEST(Smce, RefusesWhatDoesNotFitAndStopsWhenCancelled) {
  const Matrix X = random_matrix(5, 100, 13);
  EXPECT_EQ(testing::message_of<ResourceError>(
                [&] { smce(X, {}, {.num_threads = 1, .max_memory = 1000}); }),
            "smce: needs about 0.000236 GB of memory, 1e-06 GB allowed; ask for fewer neighbors or "
            "use fewer threads");
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(smce(X, {}, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace
