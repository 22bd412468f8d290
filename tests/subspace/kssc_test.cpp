// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/kssc.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ssc_oracle.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::random_matrix;
using testing::ssc_violation;
using testing::ssc_weight;
using testing::union_of_subspaces;

Matrix dense(const SelfExpression& result) { return result.coefficients; }
double largest_difference(const Matrix& A, const Matrix& B) {
  return (A - B).cwiseAbs().maxCoeff();
}

/// Entry by entry from the definition.
Matrix plain_kernel(const Matrix& X, Kernel kernel, int degree, double offset, double sigma) {
  Matrix K(X.cols(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.cols(); ++i) {
      K(i, j) = kernel == Kernel::kPolynomial
                    ? std::pow(X.col(i).dot(X.col(j)) + offset, degree)
                    : std::exp(-(X.col(i) - X.col(j)).squaredNorm() / (2 * sigma * sigma));
    }
  }
  return K;
}

TEST(Kernel, IsWhatItsDefinitionSays) {
  const Matrix X = random_matrix(6, 70, 1);
  for (const int degree : {1, 2, 3}) {
    for (const double offset : {0.0, 1.0, 2.2}) {
      const Matrix expected = plain_kernel(X, Kernel::kPolynomial, degree, offset, 1);
      EXPECT_LE(
          largest_difference(kernel_matrix(X, {.degree = degree, .offset = offset}), expected),
          1e-12 * expected.cwiseAbs().maxCoeff());
    }
  }
  Matrix far = X;
  far.array() += 1000.0;
  const KernelOptions gaussian{.kernel = Kernel::kGaussian, .sigma = 1.7};
  const Matrix expected = plain_kernel(X, Kernel::kGaussian, 0, 0, 1.7);
  EXPECT_LE(largest_difference(kernel_matrix(X, gaussian), expected), 1e-12);
  EXPECT_LE(largest_difference(kernel_matrix(far, gaussian), expected), 1e-10);
}

TEST(Kernel, FindsItsWidthFromNormsOrElseFromDistances) {
  Matrix X = random_matrix(6, 50, 2);
  const auto automatic = [&](double scale) {
    return kernel_matrix(X, {.kernel = Kernel::kGaussian, .sigma_scale = scale});
  };
  const Vector norms = X.colwise().norm();
  const double deviation = std::sqrt((norms.array() - norms.mean()).square().mean());
  EXPECT_LE(
      largest_difference(automatic(2.0), plain_kernel(X, Kernel::kGaussian, 0, 0, 2 * deviation)),
      1e-11);
  normalize_columns(X);
  const Vector mean = X.rowwise().mean();
  const double spread = std::sqrt((X.colwise() - mean).colwise().squaredNorm().mean());
  EXPECT_LE(
      largest_difference(automatic(0.5), plain_kernel(X, Kernel::kGaussian, 0, 0, spread / 2)),
      1e-11);
  X.setOnes();
  EXPECT_EQ(automatic(3.0), Matrix::Ones(50, 50));
}

TEST(Kssc, IsOptimalForItsKernelMatrix) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 12);
    const Index points = *rc::gen::inRange(2, 50);
    const bool affine = *rc::gen::arbitrary<bool>();
    const bool gaussian = *rc::gen::arbitrary<bool>();
    const double alpha = *rc::gen::element(1.5, 20.0, 100.0);
    const Matrix X =
        random_matrix(dimension, points, *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const KernelOptions kernel{.kernel = gaussian ? Kernel::kGaussian : Kernel::kPolynomial,
                               .degree = *rc::gen::inRange(1, 4),
                               .offset = *rc::gen::element(0.0, 1.0),
                               .sigma = 2.0};
    const Matrix K = plain_kernel(X, kernel.kernel, kernel.degree, kernel.offset, kernel.sigma);
    const SelfExpression result = kssc(X, {.alpha = alpha, .affine = affine, .kernel = kernel});
    RC_ASSERT(num_unconverged(result.solves) == 0);
    RC_ASSERT(ssc_violation(K, dense(result), ssc_weight(K, alpha), affine) <=
              10 * testing::kOptimality);
  }));
}

TEST(Kssc, WithTheLinearKernelIsSsc) {
  const Matrix X = union_of_subspaces(10, 3, 3, 20, 0.1, 3).points;
  const KernelOptions linear{.degree = 1, .offset = 0.0};
  for (const SscSolver solver : {SscSolver::kActiveSet, SscSolver::kAdmm, SscSolver::kOfficial}) {
    for (const bool affine : {false, true}) {
      const Matrix expected = dense(ssc(X, {.affine = affine, .solver = solver}));
      EXPECT_LE(
          largest_difference(dense(kssc(X, {.affine = affine, .kernel = linear, .solver = solver})),
                             expected),
          solver == SscSolver::kAdmm ? 1e-6 : 1e-9);
      if (solver != SscSolver::kActiveSet) continue;
      EXPECT_LE(
          largest_difference(
              dense(kssc(X, {.affine = affine, .kernel = linear, .kernel_rank = 60})), expected),
          1e-8);
    }
  }
}

TEST(Kssc, OnAFactorOfFullRankIsTheSame) {
  const Matrix X = random_matrix(3, 40, 4);
  for (const KernelOptions& kernel :
       {KernelOptions{.degree = 2, .offset = 1.0},  // of rank 10 in three dimensions
        KernelOptions{.kernel = Kernel::kGaussian, .sigma = 1.0}}) {
    const Matrix expected = dense(kssc(X, {.kernel = kernel}));
    const Matrix factored = dense(kssc(X, {.kernel = kernel, .kernel_rank = 40}));
    EXPECT_LE(largest_difference(factored, expected), 1e-6);
  }
}

TEST(Kssc, DoesNotDependOnScaleWhereTheKernelDoesNot) {
  const Matrix X = random_matrix(4, 30, 5);
  const KernelOptions kernels[] = {{.degree = 2, .offset = 0.0}, {.kernel = Kernel::kGaussian}};
  for (const KernelOptions& kernel : kernels) {
    const Matrix C = dense(kssc(X, {.kernel = kernel}));
    for (const double scale : {1e-150, 3.0, 1e150}) {
      EXPECT_LE(largest_difference(dense(kssc(scale * X, {.kernel = kernel})), C), 1e-8) << scale;
    }
  }
}

/// The squares of a circle of radius r are a circle, too: of radius h = r^2 / sqrt(2) on a plane at
/// height h, at twice the angle. A point at an angle d from both its neighbours is theirs, each
/// times 1 / (1 + cos d), less tan^2(d/2) times the point across, which adds up to
///     |c|_1 = 1 + 2 tan^2(d/2).
/// The solution has no more, and since the heights fit and the sum is one, 1 of it lies on the own
/// circle: at most 2 tan^2(d/2) lie on the other. The fit is not quite exact: half as much again.
TEST(Kssc, SeparatesCirclesByTheirSquares) {
  constexpr Index kOfCircle = 30;
  Matrix X(2, 2 * kOfCircle);
  for (Index j = 0; j < X.cols(); ++j) {
    const double angle = std::numbers::pi * static_cast<double>(j) / kOfCircle;
    const double radius = j < kOfCircle ? 1.0 : 2.0;
    X.col(j) << radius * std::cos(angle), radius * std::sin(angle);
  }
  const KsscOptions options{.alpha = 2000, .affine = true, .kernel = {.degree = 2, .offset = 0.0}};
  const Matrix C = dense(kssc(X, options)).cwiseAbs();
  const double most = 3.0 * std::pow(std::tan(std::numbers::pi / kOfCircle), 2);
  EXPECT_LE(C.bottomLeftCorner(kOfCircle, kOfCircle).colwise().sum().maxCoeff(), most);
  EXPECT_LE(C.topRightCorner(kOfCircle, kOfCircle).colwise().sum().maxCoeff(), most);
}

TEST(Kssc, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = random_matrix(5, 150, 6);
  const KernelOptions gaussian{.kernel = Kernel::kGaussian};
  for (const KsscOptions& options : {KsscOptions{},
                                     {.kernel_rank = 20},
                                     {.kernel = gaussian},
                                     {.kernel = gaussian, .kernel_rank = 20},
                                     {.solver = SscSolver::kOfficial},
                                     {.kernel = gaussian, .solver = SscSolver::kOfficial},
                                     {.solver = SscSolver::kAdmm},
                                     {.kernel = gaussian, .solver = SscSolver::kAdmm}}) {
    const SelfExpression one = kssc(X, options, {.num_threads = 1});
    for (const int threads : {2, 4}) {
      const SelfExpression many = kssc(X, options, {.num_threads = threads});
      ASSERT_EQ(one.coefficients.nonZeros(), many.coefficients.nonZeros());
      const auto bytes = static_cast<std::size_t>(one.coefficients.nonZeros()) * sizeof(double);
      EXPECT_EQ(std::memcmp(one.coefficients.valuePtr(), many.coefficients.valuePtr(), bytes), 0);
    }
  }
}

TEST(Kssc, HasAResultForDegenerateData) {
  for (const Index points : {1, 2, 7, 50}) {
    for (const Index dimension : {1, 5, 100}) {
      Matrix duplicates = random_matrix(dimension, points, 4);
      for (Index j = 1; j < points; j += 2) duplicates.col(j) = duplicates.col(j - 1);
      const Matrix worlds[] = {Matrix::Zero(dimension, points), Matrix::Ones(dimension, points),
                               duplicates, 1e-150 * duplicates, 1e150 * duplicates};
      for (const Matrix& X : worlds) {
        for (int kind = 0; kind < 8; ++kind) {
          const KsscOptions options{
              .affine = kind % 2 == 1,
              .kernel = {.kernel = kind % 4 < 2 ? Kernel::kPolynomial : Kernel::kGaussian},
              .kernel_rank = kind < 4 ? 0 : 10};
          const SelfExpression result = kssc(X, options);
          EXPECT_TRUE(dense(result).allFinite());
          EXPECT_EQ(dense(result).diagonal().cwiseAbs().maxCoeff(), 0.0);
          if (points > 1 || !options.affine) {
            EXPECT_EQ(num_unconverged(result.solves), 0)
                << dimension << " x " << points << ", kind " << kind << ": "
                << max_residual(result.solves);
          }
        }
      }
    }
  }
}

TEST(Kssc, RefusesOptionsOutOfRangeAndWhatDoesNotFit) {
  const Matrix X = random_matrix(3, 40, 7);
  const auto refusal = [&](const KsscOptions& options) {
    return testing::message_of<InvalidArgument>([&] { kssc(X, options); });
  };
  EXPECT_EQ(refusal({.alpha = -1}), "kssc: alpha = -1, must satisfy alpha > 0");
  EXPECT_EQ(refusal({.kernel = {.degree = 0}}),
            "kssc: degree = 0, must satisfy 1 <= degree <= 100");
  EXPECT_EQ(refusal({.kernel = {.offset = -0.5}}), "kssc: offset = -0.5, must satisfy offset >= 0");
#ifndef SUBSPACE_WITH_OSQP
  EXPECT_EQ(refusal({.solver = SscSolver::kOsqp}),
            "kssc: solver = osqp, but this build has no OSQP; use active-set or admm");
#endif
  EXPECT_EQ(refusal({.kernel_rank = -1}), "kssc: kernel_rank = -1, must satisfy kernel_rank >= 0");
  EXPECT_EQ(testing::message_of<DataError>([&] { kernel_matrix(1e150 * X, {.degree = 3}); }),
            "kernel_matrix: the kernel of samples 0 and 0 is inf, must be finite; scale the data");
  EXPECT_EQ(testing::message_of<ResourceError>([&] { kssc(X, {}, {.max_memory = 1000}); }),
            "kssc: needs about 2.66e-05 GB of memory, 1e-06 GB allowed; set kernel_rank");
  EXPECT_THROW(kssc(Matrix(3, 0)), DataError);
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(kssc(X, {}, {.cancel = &cancel}), Cancelled);
  EXPECT_THROW(kssc(X, {.kernel_rank = 5}, {.cancel = &cancel}), Cancelled);
}

/// One long point among short ones; both ways to the kernel must find it.
TEST(Kssc, NamesTheSampleWhoseKernelOverflows) {
  Matrix X = random_matrix(3, 40, 7);
  X.col(11) *= 1e40;
  for (const int rank : {0, 5}) {
    const KsscOptions options{.kernel = {.degree = 100}, .kernel_rank = rank};
    EXPECT_EQ(testing::message_of<DataError>([&] { kssc(X, options); }),
              std::string("kssc: the kernel of samples 11 and ") + (rank == 0 ? "0" : "11") +
                  " is inf, must be finite; scale the data");
  }
}

}  // namespace
}  // namespace subspace
