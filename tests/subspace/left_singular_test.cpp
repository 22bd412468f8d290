// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/left_singular.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <subspace/core/error.h>

#include "affinity/low_rank.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

/// Ranks up to a quarter, 160, are found through the range; the first samples are 136.
constexpr Index kOrder = 640;
constexpr Index kFirstSamples = 136;
constexpr Index kLargestRank = 160;

const Context kOneThread = {.num_threads = 1};

Matrix orthonormal(Index rows, Index columns, std::uint64_t seed) {
  const Eigen::HouseholderQR<Matrix> qr(random_matrix(rows, columns, seed));
  return qr.householderQ() * Matrix::Identity(rows, columns);
}

Matrix with_eigenvalues(const Vector& values, std::uint64_t seed, Index order = kOrder) {
  const Matrix V = orthonormal(order, values.size(), seed);
  const Matrix C = V * values.asDiagonal() * V.transpose();
  return 0.5 * (C + C.transpose());
}

/// 1, 1/2, ... in size: apart from one another, so that every rank cuts between them.
Vector apart(Index count, bool alternating) {
  Vector values(count);
  for (Index k = 0; k < count; ++k) {
    const double sign = alternating && k % 2 == 1 ? -1.0 : 1.0;
    values[k] = sign / static_cast<double>(k + 1);
  }
  return values;
}

AffinityOptions options_with(bool symmetrize, int rank) {
  return {.kind = AffinityKind::kLowRank,
          .dimension = rank > 0 ? rank - 1 : 0,
          .symmetrize = symmetrize,
          .num_clusters = 1};
}

double difference(const SparseMatrix& A, const SparseMatrix& B) {
  return (Matrix(A) - Matrix(B)).cwiseAbs().maxCoeff();
}

/// Both ways to the same affinity, that of the first `rank` pairs, or of all of some size (0).
void expect_both_ways_equal(const Matrix& C, bool symmetric, const std::vector<int>& ranks) {
  const auto by_range = left_singular_by_range(C, symmetric, kOneThread);
  ASSERT_TRUE(by_range.has_value());
  const LeftSingular by_eigen = left_singular_by_eigen(C, symmetric, kOneThread);
  for (const int rank : ranks) {
    const AffinityOptions options = options_with(symmetric, rank);
    EXPECT_LT(difference(singular_affinity(*by_range, options, kOneThread),
                         singular_affinity(by_eigen, options, kOneThread)),
              1e-10)
        << rank;
  }
}

TEST(LeftSingularByRange, FindsThePairsThatTheMatrixWasMadeOf) {
  for (const Index rank :
       {Index{1}, Index{40}, kFirstSamples - 1, kFirstSamples, kFirstSamples + 1, kLargestRank}) {
    for (const bool alternating : {false, true}) {
      const Vector values = apart(rank, alternating);
      const auto found = left_singular_by_range(with_eigenvalues(values, 1), true, kOneThread);
      ASSERT_TRUE(found.has_value()) << rank;
      ASSERT_EQ(found->values.size(), rank);
      EXPECT_LT((found->values - values.cwiseAbs()).cwiseAbs().maxCoeff(), 1e-13);
      const Matrix overlap = found->vectors.transpose() * orthonormal(kOrder, rank, 1);
      EXPECT_LT((overlap.cwiseAbs() - Matrix::Identity(rank, rank)).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(LeftSingularByRange, OfAGeneralMatrixIsItsSingularValueDecomposition) {
  const Index rank = 150;
  const Matrix U = orthonormal(kOrder, rank, 2);
  const Vector values = apart(rank, false);
  const Matrix C = U * values.asDiagonal() * orthonormal(kOrder, rank, 3).transpose();
  const auto found = left_singular_by_range(C, false, kOneThread);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->values.size(), rank);
  EXPECT_LT((found->values - values).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix overlap = found->vectors.transpose() * U;
  EXPECT_LT((overlap.cwiseAbs() - Matrix::Identity(rank, rank)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LeftSingularByRange, GivesTheAffinityOfTheDenseWay) {
  const std::vector<int> ranks = {0, 2, 7, 100};
  expect_both_ways_equal(with_eigenvalues(apart(120, true), 4), true, ranks);
  expect_both_ways_equal(with_eigenvalues(apart(140, false), 5), true, ranks);
  const Matrix C = random_matrix(kOrder, 110, 6) * random_matrix(110, kOrder, 7);
  expect_both_ways_equal(C / C.cwiseAbs().maxCoeff(), false, ranks);
}

/// Vectors of equal values are anybody's choice; their angles are not, unless the cut parts them.
TEST(LeftSingularByRange, OfEqualSingularValuesGivesTheSameAffinity) {
  Vector values(60);
  values << Vector::Constant(20, 1.0), Vector::Constant(20, -0.5), Vector::Constant(20, 0.25);
  expect_both_ways_equal(with_eigenvalues(values, 8), true, {0, 20, 40, 60});
}

/// Values that fall to rounding are a low rank too, though no product of two factors.
TEST(LeftSingularByRange, OfFallingValuesFindsAllAboveRounding) {
  Vector values(kOrder);
  for (Index k = 0; k < kOrder; ++k) values[k] = std::pow(10.0, -static_cast<double>(k) / 9.1);
  expect_both_ways_equal(with_eigenvalues(values, 9), true, {0, 30});
}

/// The closed form of EDSC, rank = number of rows of X, from a well to a badly conditioned system.
/// All pairs: with a small penalty the values crowd at 1, and a cut would pass through them.
TEST(LeftSingularByRange, ServesRidgeCoefficients) {
  const Matrix X = random_matrix(100, kOrder, 10).colwise().normalized();
  for (const double penalty : {1.0, 1e-2, 1e-8}) {
    const Matrix shifted = X * X.transpose() + penalty * Matrix::Identity(100, 100);
    const Matrix C = X.transpose() * shifted.llt().solve(X);
    expect_both_ways_equal(0.5 * (C + C.transpose()), true, {0});
  }
}

TEST(LeftSingularByRange, OfZeroHasNoPairs) {
  const auto found = left_singular_by_range(Matrix::Zero(kOrder, kOrder), true, kOneThread);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->values.size(), 0);
  EXPECT_EQ(singular_affinity(*found, options_with(true, 3), kOneThread).nonZeros(), 0);
}

TEST(LeftSingularByRange, LeavesLargeRanksAndSmallOrdersToTheDenseWay) {
  EXPECT_FALSE(left_singular_by_range(random_matrix(kOrder, kOrder, 11), false, kOneThread));
  for (const bool alternating : {false, true}) {
    EXPECT_FALSE(left_singular_by_range(with_eigenvalues(apart(kLargestRank + 1, alternating), 12),
                                        true, kOneThread));
    EXPECT_FALSE(
        left_singular_by_range(with_eigenvalues(apart(kOrder, alternating), 13), true, kOneThread));
  }
  EXPECT_FALSE(left_singular_by_range(with_eigenvalues(apart(5, true), 14, 500), true, kOneThread));
}

TEST(LeftSingularByRange, IsTheSameOnAnyNumberOfThreads) {
  const Matrix C = with_eigenvalues(apart(150, true), 15);
  const auto one = left_singular_by_range(C, true, {.num_threads = 1});
  ASSERT_TRUE(one.has_value());
  for (const int threads : {2, 4}) {
    const auto more = left_singular_by_range(C, true, {.num_threads = threads});
    ASSERT_TRUE(more.has_value());
    EXPECT_EQ(one->vectors, more->vectors);
    EXPECT_EQ(one->values, more->values);
  }
}

TEST(LeftSingularByRange, CanBeCancelled) {
  CancelToken token;
  token.request();
  EXPECT_THROW(left_singular_by_range(with_eigenvalues(apart(20, true), 16), true,
                                      {.num_threads = 1, .cancel = &token}),
               Cancelled);
}

TEST(LowRankAffinityOfManyPoints, DoesNotDependOnTheScale) {
  const Matrix C = with_eigenvalues(apart(50, true), 17);
  const AffinityOptions options = options_with(true, 20);
  const SparseMatrix W = low_rank_affinity(C, options, kOneThread);
  for (const double scale : {1e-150, 1e150}) {
    EXPECT_LT(difference(low_rank_affinity(scale * C, options, kOneThread), W), 1e-10);
  }
}

TEST(LowRankAffinityOfManyPoints, TakesWholeAndOtherPowersOfTheSameCosines) {
  const Matrix C = with_eigenvalues(apart(50, true), 19);
  AffinityOptions options = options_with(true, 20);
  options.power = 1.0;
  const Matrix cosines(low_rank_affinity(C, options, kOneThread));
  for (const double power : {0.5, 2.0, 2.5, 3.0, 4.0, 8.0, 12.0, 65.0}) {
    options.power = power;
    const Matrix W(low_rank_affinity(C, options, kOneThread));
    EXPECT_EQ(W, Matrix(W.transpose()));
    EXPECT_LT((W - Matrix(cosines.array().pow(power))).cwiseAbs().maxCoeff(), 1e-14) << power;
  }
}

/// DSC's settings of COIL-20; the rank is 12 K + 1.
AffinityOptions dsc_on_coil20(int num_clusters) {
  return {.kind = AffinityKind::kLowRank,
          .keep = 0.04,
          .dimension = 12,
          .power = 8.0,
          .symmetrize = true,
          .unit_diagonal = true,
          .positive = true,
          .num_clusters = num_clusters};
}

/// Pairs with equal values in blocks of `sizes`.
LeftSingular with_blocks(const std::vector<Index>& sizes, std::uint64_t seed) {
  Index count = 0;
  for (const Index size : sizes) count += size;
  LeftSingular singular = {orthonormal(60, count, seed), Vector(count)};
  Index first = 0;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    singular.values.segment(first, sizes[b]).setConstant(1.0 / static_cast<double>(b + 1));
    first += sizes[b];
  }
  return singular;
}

void rotate_block(LeftSingular& singular, Index first, Index size, std::uint64_t seed) {
  singular.vectors.middleCols(first, size) *= orthonormal(size, size, seed);
}

/// Whatever eigenvectors a solver returns, of either sign and any basis of equal eigenvalues, the
/// affinity of DSC is the same: U and s come in as M M' = U s U' alone.
TEST(DscAffinity, IsTheSameForEverySignAndEveryBasisOfEqualEigenvalues) {
  const AffinityOptions options = dsc_on_coil20(2);  // rank 25
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const LeftSingular given = with_blocks({1, 4, 3, 10, 1, 6, 8, 2}, seed);  // 25 ends a block
    const SparseMatrix W = singular_affinity(given, options, kOneThread);
    ASSERT_GT(W.nonZeros(), 0);
    LeftSingular flipped = given;
    RandomStream random = stream(seed, Stream::kTest, 7);
    for (auto vector : flipped.vectors.colwise()) vector *= random.below(2) == 0 ? -1.0 : 1.0;
    EXPECT_LT(difference(singular_affinity(flipped, options, kOneThread), W), 1e-12);
    LeftSingular rotated = given;
    for (const auto& [first, size] :
         {std::pair<Index, Index>{1, 4}, {5, 3}, {8, 10}, {19, 6}, {25, 8}, {33, 2}}) {
      rotate_block(rotated, first, size, seed + 100);
    }
    EXPECT_GT((rotated.vectors - given.vectors).cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LT(difference(singular_affinity(rotated, options, kOneThread), W), 1e-12);
  }
}

/// The one exception: a rank that parts equal eigenvalues keeps some vectors of their space only.
TEST(DscAffinity, DependsOnTheBasisWhereTheRankPartsEqualEigenvalues) {
  const AffinityOptions options = dsc_on_coil20(2);
  const LeftSingular given = with_blocks({20, 10}, 3);
  LeftSingular rotated = given;
  rotate_block(rotated, 20, 10, 4);
  EXPECT_GT(difference(singular_affinity(given, options, kOneThread),
                       singular_affinity(rotated, options, kOneThread)),
            1e-3);
}

/// The whole way from C, whose eigenvectors come from elsewhere: signs turned, equal ones rotated.
TEST(DscAffinity, OfCoefficientsIsThatOfAnyOfTheirEigenvectors) {
  const AffinityOptions options = dsc_on_coil20(2);
  Vector values(40);
  values << Vector::Constant(25, 0.9), Vector::Constant(15, -0.2);
  const Matrix C = with_eigenvalues(values, 5, 40);
  Matrix given = C;
  given.diagonal().setOnes();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(given);
  std::vector<Index> order(40);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::ranges::greater{},
                    [&](Index i) { return std::abs(solver.eigenvalues()[i]); });
  LeftSingular other = {Matrix(40, 40), Vector(40)};
  for (Index i = 0; i < 40; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    other.vectors.col(i) = (i % 2 == 0 ? -1.0 : 1.0) * solver.eigenvectors().col(from);
    other.values[i] = std::abs(solver.eigenvalues()[from]);
  }
  EXPECT_LT(difference(singular_affinity(other, options, kOneThread),
                       low_rank_affinity(C, options, kOneThread)),
            1e-10);
}

TEST(LowRankAffinityOfManyPoints, HasNoEdgesAtPointsWithoutCoefficients) {
  for (const bool symmetrize : {true, false}) {
    for (const Index rank : {Index{30}, Index{400}}) {
      Matrix C = with_eigenvalues(apart(rank, true), 18);
      for (const Index zero : {Index{0}, Index{17}, kOrder - 1}) {
        C.row(zero).setZero();
        C.col(zero).setZero();
      }
      const Matrix W(low_rank_affinity(C, options_with(symmetrize, 20), kOneThread));
      for (const Index zero : {Index{0}, Index{17}, kOrder - 1}) {
        EXPECT_EQ(W.col(zero).maxCoeff(), 0.0) << "rank " << rank << " point " << zero;
      }
      EXPECT_GT(W.col(1).maxCoeff(), 0.0);
    }
  }
}

}  // namespace
}  // namespace subspace
