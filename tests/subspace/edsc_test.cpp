// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/self_expression/edsc.h>
#include <subspace/self_expression/lsr.h>

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

// ---- optimality and two ways to one answer

TEST(Edsc, IsRidgeRegressionWithTheInverseWeight) {
  EXPECT_TRUE(rc::check([] {
    const Matrix X = random_matrix(*rc::gen::inRange(1, 30), *rc::gen::inRange(1, 40),
                                   *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const double lambda = *rc::gen::element(0.01, 1.0, 100.0, 1e4);
    const Matrix C = edsc(X, {.lambda = lambda}).coefficients;
    const LsrOptions same{.lambda = 1.0 / lambda, .variant = LsrVariant::kLsr2};
    RC_ASSERT(largest(C - lsr(X, same).coefficients) <= 1e-10);
    // (I + lambda X'X) C = lambda X'X, from the paper.
    const Matrix G = X.transpose() * X;
    RC_ASSERT(largest(C / lambda + G * C - G) <= 1e-11 * std::max(1.0, largest(G)));
  }));
}

TEST(Edsc, AffineColumnsSumToOneAndSatisfyTheConditionsWithAMultiplier) {
  EXPECT_TRUE(rc::check([] {
    const Index points = *rc::gen::inRange(1, 40);
    Matrix X = random_matrix(*rc::gen::inRange(1, 30), points,
                             *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    X.array() += *rc::gen::element(0.0, 3.0);
    const double lambda = *rc::gen::element(0.01, 1.0, 100.0);
    const DenseSelfExpression result = edsc(X, {.lambda = lambda, .affine = true});
    const Matrix& C = result.coefficients;
    RC_ASSERT(num_unconverged(result.solves) == 0);
    RC_ASSERT((C.colwise().sum().array() - 1.0).abs().maxCoeff() <= 1e-13);
    // C - lambda X'(X - X C) = 1 nu'.
    const Matrix gradient = C - lambda * (X.transpose() * (X - X * C));
    const double size = 1.0 + lambda * X.colwise().squaredNorm().maxCoeff();
    RC_ASSERT(largest(gradient.rowwise() - gradient.colwise().mean()) <= 1e-11 * size);
  }));
}

/// By the way of the paper: C = I + V P with an explicit basis V of the null space of 1'.
TEST(Edsc, AffineEqualsTheNullSpaceForm) {
  const Index n = 20;
  const Matrix X = random_matrix(6, n, 1).array() + 2.0;
  const double lambda = 5.0;
  const Matrix Q = Eigen::HouseholderQR<Matrix>(Matrix::Ones(n, 1)).householderQ();
  const Matrix V = Q.rightCols(n - 1);
  const Matrix XV = X * V;
  const Matrix system = V.transpose() * V + lambda * XV.transpose() * XV;
  const Matrix C = Matrix::Identity(n, n) - V * system.ldlt().solve(Matrix(V.transpose()));
  EXPECT_LE(largest(edsc(X, {.lambda = lambda, .affine = true}).coefficients - C), 1e-12);
}

TEST(Edsc, DoesNotSeeATranslationWhenAffine) {
  const Matrix X = random_matrix(5, 24, 2);
  const Matrix moved = X.colwise() + random_matrix(5, 1, 3).col(0);
  const EdscOptions options{.lambda = 10, .affine = true};
  EXPECT_LE(largest(edsc(X, options).coefficients - edsc(moved, options).coefficients), 1e-12);
}

TEST(EdscPath, EqualsTheDirectSolveAtEveryWeight) {
  for (const Index dimension : {5, 60}) {
    const Matrix X = random_matrix(dimension, 30, 4);
    for (const bool affine : {false, true}) {
      const EdscPath path = edsc_path(X, {.affine = affine});
      for (const double lambda : {1e-3, 0.1, 1.0, 100.0, 1e6}) {
        const DenseSelfExpression direct = edsc(X, {.lambda = lambda, .affine = affine});
        const DenseSelfExpression found = path.at(lambda);
        EXPECT_LE(largest(found.coefficients - direct.coefficients), 1e-9) << lambda;
        EXPECT_EQ(num_unconverged(found.solves), 0);
      }
    }
  }
}

// ---- outliers

/// Points of two planes, a twentieth of the entries replaced.
Matrix corrupted() {
  Matrix X = union_of_subspaces(100, 2, 2, 20, 0.0, 5).points;
  X /= largest(X);
  RandomStream random = stream(6, Stream::kTest);
  for (double& entry : X.reshaped()) {
    if (random.below(20) == 0) entry += 0.8;
  }
  return X;
}

/// The share of the weight off the diagonal that lies between groups.
double weight_between(const Matrix& C, Index group) {
  double between = 0.0;
  for (Index j = 0; j < C.cols(); ++j) {
    for (Index i = 0; i < C.rows(); ++i) {
      if (i / group != j / group) between += std::abs(C(i, j));
    }
  }
  return between / (C.cwiseAbs().sum() - C.diagonal().cwiseAbs().sum());
}

TEST(Edsc, SeparatesSubspacesInSpiteOfGrossErrors) {
  const Matrix X = corrupted();
  const EdscOptions options{
      .outliers = true, .fit_weight = 1.0, .outlier_weight = 0.03, .growth = 1.02};
  const DenseSelfExpression robust = edsc(X, options);
  EXPECT_EQ(num_unconverged(robust.solves), 0);
  EXPECT_LE(robust.solves.front().residual, kEdscStationary)
      << "slow growth ends at a stationary point";
  EXPECT_LE(robust.solves.front().stopping_error, kEdscConstraintTolerance);
  EXPECT_LE(weight_between(robust.coefficients, 20), 0.05);
  EXPECT_GE(weight_between(edsc(X).coefficients, 20), 0.2);
}

/// The released program in dense algebra, D, C and E in turn: what is needed to ask for its
/// optimality from outside.
struct PlainOutlierModel {
  Matrix C = {};
  Matrix D = {};
  Matrix E = {};
  Matrix Y = {};
  int iterations = 0;

  Matrix gap() const { return D - D * C; }
  /// The largest violation of D = D C, C = D'Y and l1 (X - D - E) = Y (I - C)', over l1.
  double violation(const Matrix& X, double l1) const {
    const Matrix pull = Y - Y * C.transpose();
    return std::max(
        {largest(gap()), largest(C - D.transpose() * Y), largest(X - D - E - pull / l1)});
  }
};

PlainOutlierModel plain_outlier_model(const Matrix& X, const EdscOptions& options) {
  const Index n = X.cols();
  const Matrix I = Matrix::Identity(n, n);
  const double l1 = options.fit_weight;
  const double threshold = options.outlier_weight / l1;
  const Matrix zero = Matrix::Zero(X.rows(), n);
  PlainOutlierModel m{.C = Matrix::Zero(n, n), .D = zero, .E = zero, .Y = zero};
  for (double rho = 1e-6; m.iterations < options.max_iterations;) {
    const Matrix B = I - m.C;
    const Matrix right = l1 * (X - m.E) - m.Y * B.transpose();
    m.D = (l1 * I + rho * B * B.transpose()).llt().solve(right.transpose()).transpose();
    const Matrix moment = m.D.transpose() * m.D;
    m.C = (I + rho * moment).llt().solve(m.D.transpose() * m.Y + rho * moment);
    const Matrix rest = X - m.D;
    m.E = (rest.array() - threshold).max(0.0) + (rest.array() + threshold).min(0.0);
    m.Y += rho * m.gap();
    rho = std::min(options.growth * rho, 1e10);
    ++m.iterations;
    if (largest(m.gap()) <= 1e-8) break;
  }
  return m;
}

/// Weights are those of points whose largest entry is between 1/2 and 1: then nothing is scaled.
TEST(Edsc, OutlierModelIsThePlainIterationAndItsCertificateThatOfTheAnswer) {
  const Matrix tall = corrupted() / 2.0;
  const Matrix wide = tall.topRows(12);
  constexpr double kSame = 1e-6;  // rounding grows with the penalty
  for (const Matrix& X : {tall, wide}) {
    ASSERT_GE(largest(X), 0.5);
    ASSERT_LT(largest(X), 1.0);
    EdscOptions published{.outliers = true, .fit_weight = 10.0, .outlier_weight = 0.3};
    EdscOptions stopped = published, slow = published;
    stopped.max_iterations = 7;
    slow.growth = 1.5;
    // Of the stopped one D = D C is missed by most, of the others the condition on D.
    const EdscOptions fast{.outliers = true, .growth = 10.0};
    for (const EdscOptions& options : {published, stopped, slow, fast}) {
      const PlainOutlierModel plain = plain_outlier_model(X, options);
      const DenseSelfExpression result = edsc(X, options);
      const SolveInfo& info = result.solves.front();
      EXPECT_EQ(info.iterations, plain.iterations);
      EXPECT_LE(largest(result.coefficients - plain.C), kSame) << X.rows();
      const double gap = largest(plain.gap());
      EXPECT_NEAR(info.stopping_error, gap, 1e-3 * gap + 1e-12);
      const double violation = plain.violation(X, options.fit_weight);
      EXPECT_NEAR(info.residual, violation, 1e-3 * violation + 1e-12);
    }
  }
}

/// Without gross errors and with a heavy fit D = X remains, and D = D C has the least-norm solution
/// V V'.
TEST(Edsc, OutlierModelOfCleanPointsIsTheShapeInteractionMatrix) {
  const Matrix X = union_of_subspaces(12, 2, 2, 20, 0.0, 7).points;
  const DenseSelfExpression result =
      edsc(X, {.outliers = true, .fit_weight = 1e6, .outlier_weight = 1e6});
  EXPECT_TRUE(result.solves.front().converged());
  const Matrix V =
      Eigen::SelfAdjointEigenSolver<Matrix>(X.transpose() * X).eigenvectors().rightCols(4);
  EXPECT_LE(largest(result.coefficients - V * V.transpose()), 1e-4);
}

TEST(Edsc, OutlierModelIsConvergedWhereItsConstraintHolds) {
  const Matrix X = corrupted();
  for (const int rounds : {2, 8, 1000}) {
    const SolveInfo info = edsc(X, {.outliers = true, .max_iterations = rounds}).solves.front();
    EXPECT_EQ(info.converged(), info.stopping_error <= kEdscConstraintTolerance) << rounds;
    EXPECT_EQ(info.converged(), rounds == 1000);
  }
}

// ---- threads, known worlds

TEST(Edsc, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = random_matrix(20, 150, 8);
  for (const EdscOptions& options :
       {EdscOptions{}, EdscOptions{.affine = true}, EdscOptions{.outliers = true}}) {
    const Matrix one = edsc(X, options, {.num_threads = 1}).coefficients;
    for (const int threads : {2, 4}) {
      EXPECT_EQ(edsc(X, options, {.num_threads = threads}).coefficients, one);
    }
  }
}

TEST(Edsc, UsesOnlyItsOwnSubspaceWithoutNoise) {
  const Matrix X = union_of_subspaces(15, 3, 4, 12, 0.0, 9).points;
  EXPECT_LE(weight_between(edsc(X, {.lambda = 1e9}).coefficients, 12), 1e-6);
}

// ---- edges and refusals

TEST(Edsc, SurvivesDegeneratePoints) {
  for (const auto& [name, X] : degenerate_cases()) {
    for (const bool affine : {false, true}) {
      for (const double lambda : {1e-300, 100.0, 1e300}) {
        const EdscOptions options{.lambda = lambda, .affine = affine};
        for (const DenseSelfExpression& result :
             {edsc(X, options), edsc_path(X, options).at(lambda)}) {
          EXPECT_TRUE(result.coefficients.allFinite()) << name << ", lambda " << lambda;
          EXPECT_EQ(num_unconverged(result.solves), 0)
              << name << ", lambda " << lambda << ": " << result.solves[0].residual;
        }
      }
    }
    const DenseSelfExpression robust = edsc(X, {.outliers = true, .max_iterations = 60});
    EXPECT_TRUE(robust.coefficients.allFinite()) << name;
    EXPECT_TRUE(std::isfinite(robust.solves.front().residual)) << name;
  }
}

TEST(Edsc, RefusesWhatItCannotDo) {
  const Matrix X = random_matrix(3, 4, 10);
  const auto refusal = [&](const EdscOptions& options) {
    return testing::message_of<InvalidArgument>([&] { edsc(X, options); });
  };
  EXPECT_EQ(refusal({.lambda = -1}), "edsc: lambda = -1, must satisfy lambda > 0");
  EXPECT_EQ(refusal({.fit_weight = 0}), "edsc: fit_weight = 0, must satisfy fit_weight > 0");
  EXPECT_EQ(refusal({.growth = 1}), "edsc: growth = 1, must satisfy 1 < growth <= 10");
  EXPECT_EQ(refusal({.affine = true, .outliers = true}),
            "edsc: affine = true and outliers = true, one of them must be false: the outlier model "
            "is linear");
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { edsc_path(X, {.outliers = true}); }),
            "edsc_path: outliers, their model has no closed form; use edsc");
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { edsc_path(X).at(0.0); }),
            "edsc_path: lambda = 0, must satisfy lambda > 0");
  EXPECT_THROW(edsc(Matrix(3, 0)), DataError);
  for (const bool outliers : {false, true}) {
    EXPECT_THROW(edsc(X, {.outliers = outliers}, {.max_memory = 10}), ResourceError);
    CancelToken cancel;
    cancel.request();
    EXPECT_THROW(edsc(X, {.outliers = outliers}, {.cancel = &cancel}), Cancelled);
  }
}

}  // namespace
}  // namespace subspace
