// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/kssc.h>
#include <subspace/self_expression/ssc.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ssc_oracle.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::outlier_objectives;
using testing::random_matrix;
using testing::ssc_objectives;
using testing::ssc_violation;
using testing::ssc_weight;

Matrix dense(const SelfExpression& result) { return result.coefficients; }

/// A small problem of random shape, some of unit columns, some far from the origin.
Matrix random_points(std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest, 7);
  const Index dimension = 2 + static_cast<Index>(random.below(9));
  const Index points = 6 + static_cast<Index>(random.below(16));
  Matrix X = random_matrix(dimension, points, seed);
  if (seed % 3 == 0) X.array() += 2.0;
  if (seed % 2 == 0) normalize_columns(X);
  return X;
}

constexpr std::uint64_t kProblems = 200;

double relative_gap(double value, double best) { return std::abs(value - best) / std::abs(best); }

/// The largest over the points, each of which is a problem of its own.
double largest_gap(const Vector& values, const Vector& best) {
  double largest = 0.0;
  for (Index j = 0; j < best.size(); ++j) {
    largest = std::max(largest, relative_gap(values(j), best(j)));
  }
  return largest;
}

void expect_agreement(const Matrix& K, double alpha, bool affine, const SelfExpression& exact,
                      const SelfExpression& other, std::uint64_t seed) {
  const double weight = ssc_weight(K, alpha);
  const Vector best = ssc_objectives(K, dense(exact), weight);
  EXPECT_EQ(num_unconverged(other.solves), 0)
      << "seed " << seed << ": " << max_residual(other.solves);
  EXPECT_LE(largest_gap(ssc_objectives(K, dense(other), weight), best), 1e-6) << "seed " << seed;
  EXPECT_NEAR(max_residual(other.solves), ssc_violation(K, dense(other), weight, affine), 1e-7);
}

TEST(SscAgainstOsqp, ThreeSolversReachOneObjective) {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Matrix X = random_points(seed);
    const Matrix G = X.transpose() * X;
    SscOptions options{.alpha = seed % 5 == 0 ? 100.0 : 10.0, .affine = seed % 4 < 2};
    const SelfExpression exact = ssc(X, options);
    for (const SscSolver solver : {SscSolver::kAdmm, SscSolver::kOsqp}) {
      options.solver = solver;
      options.max_iterations = 100000;
      expect_agreement(G, options.alpha, options.affine, exact, ssc(X, options), seed);
    }
  }
}

TEST(SscAgainstOsqp, ThreeSolversReachOneObjectiveOfBothKernels) {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Matrix X = random_points(seed);
    const KernelOptions kernel{.kernel = seed % 4 < 2 ? Kernel::kPolynomial : Kernel::kGaussian,
                               .sigma = 1.5};
    const Matrix K = kernel_matrix(X, kernel);
    KsscOptions options{.alpha = 10.0, .affine = seed % 2 == 0, .kernel = kernel};
    const SelfExpression exact = kssc(X, options);
    for (const SscSolver solver : {SscSolver::kAdmm, SscSolver::kOsqp}) {
      options.solver = solver;
      options.max_iterations = 100000;
      expect_agreement(K, options.alpha, options.affine, exact, kssc(X, options), seed);
    }
  }
}

TEST(SscAgainstOsqp, AKernelFactorIsSolvedLikeItsPoints) {
  const Matrix X = random_matrix(3, 20, 4);
  const KsscOptions options{.kernel_rank = 10, .solver = SscSolver::kOsqp};
  const SelfExpression exact = kssc(X, {.kernel_rank = 10});
  const SelfExpression judged = kssc(X, options);
  EXPECT_EQ(num_unconverged(judged.solves), 0);
  EXPECT_LE((dense(exact) - dense(judged)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(SscAgainstOsqp, WithOutliersThreeSolversReachOneObjective) {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Matrix X = random_points(seed);
    SscOptions options{.alpha = 20.0, .affine = seed % 2 == 0, .outliers = true};
    const double g = options.alpha / X.cwiseAbs().colwise().sum().maxCoeff();
    Matrix products(X.cols() + X.rows(), X.cols());
    products << X.transpose() * X, X / g;
    const double weight = ssc_weight(products, options.alpha);
    const Vector best = outlier_objectives(X, dense(ssc(X, options)), g, weight);
    for (const SscSolver solver : {SscSolver::kAdmm, SscSolver::kOsqp}) {
      options.solver = solver;
      options.max_iterations = 100000;
      const SelfExpression other = ssc(X, options);
      EXPECT_EQ(num_unconverged(other.solves), 0)
          << "seed " << seed << ": " << max_residual(other.solves);
      EXPECT_LE(largest_gap(outlier_objectives(X, dense(other), g, weight), best), 1e-6)
          << "seed " << seed;
      if (!options.affine) continue;
      EXPECT_LE((dense(other).colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-6);
    }
  }
}

TEST(SscAgainstOsqp, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = testing::union_of_subspaces(8, 3, 2, 8, 0.05, 5).points;
  for (const bool outliers : {false, true}) {
    const SscOptions options{.affine = true, .outliers = outliers, .solver = SscSolver::kOsqp};
    const Matrix one = dense(ssc(X, options, {.num_threads = 1}));
    for (const int threads : {2, 4}) {
      EXPECT_EQ(dense(ssc(X, options, {.num_threads = threads})), one);
    }
  }
}

// Copies, zeros and points of one line have many solutions; the objective is still the best.
TEST(SscAgainstOsqp, HasAResultForDegenerateData) {
  Matrix copies = random_matrix(4, 12, 6);
  for (Index j = 1; j < 12; j += 2) copies.col(j) = copies.col(j - 1);
  Matrix zeros = random_matrix(4, 12, 7);
  for (Index j = 0; j < 12; j += 3) zeros.col(j).setZero();
  Matrix uneven = random_matrix(4, 12, 8);
  uneven.leftCols(3) *= 1e-4;
  const Matrix worlds[] = {uneven, Matrix::Zero(3, 5), Matrix::Ones(3, 5), copies,
                           zeros,  1e150 * copies,     1e-150 * zeros,     Matrix::Ones(3, 1)};
  for (const Matrix& X : worlds) {
    for (const bool affine : {false, true}) {
      const SelfExpression result = ssc(X, {.affine = affine, .solver = SscSolver::kOsqp});
      EXPECT_TRUE(dense(result).allFinite());
      EXPECT_EQ(dense(result).diagonal().cwiseAbs().maxCoeff(), 0.0);
      if (X.cols() > 1 || !affine) {
        EXPECT_EQ(num_unconverged(result.solves), 0) << max_residual(result.solves);
      } else {
        EXPECT_EQ(result.solves[0].residual, 1.0);
        EXPECT_FALSE(result.solves[0].converged());
      }
    }
  }
}

TEST(SscAgainstOsqp, StopsWhenCancelledAndRefusesWhatDoesNotFit) {
  const Matrix X = random_matrix(5, 100, 13);
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(ssc(X, {.solver = SscSolver::kOsqp}, {.cancel = &cancel}), Cancelled);
  const Context small{.num_threads = 1, .max_memory = 100000};
  EXPECT_THROW(ssc(X, {.outliers = true, .solver = SscSolver::kOsqp}, small), ResourceError);
  EXPECT_THROW(kssc(X, {.solver = SscSolver::kOsqp}, small), ResourceError);
}

}  // namespace
}  // namespace subspace
