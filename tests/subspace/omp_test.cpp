// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/omp.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>

#include "support/degenerate_data.h"
#include "support/matching_pursuit.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::matching_pursuit;
using testing::MatchingPursuit;
using testing::random_matrix;
using testing::union_of_subspaces;

Matrix unit(Matrix X) {
  normalize_columns(X);
  return X;
}

/// Just less memory than a stored Gram matrix asks for, four times its size.
Context streamed(const Matrix& X, int threads = 1) {
  return {.num_threads = threads,
          .max_memory = 4 * X.cols() * X.cols() * static_cast<std::int64_t>(sizeof(double)) - 1};
}

/// max |x_i'r| / (|x_i| |x_j|) over the support of column j, from X and C alone.
double orthogonality(const Matrix& X, const Matrix& C, Index j) {
  const Vector residual = X.col(j) - X * C.col(j);
  double largest = 0.0;
  for (Index i = 0; i < X.cols(); ++i) {
    if (C(i, j) == 0.0) continue;
    largest =
        std::max(largest, std::abs(X.col(i).dot(residual)) / (X.col(i).norm() * X.col(j).norm()));
  }
  return largest;
}

// ---- optimality and the greedy choice, recomputed from the data ---------------------------------

TEST(Omp, FollowsTheGreedyPathOnRandomProblemsOfAllShapes) {
  int compared = 0;
  EXPECT_TRUE(rc::check([&compared] {
    const Index dimension = *rc::gen::inRange(1, 25);
    const Index points = *rc::gen::inRange(2, 60);
    const int most = *rc::gen::inRange(1, 15);
    const double tolerance = *rc::gen::element(0.0, 1e-6, 0.05);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const bool normalised = *rc::gen::arbitrary<bool>();
    const bool stored = *rc::gen::arbitrary<bool>();
    Matrix X = random_matrix(dimension, points, seed);
    if (normalised) normalize_columns(X);
    const OmpOptions options{.max_nonzeros = most, .tolerance = tolerance};
    // Of tiny problems the workspaces of a tile take more than four Gram matrices.
    const bool can_stream =
        dimension * points + 32 * (points + dimension * (most + 2)) < 4 * points * points;
    const SelfExpression result = omp(X, options, stored || !can_stream ? Context{} : streamed(X));
    RC_ASSERT(num_unconverged(result.solves) == 0);
    const Matrix C = result.coefficients;
    for (Index j = 0; j < points; ++j) {
      RC_ASSERT(orthogonality(X, C, j) <= 1e-9);
      RC_ASSERT(C(j, j) == 0.0);
      const MatchingPursuit expected = matching_pursuit(X, j, most, tolerance);
      if (expected.smallest_margin < 1e-9 || expected.smallest_squared_pivot < 1e-8) continue;
      ++compared;
      const double scale = std::max(1.0, expected.coefficients.cwiseAbs().maxCoeff());
      RC_ASSERT((C.col(j) - expected.coefficients).cwiseAbs().maxCoeff() <= 1e-8 * scale);
      RC_ASSERT(result.solves[static_cast<std::size_t>(j)].iterations ==
                static_cast<int>(expected.support.size()));
    }
  }));
  EXPECT_GT(compared, 1000);
}

TEST(Omp, ReportsTheOrthogonalityItReached) {
  // Nearly dependent points: the factor loses digits, which refinement brings back.
  Matrix X = random_matrix(20, 200, 3);
  X.rightCols(100) = X.leftCols(100) + 1e-4 * random_matrix(20, 100, 4);
  for (const bool stored : {true, false}) {
    const SelfExpression result =
        omp(X, {.max_nonzeros = 18, .tolerance = 0.0}, stored ? Context{} : streamed(X));
    const Matrix C = result.coefficients;
    for (Index j = 0; j < X.cols(); ++j) {
      EXPECT_NEAR(result.solves[static_cast<std::size_t>(j)].residual, orthogonality(X, C, j),
                  1e-11);
    }
    EXPECT_LE(max_residual(result.solves), 1e-11);
  }
}

TEST(Omp, StopsAtTheToleranceAndNoSooner) {
  const Matrix X = unit(union_of_subspaces(20, 6, 3, 40, 0.02, 1).points);
  for (const double tolerance : {0.3, 0.05, 0.01}) {
    const SelfExpression result = omp(X, {.max_nonzeros = 15, .tolerance = tolerance});
    const Matrix C = result.coefficients;
    for (Index j = 0; j < X.cols(); ++j) {
      EXPECT_LE((X.col(j) - X * C.col(j)).squaredNorm(), tolerance);
      const int taken = result.solves[static_cast<std::size_t>(j)].iterations;
      const Vector sooner = matching_pursuit(X, j, taken - 1, 0.0).coefficients;
      EXPECT_GT((X.col(j) - X * sooner).squaredNorm(), tolerance);
    }
  }
}

// ---- two ways to one answer ---------------------------------------------------------------------

TEST(Omp, StreamedAndStoredGramAgree) {
  const Matrix X = unit(union_of_subspaces(15, 4, 3, 80, 0.05, 2).points);
  for (const int most : {1, 3, 12}) {
    const Matrix stored = omp(X, {.max_nonzeros = most}).coefficients;
    const Matrix other = omp(X, {.max_nonzeros = most}, streamed(X)).coefficients;
    EXPECT_LE((stored - other).cwiseAbs().maxCoeff(), 1e-10) << most;
  }
}

// ---- invariances --------------------------------------------------------------------------------

TEST(Omp, DoesNotDependOnRotationOrScaleAndFollowsSignAndOrder) {
  const Matrix X = unit(union_of_subspaces(12, 3, 3, 20, 0.1, 6).points);
  const OmpOptions options{.max_nonzeros = 5};
  const Matrix C = omp(X, options).coefficients;
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 7)).householderQ();
  EXPECT_LE((Matrix(omp(Q * X, options).coefficients) - C).cwiseAbs().maxCoeff(), 1e-9);
  for (const double scale : {1e-300, 1e-150, 1e-20, 3.0, 1e150, 1e300}) {
    EXPECT_LE((Matrix(omp(scale * X, options).coefficients) - C).cwiseAbs().maxCoeff(), 1e-9)
        << scale;
  }
  Matrix flipped = X;
  flipped.col(5) = -flipped.col(5);
  Matrix expected = C;
  expected.col(5) = -expected.col(5);
  expected.row(5) = -expected.row(5);
  EXPECT_LE((Matrix(omp(flipped, options).coefficients) - expected).cwiseAbs().maxCoeff(), 1e-9);
  const Matrix reversed = omp(X.rowwise().reverse(), options).coefficients;
  EXPECT_LE((Matrix(reversed.reverse()) - C).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Omp, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = unit(union_of_subspaces(20, 4, 5, 120, 0.1, 8).points);
  for (const bool stored : {true, false}) {
    const auto solve = [&](int threads) {
      return omp(X, {}, stored ? Context{.num_threads = threads} : streamed(X, threads))
          .coefficients;
    };
    const SparseMatrix one = solve(1);
    for (const int threads : {2, 4}) {
      const SparseMatrix many = solve(threads);
      ASSERT_EQ(one.nonZeros(), many.nonZeros());
      const auto bytes = static_cast<std::size_t>(one.nonZeros());
      EXPECT_EQ(std::memcmp(one.valuePtr(), many.valuePtr(), bytes * sizeof(double)), 0);
      EXPECT_EQ(std::memcmp(one.innerIndexPtr(), many.innerIndexPtr(), bytes * sizeof(int)), 0);
    }
  }
}

// ---- known worlds -------------------------------------------------------------------------------

TEST(Omp, RepresentsPointsByTheirOwnSubspaceExactly) {
  const auto world = union_of_subspaces(30, 3, 6, 40, 0.0, 9);
  const Matrix X = unit(world.points);
  const SelfExpression result = omp(X);
  for (Index j = 0; j < X.cols(); ++j) {
    EXPECT_LE(result.coefficients.col(j).nonZeros(), 10);
    const Vector c = Matrix(result.coefficients).col(j);
    EXPECT_LE((X.col(j) - X * c).squaredNorm(), 1e-6);
  }
  // Orthogonal subspaces: no point of another one ever correlates with the residual.
  Matrix Y = Matrix::Zero(12, 60);
  for (Index k = 0; k < 3; ++k) {
    Y.block(4 * k, 20 * k, 4, 20) = random_matrix(4, 20, static_cast<std::uint64_t>(k));
  }
  const SparseMatrix C = omp(unit(Y), {.max_nonzeros = 10, .tolerance = 0.0}).coefficients;
  for (Index j = 0; j < C.outerSize(); ++j) {
    EXPECT_EQ(C.col(j).nonZeros(), 4) << "the subspace's dimension is enough";
    for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry) {
      EXPECT_EQ(entry.row() / 20, j / 20);
    }
  }
}

TEST(Omp, TakesTheFirstOfDuplicatesAndOneIsEnough) {
  Matrix X = unit(random_matrix(16, 200, 10));
  for (const Index copy : {7, 19, 38}) X.col(copy) = X.col(3);
  X.col(25) = -X.col(3);
  for (const Context& context : {Context{}, streamed(X)}) {
    const SparseMatrix C = omp(X, {}, context).coefficients;
    for (const Index j : {7, 19, 25, 38}) {
      ASSERT_EQ(C.col(j).nonZeros(), 1) << j;
      EXPECT_NEAR(C.coeff(3, j), j == 25 ? -1.0 : 1.0, 1e-14);
    }
    EXPECT_NEAR(C.coeff(7, 3), 1.0, 1e-14);
    for (Index j = 0; j < 200; ++j) EXPECT_EQ(C.coeff(38, j), 0.0);
  }
}

TEST(Omp, CoefficientsHaveAZeroDiagonalAndSortedRows) {
  const SparseMatrix C = omp(unit(random_matrix(6, 50, 10)), {.max_nonzeros = 5}).coefficients;
  ASSERT_TRUE(C.isCompressed());
  for (Index j = 0; j < C.outerSize(); ++j) {
    Index last = -1;
    EXPECT_LE(C.col(j).nonZeros(), 5);
    for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry) {
      EXPECT_GT(entry.row(), last);
      EXPECT_NE(entry.row(), j);
      last = entry.row();
    }
  }
}

// ---- edges and refusals -------------------------------------------------------------------------

TEST(Omp, DegenerateDataIsRepresentedOrLeftAlone) {
  for (const Index points : {1, 2, 5, 50}) {
    for (const Index dimension : {1, 2, 100}) {
      std::vector<Matrix> all = testing::degenerate_data(dimension, points);
      Matrix mixed = all.front();
      mixed.col(0) *= 1e-200;
      mixed.col(points - 1) *= 1e200;
      all.push_back(mixed);
      for (const Matrix& X : all) {
        for (const double tolerance : {0.0, 1e-6}) {
          const SelfExpression result = omp(X, {.max_nonzeros = 60, .tolerance = tolerance});
          ASSERT_EQ(result.coefficients.cols(), points);
          EXPECT_EQ(num_unconverged(result.solves), 0) << points << " of " << dimension;
          EXPECT_TRUE(Matrix(result.coefficients).allFinite());
        }
      }
    }
  }
}

TEST(Omp, ZeroAndOrthogonalPointsHaveNoRepresentation) {
  EXPECT_EQ(omp(Matrix::Zero(3, 5)).coefficients.nonZeros(), 0);
  const SelfExpression orthogonal = omp(Matrix::Identity(4, 4));
  EXPECT_EQ(orthogonal.coefficients.nonZeros(), 0);
  EXPECT_EQ(num_unconverged(orthogonal.solves), 0);
}

TEST(Omp, RefusesOptionsOutOfRangeAndBadData) {
  const Matrix X = unit(random_matrix(3, 4, 12));
  const auto refusal = [&](const OmpOptions& options) {
    return testing::message_of<InvalidArgument>([&] { omp(X, options); });
  };
  EXPECT_EQ(refusal({.max_nonzeros = 0}), "omp: max_nonzeros = 0, must satisfy max_nonzeros >= 1");
  EXPECT_EQ(refusal({.tolerance = -1.0}), "omp: tolerance = -1, must satisfy tolerance >= 0");
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_THROW(omp(broken), DataError);
  EXPECT_THROW(omp(Matrix(3, 0)), DataError);
}

TEST(Omp, RefusesToStreamWithoutMemoryForTheWorkspaces) {
  const Matrix X = unit(random_matrix(10, 300, 15));
  // One thread: 32 points with 300 correlations, and 10 directions and 2 residuals of length 10.
  constexpr std::int64_t kWorkspace = 32 * 8 * (300 + 12 * 10);
  constexpr std::int64_t kData = 300 * 10 * 8;
  const auto solve = [&](int threads, std::int64_t memory) {
    return omp(X, {}, {.num_threads = threads, .max_memory = memory});
  };
  EXPECT_EQ(testing::message_of<ResourceError>([&] { solve(1, 1); }),
            "omp: needs about 0.000132 GB of memory, 1e-09 GB allowed; use fewer threads, lower "
            "max_nonzeros or give fewer samples");
  EXPECT_THROW(solve(1, kData + kWorkspace - 1), ResourceError);
  EXPECT_NO_THROW(solve(1, kData + kWorkspace));
  EXPECT_THROW(solve(4, kData + kWorkspace), ResourceError) << "every thread has its own";
}

TEST(Omp, StopsWhenCancelledAndLeavesItsInputAlone) {
  const Matrix X = unit(random_matrix(5, 100, 13));
  const Matrix before = X;
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(omp(X, {}, {.cancel = &cancel}), Cancelled);
  EXPECT_THROW(omp(X, {}, {.cancel = &cancel, .max_memory = 300000}), Cancelled);
  omp(X);
  EXPECT_EQ(X, before);
}

}  // namespace
}  // namespace subspace
