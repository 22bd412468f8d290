// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/lrr.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ridge.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::degenerate_cases;
using testing::random_matrix;
using testing::union_of_subspaces;

double largest(const Matrix& A) { return A.cwiseAbs().maxCoeff(); }

/// One kind of decomposition for all uses, for each takes the compiler long.
Eigen::JacobiSVD<Matrix> svd_of(const Matrix& A) {
  return Eigen::JacobiSVD<Matrix>(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
}

double objective(const Matrix& X, const Matrix& C, double lambda) {
  return svd_of(C).singularValues().sum() + lambda * (X - X * C).colwise().norm().sum();
}

Matrix thresholded(const Matrix& T, double tau) {
  const Eigen::JacobiSVD<Matrix> svd = svd_of(T);
  const Vector values = (svd.singularValues().array() - tau).max(0.0);
  return svd.matrixU() * values.asDiagonal() * svd.matrixV().transpose();
}

/// The iteration of the paper in the coordinates of the data, with a penalty that does not grow
/// past where the method converges. Returns J.
Matrix reference(const Matrix& X, double lambda, int iterations) {
  const Index n = X.cols();
  const double mu = 1.0;
  Matrix J = Matrix::Zero(n, n), E = Matrix::Zero(X.rows(), n), Y1 = E, Y2 = J;
  const Eigen::LDLT<Matrix> system(X.transpose() * X + Matrix::Identity(n, n));
  for (int k = 0; k < iterations; ++k) {
    const Matrix Z = system.solve(X.transpose() * (X - E) + J + (X.transpose() * Y1 - Y2) / mu);
    E = X - X * Z + Y1 / mu;
    for (auto column : E.colwise()) {
      const double length = column.norm();
      column *= length > lambda / mu ? 1.0 - lambda / (mu * length) : 0.0;
    }
    J = thresholded(Z + Y2 / mu, 1.0 / mu);
    Y1 += mu * (X - X * Z - E);
    Y2 += mu * (Z - J);
  }
  return J;
}

// ---- optimality and two ways to one answer

TEST(Lrr, ReachesTheObjectiveOfALongRunOfThePlainIteration) {
  const Matrix X = union_of_subspaces(10, 2, 3, 8, 0.05, 1).points;
  for (const double lambda : {0.1, 0.4, 2.0}) {
    const DenseSelfExpression result = lrr(X, {.lambda = lambda, .tolerance = 1e-8});
    ASSERT_EQ(result.solves.size(), 1U);
    EXPECT_TRUE(result.solves.front().converged()) << lambda;
    EXPECT_LE(result.solves.front().residual, 1e-8);
    const double best = objective(X, reference(X, lambda, 3000), lambda);
    EXPECT_NEAR(objective(X, result.coefficients, lambda), best, 2e-7 * best) << lambda;
  }
}

/// A lower bound of the minimum that owes nothing to the solver. Every Y with |X'Y|_2 <= 1 and
/// |y_j| <= lambda has <Y, X> below |C|_* + lambda |X - X C|_{2,1} for all C; where no error e_j is
/// zero the optimal one is y_j = lambda e_j / |e_j|.
double bound_by_the_errors(const Matrix& X, const Matrix& C, double lambda) {
  Matrix Y = X - X * C;
  for (auto column : Y.colwise()) column *= lambda / column.norm();
  return (Y.cwiseProduct(X)).sum() / std::max(1.0, svd_of(X.transpose() * Y).singularValues()(0));
}

TEST(Lrr, MeetsALowerBoundMadeOfItsErrors) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix X = union_of_subspaces(12, 2, 3, 9, 0.2, seed).points;
    for (const double lambda : {0.15, 0.3}) {
      const Matrix C = lrr(X, {.lambda = lambda, .tolerance = 1e-10}).coefficients;
      ASSERT_GT((X - X * C).colwise().norm().minCoeff(), 1e-3) << "the bound needs errors";
      const double found = objective(X, C, lambda);
      EXPECT_NEAR(bound_by_the_errors(X, C, lambda), found, 1e-3 * found) << seed << " " << lambda;
      EXPECT_LE(bound_by_the_errors(X, C, lambda), found * (1 + 1e-12));
    }
  }
}

/// The duality gap is a proof; were it one of another problem, some change would gain more.
TEST(Lrr, IsWithinItsResidualOfTheMinimum) {
  EXPECT_TRUE(rc::check("gap bounds what random changes can gain", [] {
    const Matrix X = random_matrix(*rc::gen::inRange(1, 10), *rc::gen::inRange(2, 16),
                                   *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const double lambda = *rc::gen::element(0.05, 0.3, 1.0, 10.0);
    const DenseSelfExpression result = lrr(X, {.lambda = lambda});
    const SolveInfo& info = result.solves.front();
    RC_ASSERT(info.converged());
    RC_ASSERT(info.residual <= 1e-6);
    RC_ASSERT(info.residual >= -1e-12);
    const double found = objective(X, result.coefficients, lambda);
    for (const double size : {1e-3, 1e-1}) {
      const Matrix change = size * random_matrix(X.cols(), X.cols(), 99);
      RC_ASSERT(objective(X, result.coefficients + change, lambda) >= (1 - 1.1e-6) * found);
    }
    RC_ASSERT(objective(X, 0.999 * result.coefficients, lambda) >= (1 - 1.1e-6) * found);
    RC_ASSERT(objective(X, Matrix::Zero(X.cols(), X.cols()), lambda) >= (1 - 1.1e-6) * found);
  }));
}

TEST(Lrr, PublishedScheduleStopsNearTheOptimumAndSaysHowNear) {
  const Matrix X = union_of_subspaces(10, 2, 3, 8, 0.05, 2).points;
  const double lambda = 0.4;
  const DenseSelfExpression exact = lrr(X, {.lambda = lambda});
  const DenseSelfExpression published =
      lrr(X, {.lambda = lambda, .schedule = LrrSchedule::kPublished});
  EXPECT_TRUE(published.solves.front().converged());
  const double best = objective(X, exact.coefficients, lambda);
  const double reached = objective(X, published.coefficients, lambda);
  EXPECT_GE(reached, best * (1 - 1e-6));
  EXPECT_LE(reached, best / (1 - published.solves.front().residual) * (1 + 1e-9));
  EXPECT_LE(largest(exact.coefficients - published.coefficients), 0.05);
  EXPECT_LE(published.solves.front().stopping_error, kLrrConstraintTolerance);
  EXPECT_TRUE(std::isnan(exact.solves.front().stopping_error)) << "its gap decides";
}

struct Released {
  Matrix J = {};
  Matrix Y1 = {};
  int iterations = 0;
  double error = 0.0;
};

/// The iteration of the released code with dense steps. It stops by the largest entry of its two
/// constraints, ours by their largest column, which is the same in every basis.
Released released_iteration(const Matrix& X, double lambda, int most) {
  const Index n = X.cols();
  Matrix Z = Matrix::Zero(n, n), E = Matrix::Zero(X.rows(), n), Y2 = Z;
  Released r{.J = Z, .Y1 = E};
  const Eigen::LDLT<Matrix> system(X.transpose() * X + Matrix::Identity(n, n));
  for (double mu = 1e-6; r.iterations < most; mu = std::min(1.1 * mu, 1e10)) {
    r.J = thresholded(Z + Y2 / mu, 1.0 / mu);
    Z = system.solve(X.transpose() * (X - E) + r.J + (X.transpose() * r.Y1 - Y2) / mu);
    E = X - X * Z + r.Y1 / mu;
    for (auto column : E.colwise()) {
      const double length = column.norm();
      column *= length > lambda / mu ? 1.0 - lambda / (mu * length) : 0.0;
    }
    const Matrix fit = X - X * Z - E;
    r.error = std::max(fit.colwise().norm().maxCoeff(), (Z - r.J).colwise().norm().maxCoeff());
    ++r.iterations;
    r.Y1 += mu * fit;
    Y2 += mu * (Z - r.J);
    if (r.error <= 1e-8) break;
  }
  return r;
}

/// The duality gap of C and the multiplier Y, made feasible, over the objective.
double relative_gap(const Matrix& X, const Matrix& C, const Matrix& Y, double lambda) {
  const double excess = std::max(
      {1.0, svd_of(X.transpose() * Y).singularValues()(0), Y.colwise().norm().maxCoeff() / lambda});
  return 1.0 - Y.cwiseProduct(X).sum() / excess / objective(X, C, lambda);
}

/// Of points whose largest entry is between 1/2 and 1, which are not scaled.
TEST(Lrr, PublishedScheduleIsTheReleasedIteration) {
  Matrix X = union_of_subspaces(10, 2, 3, 8, 0.05, 2).points;
  X *= 0.8 / largest(X);
  for (const double lambda : {0.4, 1.0, 2.0}) {
    for (const int most : {150, 1000}) {
      const Released expected = released_iteration(X, lambda, most);
      const DenseSelfExpression result =
          lrr(X, {.lambda = lambda, .schedule = LrrSchedule::kPublished, .max_iterations = most});
      const SolveInfo& info = result.solves.front();
      EXPECT_EQ(info.iterations, expected.iterations);
      EXPECT_LE(largest(result.coefficients - expected.J), 1e-8) << lambda;
      EXPECT_NEAR(info.stopping_error, expected.error, 1e-9 + 1e-6 * expected.error);
      EXPECT_NEAR(info.residual, relative_gap(X, expected.J, expected.Y1, lambda), 1e-7);
    }
  }
}

TEST(Lrr, PublishedScheduleIsConvergedWhereItsConstraintsHold) {
  const Matrix X = union_of_subspaces(10, 2, 3, 8, 0.05, 2).points;
  for (const int rounds : {20, 100, 1000}) {
    const LrrOptions options{.schedule = LrrSchedule::kPublished, .max_iterations = rounds};
    const SolveInfo info = lrr(X, options).solves.front();
    EXPECT_EQ(info.converged(), info.stopping_error <= kLrrConstraintTolerance) << rounds;
    EXPECT_EQ(info.converged(), rounds == 1000);
  }
}

/// At tolerances near rounding the iteration and the certificate may see different gaps.
TEST(Lrr, IsConvergedExactlyWhereTheGapOfItsAnswerIsWithinTheTolerance) {
  int stalled = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = random_matrix(6, 12, seed);
    for (const double tolerance : {1e-6, 1e-12, 1e-15, 1e-16}) {
      const SolveInfo info = lrr(X, {.lambda = 0.3, .tolerance = tolerance}).solves.front();
      EXPECT_EQ(info.converged(), info.residual <= tolerance) << seed << ", " << tolerance;
      if (info.termination == Termination::kStalled) ++stalled;
      if (tolerance >= 1e-6) {
        EXPECT_TRUE(info.converged()) << seed;
      }
    }
  }
  EXPECT_GT(stalled, 0) << "no such case was met";
}

TEST(Lrr, KnowsWhenNoErrorPays) {
  const Matrix X = random_matrix(4, 12, 15);
  const double lambda = 1e4;
  const DenseSelfExpression result = lrr(X, {.lambda = lambda});
  EXPECT_TRUE(result.solves.front().converged());
  EXPECT_LE(largest(result.coefficients - lrr(X, {.noise_free = true}).coefficients), 1e-13);
  EXPECT_NEAR(objective(X, result.coefficients, lambda), 4.0, 1e-8);
  // The multiplier U diag(1/s) V' has the dual objective 4; no C gets below it.
  const double gap = (objective(X, result.coefficients, lambda) - 4.0) / 4.0;
  EXPECT_NEAR(result.solves.front().residual, gap, 1e-10);
  const double misfit = largest(X - X * result.coefficients) / largest(X);
  EXPECT_NEAR(result.solves.front().stopping_error, misfit, 1e-14);
  EXPECT_LE(objective(X, result.coefficients, lambda),
            objective(X, reference(X, lambda, 2000), lambda) + 1e-8);
}

/// By Cauchy-Schwarz |X'Y|_2 <= |X|_2 sqrt(N) lambda for every |y_j| <= lambda.
TEST(Lrr, IsZeroAtTheRuleOfTheReleasedCode) {
  const Matrix X = union_of_subspaces(10, 2, 3, 8, 0.05, 3).points;
  const DenseSelfExpression result = lrr(X, {.lambda = 0.0});
  EXPECT_TRUE(result.solves.front().converged());
  EXPECT_EQ(largest(result.coefficients), 0.0);
  const double lambda = 1.0 / (std::sqrt(24.0) * svd_of(X).singularValues()(0));
  EXPECT_GE(objective(X, reference(X, lambda, 1000), lambda),
            objective(X, result.coefficients, lambda) * (1 - 1e-9));
}

/// Enough rows for the subspace iteration, and a rank that grows and shrinks on the way.
TEST(Lrr, SolvesLargerProblemsByPartsOfTheSpectrum) {
  const Matrix X = union_of_subspaces(150, 3, 4, 60, 0.02, 4).points;
  const double lambda = 0.1;
  const DenseSelfExpression result = lrr(X, {.lambda = lambda, .tolerance = 1e-9});
  EXPECT_TRUE(result.solves.front().converged());
  const double found = objective(X, result.coefficients, lambda);
  EXPECT_NEAR(bound_by_the_errors(X, result.coefficients, lambda), found, 1e-3 * found);
}

// ---- known worlds

TEST(Lrr, NoiseFreeIsTheShapeInteractionMatrix) {
  const auto world = union_of_subspaces(15, 3, 4, 12, 0.0, 5);
  const Matrix& X = world.points;
  const DenseSelfExpression result = lrr(X, {.noise_free = true});
  EXPECT_TRUE(result.solves.front().converged());
  const Matrix V = svd_of(X).matrixV().leftCols(12);
  EXPECT_LE(largest(result.coefficients - V * V.transpose()), 1e-12);
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.cols(); ++i) {
      if (i / 12 != j / 12) {
        EXPECT_LE(std::abs(result.coefficients(i, j)), 1e-12);
      }
    }
  }
}

TEST(Lrr, TendsToTheNoiseFreeFormForLargeWeights) {
  const Matrix X = union_of_subspaces(15, 2, 3, 10, 0.0, 6).points;
  const Matrix exact = lrr(X, {.noise_free = true}).coefficients;
  for (const LrrSchedule schedule : {LrrSchedule::kBalanced, LrrSchedule::kPublished}) {
    const DenseSelfExpression result =
        lrr(X, {.lambda = 100.0, .schedule = schedule, .tolerance = 1e-9});
    EXPECT_TRUE(result.solves.front().converged());
    EXPECT_LE(largest(result.coefficients - exact), 1e-6);
  }
}

/// [Liu13]: errors of whole points are found, the clean ones keep the form without noise.
TEST(Lrr, LeavesCorruptedPointsOut) {
  auto world = union_of_subspaces(30, 2, 3, 20, 0.0, 7);
  Matrix& X = world.points;
  X.col(5) += 3.0 * random_matrix(30, 1, 8);
  normalize_columns(X);
  const Matrix C = lrr(X, {.lambda = 0.3}).coefficients;
  const Vector errors = (X - X * C).colwise().norm();
  Index worst = 0;
  errors.maxCoeff(&worst);
  EXPECT_EQ(worst, 5);
}

// ---- invariances

TEST(Lrr, FollowsRotationScaleSignAndOrder) {
  const Matrix X = union_of_subspaces(8, 2, 2, 10, 0.1, 9).points;
  const auto solve = [](const Matrix& points, double lambda) {
    return lrr(points, {.lambda = lambda, .tolerance = 1e-9}).coefficients;
  };
  const Matrix C = solve(X, 0.3);
  constexpr double kSame = 1e-4;  // a gap of 1e-9 leaves its root in C
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(8, 8, 10)).householderQ();
  EXPECT_LE(largest(solve(Q * X, 0.3) - C), kSame);
  for (const double scale : {1e-100, 1e-3, 1e100}) {
    EXPECT_LE(largest(solve(scale * X, 0.3 / scale) - C), kSame) << scale;
  }
  EXPECT_LE(largest(solve(-X, 0.3) - C), kSame);
  EXPECT_LE(largest(Matrix(solve(X.rowwise().reverse(), 0.3).reverse()) - C), kSame);
}

TEST(Lrr, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = union_of_subspaces(80, 3, 3, 50, 0.05, 11).points;
  for (const LrrSchedule schedule : {LrrSchedule::kBalanced, LrrSchedule::kPublished}) {
    const LrrOptions options{.lambda = 0.1, .schedule = schedule, .max_iterations = 170};
    const Matrix one = lrr(X, options, {.num_threads = 1}).coefficients;
    for (const int threads : {2, 4}) {
      EXPECT_EQ(lrr(X, options, {.num_threads = threads}).coefficients, one);
    }
  }
}

// ---- edges and refusals

TEST(Lrr, SurvivesDegeneratePoints) {
  for (const auto& [name, X] : degenerate_cases()) {
    for (const double lambda : {0.0, 1e-300, 0.18, 1e10}) {
      const DenseSelfExpression result = lrr(X, {.lambda = lambda});
      EXPECT_TRUE(result.coefficients.allFinite()) << name << ", lambda " << lambda;
      EXPECT_EQ(num_unconverged(result.solves), 0)
          << name << ", lambda " << lambda << ": " << result.solves[0].residual;
    }
    const DenseSelfExpression published = lrr(X, {.schedule = LrrSchedule::kPublished});
    EXPECT_TRUE(published.coefficients.allFinite()) << name;
    const DenseSelfExpression closed = lrr(X, {.noise_free = true});
    EXPECT_TRUE(closed.coefficients.allFinite()) << name;
    EXPECT_EQ(num_unconverged(closed.solves), 0) << name;
  }
}

TEST(Lrr, StopsHonestlyAtTheIterationLimit) {
  const Matrix X = random_matrix(10, 30, 12);
  const SolveInfo info = lrr(X, {.lambda = 0.1, .max_iterations = 3}).solves.front();
  EXPECT_EQ(info.termination, Termination::kIterationLimit);
  EXPECT_EQ(info.iterations, 3);
  EXPECT_GT(info.residual, 1e-6);
}

TEST(Lrr, RefusesWhatItCannotDo) {
  const Matrix X = random_matrix(3, 4, 13);
  const auto refusal = [&](const LrrOptions& options) {
    return testing::message_of<InvalidArgument>([&] { lrr(X, options); });
  };
  EXPECT_EQ(refusal({.lambda = -1}), "lrr: lambda = -1, must satisfy lambda >= 0");
  EXPECT_EQ(refusal({.tolerance = 0}), "lrr: tolerance = 0, must satisfy tolerance > 0");
  EXPECT_EQ(refusal({.max_iterations = 0}),
            "lrr: max_iterations = 0, must satisfy max_iterations >= 1");
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_THROW(lrr(broken), DataError);
  EXPECT_THROW(lrr(Matrix(3, 0)), DataError);
  EXPECT_THROW(lrr(X, {}, {.max_memory = 10}), ResourceError);
}

TEST(Lrr, IsCancelledBetweenRounds) {
  CancelToken cancel;
  const auto stop = [&](const ProgressEvent& event) {
    if (event.done == 2) cancel.request();
  };
  EXPECT_THROW(
      lrr(random_matrix(10, 30, 14), {.lambda = 0.1}, {.progress = stop, .cancel = &cancel}),
      Cancelled);
}

}  // namespace
}  // namespace subspace
