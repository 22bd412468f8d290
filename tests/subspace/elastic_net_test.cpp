// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>

#include "support/kkt.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::elastic_net_violation;
using testing::random_matrix;
using testing::union_of_subspaces;

Matrix unit(Matrix X) {
  normalize_columns(X);
  return X;
}

Vector column(const SelfExpression& representation, Index j) {
  return Matrix(representation.coefficients).col(j);
}

double largest_violation(const Matrix& X, const SelfExpression& result,
                         const ElasticNetOptions& options) {
  double largest = 0.0;
  for (Index j = 0; j < X.cols(); ++j) {
    largest = std::max(largest,
                       elastic_net_violation(X, j, column(result, j), options.gamma, options.tau));
  }
  return largest;
}

/// Just less memory than a stored Gram matrix asks for, four times its size: the points are solved
/// in tiles against the streamed data.
std::int64_t memory_to_stream(const Matrix& X) {
  return 4 * X.cols() * X.cols() * static_cast<std::int64_t>(sizeof(double)) - 1;
}
Context streamed(const Matrix& X) { return {.max_memory = memory_to_stream(X)}; }

// ---- optimality, recomputed from the data
// ------------------------------------------------------------

struct Setting {
  double gamma;
  double tau;
};

class ElasticNetOptimality : public ::testing::TestWithParam<Setting> {};

TEST_P(ElasticNetOptimality, HoldsForEveryPointAndIsWhatTheSolverReports) {
  const ElasticNetOptions options{.tau = GetParam().tau, .gamma = GetParam().gamma};
  const Matrix X = unit(union_of_subspaces(20, 4, 5, 30, 0.1, 1).points);
  for (const Context& context : {Context{}, streamed(X)}) {
    const SelfExpression result = elastic_net(X, options, context);
    EXPECT_EQ(num_unconverged(result.solves), 0);
    const double violation = largest_violation(X, result, options);
    EXPECT_LE(violation, 1e-8);
    EXPECT_NEAR(violation, max_residual(result.solves), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, ElasticNetOptimality,
                         ::testing::Values(Setting{50, 0.9}, Setting{400, 1.0}, Setting{200, 0.5},
                                           Setting{5, 0.1}, Setting{1.5, 1.0}, Setting{5000, 0.99},
                                           Setting{1e5, 1.0}));

TEST(ElasticNet, IsOptimalOnRandomProblemsOfAllShapes) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 25);
    const Index points = *rc::gen::inRange(2, 60);
    const double tau = *rc::gen::element(0.05, 0.5, 0.9, 1.0);
    const double gamma = *rc::gen::element(1.1, 10.0, 100.0, 3000.0);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const bool normalised = *rc::gen::arbitrary<bool>();
    Matrix X = random_matrix(dimension, points, seed);
    if (normalised) normalize_columns(X);
    const ElasticNetOptions options{.tau = tau, .gamma = gamma};
    const SelfExpression result = elastic_net(X, options);
    RC_ASSERT(num_unconverged(result.solves) == 0);
    RC_ASSERT(largest_violation(X, result, options) <= testing::kOptimality);
  }));
}

// Rank one, duplicates and mirror images make every support linearly dependent: the lasso (tau = 1)
// then has many solutions, and only an exchange step reaches one of them.
TEST(ElasticNet, IsOptimalWhenPointsDependOnOneAnother) {
  for (const double tau : {0.5, 1.0}) {
    for (const Index rank : {1, 2, 3}) {
      Matrix X = random_matrix(8, rank, 3) * random_matrix(rank, 40, 4);
      X.col(7) = X.col(3);
      X.col(11) = -X.col(3);
      X.col(12) = X.col(3);
      X.col(20).setZero();
      for (const bool normalised : {false, true}) {
        if (normalised) normalize_columns(X);
        const ElasticNetOptions options{.tau = tau, .gamma = 300};
        for (const Context& context : {Context{}, streamed(X)}) {
          const SelfExpression result = elastic_net(X, options, context);
          EXPECT_EQ(num_unconverged(result.solves), 0) << "rank " << rank << ", tau " << tau;
          EXPECT_LE(largest_violation(X, result, options), testing::kOptimality);
          EXPECT_EQ(result.coefficients.col(20).nonZeros(), 0)
              << "a zero point has no representation";
        }
      }
    }
  }
}

// ---- two ways to one answer
// --------------------------------------------------------------------------

TEST(ElasticNet, StreamedAndStoredGramAgree) {
  const Matrix X = unit(union_of_subspaces(15, 3, 4, 50, 0.05, 2).points);
  const ElasticNetOptions options{.tau = 0.9, .gamma = 80};
  const Matrix stored = elastic_net(X, options).coefficients;
  const Matrix other = elastic_net(X, options, streamed(X)).coefficients;
  EXPECT_LE((stored - other).cwiseAbs().maxCoeff(), 1e-10);
}

/// Plain cyclic coordinate descent, run far past what the answer needs.
Vector coordinate_descent(const Matrix& X, Index j, const ElasticNetOptions& options) {
  Vector correlations = X.transpose() * X.col(j);
  correlations(j) = 0.0;
  const double alpha = correlations.cwiseAbs().maxCoeff() / (options.tau * options.gamma);
  Vector c = Vector::Zero(X.cols());
  Vector residual = X.col(j);
  for (int sweep = 0; sweep < 200000; ++sweep) {
    double largest_move = 0.0;
    for (Index i = 0; i < X.cols(); ++i) {
      if (i == j) continue;
      const double norm = X.col(i).squaredNorm();
      const double raw = X.col(i).dot(residual) + norm * c(i);
      const double shrunk = std::copysign(std::max(std::abs(raw) - options.tau * alpha, 0.0), raw);
      const double next = shrunk / (norm + (1 - options.tau) * alpha);
      residual -= (next - c(i)) * X.col(i);
      largest_move = std::max(largest_move, std::abs(next - c(i)));
      c(i) = next;
    }
    if (largest_move < 1e-13) break;
  }
  return c;
}

TEST(ElasticNet, EqualsCoordinateDescent) {
  const Matrix X = unit(random_matrix(10, 30, 5));
  for (const ElasticNetOptions& options :
       {ElasticNetOptions{.tau = 0.9, .gamma = 50}, ElasticNetOptions{.tau = 0.3, .gamma = 20},
        ElasticNetOptions{.tau = 1.0, .gamma = 30}}) {
    const SelfExpression result = elastic_net(X, options);
    for (Index j = 0; j < X.cols(); j += 3) {
      EXPECT_LE((column(result, j) - coordinate_descent(X, j, options)).cwiseAbs().maxCoeff(), 1e-7)
          << "point " << j << ", tau " << options.tau;
    }
  }
}

// ---- invariances
// -------------------------------------------------------------------------------------

TEST(ElasticNet, DoesNotDependOnRotationOrScaleAndFollowsSignAndOrder) {
  const Matrix X = unit(union_of_subspaces(12, 3, 3, 20, 0.1, 6).points);
  const Matrix C = elastic_net(X).coefficients;
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 7)).householderQ();
  EXPECT_LE((Matrix(elastic_net(Q * X).coefficients) - C).cwiseAbs().maxCoeff(), 1e-9);
  for (const double scale : {1e-150, 1e-20, 3.0, 1e150}) {
    EXPECT_LE((Matrix(elastic_net(scale * X).coefficients) - C).cwiseAbs().maxCoeff(), 1e-9)
        << scale;
  }
  Matrix flipped = X;
  flipped.col(5) = -flipped.col(5);
  Matrix expected = C;
  expected.col(5) = -expected.col(5);
  expected.row(5) = -expected.row(5);
  EXPECT_LE((Matrix(elastic_net(flipped).coefficients) - expected).cwiseAbs().maxCoeff(), 1e-9);
  const Matrix reversed = elastic_net(X.rowwise().reverse()).coefficients;
  EXPECT_LE((Matrix(reversed.reverse()) - C).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ElasticNet, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = unit(union_of_subspaces(20, 4, 5, 40, 0.1, 8).points);
  for (const std::int64_t memory : {std::int64_t{0}, memory_to_stream(X)}) {
    const SelfExpression one = elastic_net(X, {}, {.num_threads = 1, .max_memory = memory});
    for (const int threads : {2, 4}) {
      const SelfExpression many =
          elastic_net(X, {}, {.num_threads = threads, .max_memory = memory});
      ASSERT_EQ(one.coefficients.nonZeros(), many.coefficients.nonZeros());
      const auto bytes = static_cast<std::size_t>(one.coefficients.nonZeros()) * sizeof(double);
      EXPECT_EQ(std::memcmp(one.coefficients.valuePtr(), many.coefficients.valuePtr(), bytes), 0);
    }
  }
}

// ---- known worlds
// ------------------------------------------------------------------------------------

TEST(ElasticNet, IsZeroUpToTheSmallestWeightWithASolution) {
  const Matrix X = unit(random_matrix(10, 20, 9));
  EXPECT_EQ(elastic_net(X, {.gamma = 0.5}).coefficients.nonZeros(), 0);
  EXPECT_EQ(elastic_net(X, {.gamma = 1.0}).coefficients.nonZeros(), 0);
  const SparseMatrix just_above = elastic_net(X, {.gamma = 1.0001}).coefficients;
  for (Index j = 0; j < X.cols(); ++j) EXPECT_GE(just_above.col(j).nonZeros(), 1) << j;
}

TEST(ElasticNet, UsesOnlyItsOwnSubspaceWhenSubspacesAreOrthogonal) {
  Matrix X = Matrix::Zero(12, 60);
  for (Index k = 0; k < 3; ++k)
    X.block(4 * k, 20 * k, 4, 20) = random_matrix(4, 20, static_cast<std::uint64_t>(k));
  const SparseMatrix C = elastic_net(unit(X), {.tau = 0.9, .gamma = 100}).coefficients;
  for (Index j = 0; j < C.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry)
      EXPECT_EQ(entry.row() / 20, j / 20);
  }
}

TEST(ElasticNet, CoefficientsHaveAZeroDiagonalAndSortedRows) {
  const SparseMatrix C = elastic_net(unit(random_matrix(6, 50, 10))).coefficients;
  ASSERT_TRUE(C.isCompressed());
  for (Index j = 0; j < C.outerSize(); ++j) {
    Index last = -1;
    for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry) {
      EXPECT_GT(entry.row(), last);
      EXPECT_NE(entry.row(), j);
      EXPECT_NE(entry.value(), 0.0);
      last = entry.row();
    }
  }
}

// ---- edges and refusals
// ------------------------------------------------------------------------------

TEST(ElasticNet, AllZeroAndOrthogonalPointsHaveNoRepresentation) {
  EXPECT_EQ(elastic_net(Matrix::Zero(3, 5)).coefficients.nonZeros(), 0);
  const SelfExpression orthogonal = elastic_net(Matrix::Identity(4, 4));
  EXPECT_EQ(orthogonal.coefficients.nonZeros(), 0);
  EXPECT_EQ(num_unconverged(orthogonal.solves), 0);
}

TEST(ElasticNet, StopsHonestlyAtTheRoundLimit) {
  const Matrix X = unit(random_matrix(40, 300, 11));
  const ElasticNetOptions options{.tau = 0.5, .gamma = 1000, .max_rounds = 1};
  const SelfExpression result = elastic_net(X, options);
  EXPECT_GT(num_unconverged(result.solves), 0);
  EXPECT_NEAR(max_residual(result.solves), largest_violation(X, result, options), 1e-7);
  for (const SolveInfo& info : result.solves) {
    EXPECT_TRUE(info.converged() || info.termination == Termination::kIterationLimit);
  }
}

TEST(ElasticNet, RefusesOptionsOutOfRangeAndBadData) {
  const Matrix X = unit(random_matrix(3, 4, 12));
  const auto refusal = [&](const ElasticNetOptions& options) {
    return testing::message_of<InvalidArgument>([&] { elastic_net(X, options); });
  };
  EXPECT_EQ(refusal({.tau = 1.3}), "elastic_net: tau = 1.3, must satisfy 0 < tau <= 1");
  EXPECT_EQ(refusal({.tau = 0.0}), "elastic_net: tau = 0, must satisfy 0 < tau <= 1");
  EXPECT_EQ(refusal({.gamma = -1}), "elastic_net: gamma = -1, must satisfy gamma > 0");
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_THROW(elastic_net(broken), DataError);
  EXPECT_THROW(elastic_net(Matrix(3, 0)), DataError);
}

TEST(ElasticNet, RefusesToStreamWithoutMemoryForTheWorkspaces) {
  const Matrix X = unit(random_matrix(10, 300, 15));
  // One thread: 64 points with 300 correlations, 300 marks, a residual of length 10, and Gram
  // matrix and factor of 15 candidates each.
  constexpr std::int64_t kWorkspace = 64 * (300 * 8 + 300 + 10 * 8 + 2 * 15 * 15 * 8);
  constexpr std::int64_t kData = 300 * 10 * 8;
  const auto solve = [&](int threads, std::int64_t memory) {
    return elastic_net(X, {}, {.num_threads = threads, .max_memory = memory});
  };
  EXPECT_EQ(testing::message_of<ResourceError>([&] { solve(1, 1); }),
            "elastic_net: needs about 0.000432 GB of memory, 1e-09 GB allowed; use fewer threads "
            "or give fewer samples");
  EXPECT_THROW(solve(1, kData + kWorkspace - 1), ResourceError);
  EXPECT_NO_THROW(solve(1, kData + kWorkspace));
  EXPECT_THROW(solve(4, kData + kWorkspace), ResourceError) << "every thread has its own";
}

TEST(ElasticNet, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(elastic_net(unit(random_matrix(5, 100, 13)), {}, {.cancel = &cancel}), Cancelled);
}

/// The first tile has nothing to do and ends first; the one beside it, with supports of hundreds of
/// points, must not be finished once that has been told.
TEST(ElasticNet, IsCancelledInTheMiddleOfATile) {
  constexpr Index kIdle = 16;  // points of a tile
  constexpr Index kBusy = 1500;
  constexpr Index kDimension = 300;
  Matrix X = Matrix::Zero(kIdle + kDimension, kIdle + kBusy);
  X.topLeftCorner(kIdle, kIdle).setIdentity();
  X.bottomRightCorner(kDimension, kBusy) = unit(random_matrix(kDimension, kBusy, 16));
  CancelToken cancel;
  int tiles = 0;
  const auto stop = [&](const ProgressEvent&) {
    ++tiles;
    cancel.request();
  };
  EXPECT_THROW(elastic_net(X, {.tau = 0.1, .gamma = 1000},
                           {.num_threads = 2, .progress = stop, .cancel = &cancel}),
               Cancelled);
  EXPECT_EQ(tiles, 1);
}

TEST(ElasticNet, LeavesItsInputAlone) {
  const Matrix X = unit(random_matrix(5, 30, 14));
  const Matrix before = X;
  elastic_net(X);
  EXPECT_EQ(X, before);
}

}  // namespace
}  // namespace subspace
