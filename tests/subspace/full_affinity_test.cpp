// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/affinity/affinity.h>
#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::message_of;
using testing::random_matrix;

constexpr AffinityKind kAllKinds[] = {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns,
                                      AffinityKind::kNeighbors, AffinityKind::kMaximum,
                                      AffinityKind::kLowRank};

/// The published steps, one by one, with a singular value decomposition instead of eigenvectors.
Matrix naive_low_rank(const Matrix& C, const AffinityOptions& options) {
  Matrix S = options.symmetrize ? Matrix(0.5 * (C + C.transpose())) : C;
  if (options.unit_diagonal) S.diagonal().setOnes();
  const Eigen::JacobiSVD<Matrix> svd(S, Eigen::ComputeFullU);
  const Vector s = svd.singularValues();
  Index rank = 0;
  if (options.dimension > 0) {
    rank = std::min<Index>(C.cols(), options.dimension * options.num_clusters + 1);
  } else {
    while (rank < s.size() && s[rank] > 1e-4 * s[0]) ++rank;
  }
  Matrix M = svd.matrixU().leftCols(rank) * s.head(rank).cwiseSqrt().asDiagonal();
  M.rowwise().normalize();
  Matrix Z = M * M.transpose();
  if (options.positive) Z = Z.cwiseMax(0.0);
  Matrix W = Z.cwiseAbs().array().pow(options.power);
  if (!options.loops) W.diagonal().setZero();
  return W;
}

TEST(LowRankAffinity, IsThePublishedConstruction) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Matrix C = random_matrix(14, 14, seed);
    for (const bool symmetrize : {true, false}) {
      for (const int dimension : {0, 2, 9}) {
        const AffinityOptions options{.kind = AffinityKind::kLowRank,
                                      .dimension = dimension,
                                      .power = 1.0 + static_cast<double>(seed % 4),
                                      .symmetrize = symmetrize,
                                      .unit_diagonal = seed % 2 == 0,
                                      .positive = seed % 3 == 0,
                                      .loops = seed % 4 < 2,
                                      .num_clusters = 2};
        const Matrix W(make_affinity(C, options));
        // Through C C' small singular values are known to 1e-8 of the largest, and their roots
        // enter.
        const double tolerance = symmetrize ? 1e-8 : 1e-5;
        EXPECT_LT((W - naive_low_rank(C, options)).cwiseAbs().maxCoeff(), tolerance)
            << "seed " << seed;
        EXPECT_EQ(W, Matrix(W.transpose()));
      }
    }
  }
}

/// C = VV' of independent subspaces: points of one subspace lie in one block of the leading
/// subspace, points of two are orthogonal.
TEST(LowRankAffinity, OfTheShapeInteractionMatrixJoinsOnlyPointsOfOneSubspace) {
  Matrix X = Matrix::Zero(9, 30);
  for (Index l = 0; l < 3; ++l) {
    X.middleCols(10 * l, 10) = random_matrix(9, 3, 7 + static_cast<std::uint64_t>(l)) *
                               random_matrix(3, 10, 70 + static_cast<std::uint64_t>(l));
  }
  const Eigen::JacobiSVD<Matrix> svd(X, Eigen::ComputeThinV);
  const Matrix V = svd.matrixV().leftCols(9);
  const Matrix W(make_affinity(Matrix(V * V.transpose()), {.kind = AffinityKind::kLowRank}));
  for (Index j = 0; j < 30; ++j) {
    for (Index i = 0; i < 30; ++i) {
      if (i / 10 != j / 10) {
        EXPECT_LT(W(i, j), 1e-20);
      }
    }
  }
}

TEST(LowRankAffinity, DoesNotDependOnTheScale) {
  const Matrix C = random_matrix(12, 12, 3);
  const AffinityOptions options{.kind = AffinityKind::kLowRank};
  const Matrix W(make_affinity(C, options));
  for (const double scale : {1e-150, 1e150}) {
    EXPECT_LT((Matrix(make_affinity(Matrix(scale * C), options)) - W).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(LowRankAffinity, APointThatNothingRepresentsHasNoLoop) {
  Matrix C = random_matrix(6, 6, 3);
  C.row(2).setZero();
  C.col(2).setZero();
  const Matrix W(make_affinity(C, {.kind = AffinityKind::kLowRank, .loops = true}));
  for (Index i = 0; i < 6; ++i) EXPECT_EQ(W(i, i), i == 2 ? 0.0 : 1.0) << i;
}

TEST(Keep, LeavesTheFewestLargestThatReachItsShare) {
  Matrix C = Matrix::Zero(5, 5);
  C.col(0) << 0.0, 4.0, -3.0, 2.0, 1.0;
  const auto edges_of_first = [&](double keep) {
    return Matrix(make_affinity(C, {.kind = AffinityKind::kMaximum, .keep = keep})).col(0).eval();
  };
  EXPECT_EQ(edges_of_first(0.39), (Vector(5) << 0, 4, 0, 0, 0).finished());
  EXPECT_EQ(edges_of_first(0.4), (Vector(5) << 0, 4, 0, 0, 0).finished()) << "reached, not passed";
  EXPECT_EQ(edges_of_first(0.41), (Vector(5) << 0, 4, 3, 0, 0).finished());
  EXPECT_EQ(edges_of_first(1.0), (Vector(5) << 0, 4, 3, 2, 1).finished());
}

/// Point 0 is 4 of point 1 and 1 of point 2; point 1 is 3 of point 0 and 2 of point 2; point 2 is
/// 1 of point 0 and 9 of point 1.
Matrix three_points() {
  Matrix C(3, 3);
  C << 0, 3, 1,  //
      4, 0, -9,  //
      1, 2, 0;
  return C;
}

Matrix edges_of(const Matrix& C, KeepOf keep_of, bool sparse) {
  const AffinityOptions options{.kind = AffinityKind::kMaximum, .keep = 0.6, .keep_of = keep_of};
  return Matrix(sparse ? make_affinity(SparseMatrix(C.sparseView()), options)
                       : make_affinity(C, options));
}

TEST(Keep, OfItsOwnThinsColumnsAndOfOthersRows) {
  Matrix own(3, 3);  // of the columns 4, 3, 9 are left
  own << 0, 4, 0, 4, 0, 9, 0, 9, 0;
  Matrix others(3, 3);  // of the rows 3, 9, 2 are left
  others << 0, 3, 0, 3, 0, 9, 0, 9, 0;
  for (const bool sparse : {false, true}) {
    EXPECT_EQ(edges_of(three_points(), KeepOf::kOwn, sparse), own);
    EXPECT_EQ(edges_of(three_points(), KeepOf::kOthers, sparse), others);
  }
}

/// What is left of C' and then turned back: the way of every kind from there on is the same.
TEST(Keep, OfOthersIsThatOfTheTransposeTurnedBack) {
  const Matrix C = random_matrix(30, 30, 8);
  for (const AffinityKind kind : kAllKinds) {
    for (const bool loops : {false, true}) {
      const bool has_diagonal =
          kind == AffinityKind::kLowRank || (loops && kind != AffinityKind::kNeighbors);
      Matrix thinned = C;
      if (!has_diagonal) thinned.diagonal().setZero();
      for (Index i = 0; i < 30; ++i) {  // a row: the largest until half of the sum is reached
        const Vector row = thinned.row(i).transpose();
        std::vector<Index> order(30);
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(),
                  [&](Index a, Index b) { return std::abs(row[a]) > std::abs(row[b]); });
        double sum = 0.0;
        for (const Index j : order) {
          if (sum >= 0.5 * row.lpNorm<1>()) thinned(i, j) = 0.0;
          sum += std::abs(row[j]);
        }
      }
      AffinityOptions options{.kind = kind, .top = 5, .loops = loops};
      const Matrix expected(make_affinity(thinned, options));
      options.keep = 0.5;
      options.keep_of = KeepOf::kOthers;
      EXPECT_EQ(Matrix(make_affinity(C, options)), expected);
      EXPECT_EQ(Matrix(make_affinity(SparseMatrix(C.sparseView()), options)), expected);
    }
  }
}

/// Where C + C' or the larger of both is taken first, rows and columns of a symmetric C are one.
TEST(Keep, OfASymmetricMatrixIsTheSameForBoth) {
  const Matrix A = random_matrix(25, 25, 9);
  const Matrix C = A + A.transpose();
  for (const AffinityKind kind : {AffinityKind::kMaximum, AffinityKind::kLowRank}) {
    AffinityOptions options{.kind = kind, .keep = 0.3};
    const Matrix own(make_affinity(C, options));
    options.keep_of = KeepOf::kOthers;
    EXPECT_EQ(Matrix(make_affinity(C, options)), own);
  }
}

TEST(MaximumAffinity, IsTheLargerOfBothDirections) {
  EXPECT_TRUE(rc::check([] {
    const Matrix C = random_matrix(10, 10, *rc::gen::arbitrary<std::uint32_t>());
    Matrix expected = C.cwiseAbs().cwiseMax(C.cwiseAbs().transpose());
    expected.diagonal().setZero();
    RC_ASSERT(Matrix(make_affinity(C, {.kind = AffinityKind::kMaximum})) == expected);
  }));
}

TEST(FullCoefficients, GiveTheAffinityOfTheSameSparseOnes) {
  Matrix C = random_matrix(40, 40, 5);
  C = (C.array().abs() < 0.8).select(0.0, C).eval();
  for (const AffinityKind kind : kAllKinds) {
    for (const double keep : {1.0, 0.5}) {
      const AffinityOptions options{.kind = kind, .top = 5, .keep = keep};
      EXPECT_EQ(Matrix(make_affinity(C, options)),
                Matrix(make_affinity(SparseMatrix(C.sparseView()), options)));
    }
  }
}

TEST(FullCoefficients, AreTheSameOnAnyNumberOfThreads) {
  const Matrix C = random_matrix(600, 600, 6);
  for (const AffinityKind kind : kAllKinds) {
    for (const KeepOf keep_of : {KeepOf::kOwn, KeepOf::kOthers}) {
      const AffinityOptions options{.kind = kind, .keep = 0.3, .keep_of = keep_of};
      const Matrix one(make_affinity(C, options, {.num_threads = 1}));
      EXPECT_EQ(one, Matrix(make_affinity(C, options, {.num_threads = 4})));
    }
  }
}

TEST(FullCoefficients, EdgesAndRefusals) {
  for (const AffinityKind kind : kAllKinds) {
    EXPECT_EQ(make_affinity(Matrix::Zero(4, 4), {.kind = kind}).nonZeros(), 0);
    EXPECT_EQ(make_affinity(Matrix::Ones(1, 1), {.kind = kind}).nonZeros(), 0);
  }
  EXPECT_EQ(message_of<DataError>([] { make_affinity(Matrix(2, 3), {}); }),
            "make_affinity: C is 2 x 3, must be square and not empty");
  EXPECT_EQ(message_of<InvalidArgument>([] {
              make_affinity(Matrix::Ones(3, 3), {.kind = AffinityKind::kLowRank, .dimension = 2});
            }),
            "make_affinity: dimension = 2 without num_clusters, must satisfy num_clusters >= 1");
  EXPECT_THAT(message_of<ResourceError>(
                  [] { make_affinity(Matrix::Ones(300, 300), {}, {.max_memory = 1000000}); }),
              ::testing::HasSubstr("a sparse method (ensc, ssc-omp) needs no full matrix"));
}

}  // namespace
}  // namespace subspace
