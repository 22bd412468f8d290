// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/lsr.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ridge.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::degenerate_cases;
using testing::random_matrix;
using testing::ridge;
using testing::union_of_subspaces;

constexpr LsrVariant kBoth[] = {LsrVariant::kLsr1, LsrVariant::kLsr2};

/// Column j by a regression of its own: on all points, or on all but itself.
Vector direct_column(const Matrix& X, Index j, const LsrOptions& options) {
  if (options.variant == LsrVariant::kLsr2) return ridge(X, X.col(j), options.lambda);
  Matrix others = X;
  others.col(j).setZero();
  return ridge(others, X.col(j), options.lambda);
}

// ---- two ways to one answer

TEST(Lsr, EqualsOneRegressionAPoint) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 30);
    const Index points = *rc::gen::inRange(1, 40);
    const LsrOptions options{.lambda = *rc::gen::element(1e-3, 0.1, 3.0, 1e4),
                             .variant = *rc::gen::element(kBoth[0], kBoth[1])};
    const Matrix X =
        random_matrix(dimension, points, *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const DenseSelfExpression result = lsr(X, options);
    RC_ASSERT(num_unconverged(result.solves) == 0);
    for (Index j = 0; j < points; ++j) {
      const Vector direct = direct_column(X, j, options);
      RC_ASSERT((result.coefficients.col(j) - direct).cwiseAbs().maxCoeff() <= 1e-9);
    }
  }));
}

TEST(Lsr, DoesNotDependOnTheSideThatIsFactored) {
  // 20 zero rows turn the cheaper side from D x D to N x N and nothing else.
  const Matrix X = random_matrix(12, 20, 1);
  Matrix padded = Matrix::Zero(32, 20);
  padded.topRows(12) = X;
  for (const LsrVariant variant : kBoth) {
    const LsrOptions options{.lambda = 0.05, .variant = variant};
    EXPECT_LE(
        (lsr(X, options).coefficients - lsr(padded, options).coefficients).cwiseAbs().maxCoeff(),
        1e-12);
  }
}

TEST(Lsr, FactorsLargerProblemsInPanels) {
  const Matrix X = random_matrix(500, 410, 2);  // three panels of the factor
  const DenseSelfExpression result = lsr(X, {.lambda = 5.0});
  EXPECT_LE(result.solves.front().residual, 1e-12);
  const Vector direct = direct_column(X, 400, {.lambda = 5.0});
  EXPECT_LE((result.coefficients.col(400) - direct).cwiseAbs().maxCoeff(), 1e-11);
}

// A point with a direction of its own has leverage 1 - lambda: the quotient of the D x D side
// cancels, and the Gram side takes over.
TEST(Lsr, IsExactForTinyPenaltiesAndLonelyPoints) {
  Matrix X = Matrix::Zero(6, 30);
  X.topRows(5) = random_matrix(5, 30, 3);
  X(5, 7) = 1.0;
  for (const double lambda : {1e-6, 1e-9, 1e-12, 1e-20}) {
    const DenseSelfExpression result = lsr(X, {.lambda = lambda});
    EXPECT_EQ(num_unconverged(result.solves), 0) << lambda << ": " << result.solves[0].residual;
  }
}

/// Both sides of X, both variants, also where the penalty is far below or above the data.
TEST(LsrPath, EqualsTheDirectSolveAtEveryWeight) {
  for (const Index dimension : {5, 30, 60}) {
    const Matrix X = random_matrix(dimension, 30, 4);
    for (const LsrVariant variant : kBoth) {
      const LsrPath path = lsr_path(X, {.variant = variant});
      for (const double lambda : {1e-3, 0.1, 1.0, 100.0, 1e6, 1e300}) {
        const DenseSelfExpression direct = lsr(X, {.lambda = lambda, .variant = variant});
        const DenseSelfExpression found = path.at(lambda);
        EXPECT_LE((found.coefficients - direct.coefficients).cwiseAbs().maxCoeff(), 1e-10)
            << dimension << ", lambda " << lambda;
        EXPECT_EQ(num_unconverged(found.solves), 0) << dimension << ", lambda " << lambda;
        if (variant == LsrVariant::kLsr1) {
          EXPECT_EQ(found.coefficients.diagonal().cwiseAbs().maxCoeff(), 0.0);
        }
      }
    }
  }
}

/// Where the quotient of the shared factorisation cancels, the value is solved by itself.
TEST(LsrPath, IsExactForTinyPenaltiesAndLonelyPoints) {
  Matrix X = Matrix::Zero(6, 30);
  X.topRows(5) = random_matrix(5, 30, 3);
  X(5, 7) = 1.0;
  const LsrPath path = lsr_path(X);
  for (const double lambda : {1e-6, 1e-9, 1e-12, 1e-20}) {
    const DenseSelfExpression found = path.at(lambda);
    EXPECT_EQ(num_unconverged(found.solves), 0) << lambda << ": " << found.solves[0].residual;
  }
}

TEST(LsrPath, FollowsTheScaleAndTakesDegenerateData) {
  const Matrix X = random_matrix(8, 25, 5);
  const Matrix C = lsr_path(X).at(0.1).coefficients;
  for (const double scale : {1e-150, 1e-3, 1e150}) {
    const Matrix scaled = lsr_path(scale * X).at(0.1 * scale * scale).coefficients;
    EXPECT_LE((scaled - C).cwiseAbs().maxCoeff(), 1e-11) << scale;
  }
  EXPECT_EQ(lsr_path(Matrix::Zero(4, 6)).at(1e-310).coefficients, Matrix::Zero(6, 6));
  EXPECT_EQ(lsr_path(Matrix::Zero(8, 6)).at(0.1).coefficients, Matrix::Zero(6, 6));
}

TEST(LsrPath, RefusesWeightsOutOfRangeBadDataAndTooLittleMemory) {
  const Matrix X = random_matrix(3, 4, 9);
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { lsr_path(X).at(0.0); }),
            "lsr_path: lambda = 0, must satisfy lambda > 0");
  EXPECT_THROW(lsr_path(Matrix(3, 0)), DataError);
  EXPECT_THROW(lsr_path(X, {}, {.max_memory = 10}), ResourceError);
  const LsrPath path = lsr_path(X);
  EXPECT_THROW(path.at(0.1, {.max_memory = 10}), ResourceError);
}

// ---- certificate

TEST(Lsr, ReportsTheGradientOfItsAnswer) {
  const Matrix X = union_of_subspaces(20, 4, 3, 25, 0.1, 4).points;
  for (const LsrVariant variant : kBoth) {
    const DenseSelfExpression result = lsr(X, {.lambda = 0.2, .variant = variant});
    Matrix gradient = X.transpose() * (X - X * result.coefficients) - 0.2 * result.coefficients;
    if (variant == LsrVariant::kLsr1) {
      gradient.diagonal().setZero();
      EXPECT_EQ(result.coefficients.diagonal().cwiseAbs().maxCoeff(), 0.0);
    }
    const double expected = gradient.cwiseAbs().maxCoeff() / X.colwise().squaredNorm().maxCoeff();
    ASSERT_EQ(result.solves.size(), 1U);
    EXPECT_NEAR(result.solves.front().residual, expected, 1e-14);
    EXPECT_TRUE(result.solves.front().converged());
  }
}

// ---- invariances

TEST(Lsr, FollowsRotationScaleSignAndOrder) {
  const Matrix X = random_matrix(8, 25, 5);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(8, 8, 6)).householderQ();
  for (const LsrVariant variant : kBoth) {
    const auto solve = [&](const Matrix& points, double lambda) {
      return lsr(points, {.lambda = lambda, .variant = variant}).coefficients;
    };
    const Matrix C = solve(X, 0.1);
    EXPECT_LE((solve(Q * X, 0.1) - C).cwiseAbs().maxCoeff(), 1e-11);
    for (const double scale : {1e-150, 1e-3, 1e150}) {
      EXPECT_LE((solve(scale * X, 0.1 * scale * scale) - C).cwiseAbs().maxCoeff(), 1e-11) << scale;
    }
    EXPECT_LE((solve(-X, 0.1) - C).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE((Matrix(solve(X.rowwise().reverse(), 0.1).reverse()) - C).cwiseAbs().maxCoeff(),
              1e-11);
  }
}

TEST(Lsr, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const Index dimension : {50, 400}) {
    const Matrix X = random_matrix(dimension, 300, 7);
    const Matrix one = lsr(X, {}, {.num_threads = 1}).coefficients;
    for (const int threads : {2, 4}) {
      EXPECT_EQ(lsr(X, {}, {.num_threads = threads}).coefficients, one);
    }
  }
}

// ---- known worlds

// [Lu12, theorem 3]: with independent subspaces C vanishes between them as lambda -> 0.
TEST(Lsr, UsesOnlyItsOwnSubspaceWithoutNoise) {
  const auto world = union_of_subspaces(15, 3, 4, 12, 0.0, 8);
  for (const LsrVariant variant : kBoth) {
    const Matrix C = lsr(world.points, {.lambda = 1e-9, .variant = variant}).coefficients;
    for (Index j = 0; j < C.cols(); ++j) {
      for (Index i = 0; i < C.rows(); ++i) {
        if (i / 12 != j / 12) {
          EXPECT_LE(std::abs(C(i, j)), 1e-5);
        }
      }
      EXPECT_GE(C.col(j).norm(), 0.05);
    }
  }
}

// ---- edges and refusals

TEST(Lsr, SurvivesDegeneratePoints) {
  for (const auto& [name, X] : degenerate_cases()) {
    for (const LsrVariant variant : kBoth) {
      for (const double lambda : {1e-300, 1e-3, 1e10}) {
        const DenseSelfExpression result = lsr(X, {.lambda = lambda, .variant = variant});
        EXPECT_TRUE(result.coefficients.allFinite()) << name << ", lambda " << lambda;
        EXPECT_EQ(num_unconverged(result.solves), 0)
            << name << ", lambda " << lambda << ": " << result.solves[0].residual;
      }
    }
  }
  EXPECT_EQ(lsr(Matrix::Zero(4, 6)).coefficients, Matrix::Zero(6, 6));
  EXPECT_EQ(lsr(Matrix::Constant(3, 1, 2.0)).coefficients(0, 0), 0.0);
}

TEST(Lsr, RefusesOptionsOutOfRangeBadDataAndTooLittleMemory) {
  const Matrix X = random_matrix(3, 4, 9);
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { lsr(X, {.lambda = 0.0}); }),
            "lsr: lambda = 0, must satisfy lambda > 0");
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_EQ(testing::message_of<DataError>([&] { lsr(broken); }),
            "lsr: sample 2, feature 1 (counted from 0) is nan; all values must be finite");
  EXPECT_THROW(lsr(Matrix(3, 0)), DataError);
  const std::string refusal = testing::message_of<ResourceError>(
      [&] { lsr(random_matrix(10, 300, 9), {}, {.num_threads = 1, .max_memory = 1000}); });
  EXPECT_EQ(refusal,
            "lsr: needs about 0.00111 GB of memory, 1e-06 GB allowed; its coefficients are dense; "
            "give fewer samples or use ensc, which is sparse");
}

TEST(Lsr, StopsWhenCancelledAndLeavesItsInputAlone) {
  const Matrix X = random_matrix(5, 30, 10);
  const Matrix before = X;
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(lsr(X, {}, {.cancel = &cancel}), Cancelled);
  lsr(X);
  EXPECT_EQ(X, before);
}

}  // namespace
}  // namespace subspace
