// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <subspace/affinity/affinity.h>
#include <subspace/core/error.h>
#include <subspace/core/random.h>

namespace subspace {
namespace {

/// About `density` of the entries off the diagonal; values on a coarse grid make ties frequent.
Matrix random_coefficients(Index n, double density, bool with_ties, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  Matrix C = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (i == j || random.uniform() >= density) continue;
      C(i, j) = with_ties ? static_cast<double>(random.below(5)) - 2.0 : random.normal();
    }
  }
  return C;
}

/// Straight from the definitions, on dense matrices.
Matrix naive_affinity(const Matrix& C, const AffinityOptions& options) {
  const Index n = C.cols();
  Matrix A = C;
  for (Index j = 0; j < n; ++j) {
    if (options.kind == AffinityKind::kUnitColumns && options.top > 0) {
      std::vector<Index> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), Index{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](Index a, Index b) { return std::abs(C(a, j)) > std::abs(C(b, j)); });
      for (std::size_t rank = static_cast<std::size_t>(options.top); rank < order.size(); ++rank) {
        A(order[rank], j) = 0.0;
      }
    }
    const double size = options.kind == AffinityKind::kMaxColumns ? A.col(j).cwiseAbs().maxCoeff()
                                                                  : A.col(j).norm();
    if (size > 0.0) A.col(j) /= size;
  }
  if (options.kind == AffinityKind::kMaxColumns) return A.cwiseAbs() + A.cwiseAbs().transpose();
  if (options.kind == AffinityKind::kUnitColumns)
    return 0.5 * (A.cwiseAbs() + A.cwiseAbs().transpose());
  Matrix G = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    if (A.col(j).isZero(0.0)) continue;
    std::vector<std::pair<double, Index>> others;
    for (Index i = 0; i < n; ++i) {
      // Rounded, so that ties of exact arithmetic are ties here.
      if (i != j && !A.col(i).isZero(0.0)) {
        others.emplace_back(std::round((A.col(i) - A.col(j)).squaredNorm() * 1e9), i);
      }
    }
    std::sort(others.begin(), others.end());
    for (std::size_t m = 0; m < others.size() && m < static_cast<std::size_t>(options.neighbors);
         ++m) {
      G(others[m].second, j) = 1.0;
    }
  }
  return 0.5 * (G + G.transpose());
}

void expect_proper(const SparseMatrix& W) {
  const SparseMatrix transposed = W.transpose();
  EXPECT_EQ((Matrix(W) - Matrix(transposed)).cwiseAbs().maxCoeff(), 0.0);
  for (Index j = 0; j < W.cols(); ++j) {
    for (SparseMatrix::InnerIterator w(W, j); w; ++w) {
      EXPECT_GT(w.value(), 0.0);
      EXPECT_NE(w.row(), j);
    }
  }
}

TEST(MakeAffinity, AgreesWithTheDefinitions) {
  for (const auto kind :
       {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns, AffinityKind::kNeighbors}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Matrix C = random_coefficients(25, 0.3, false, seed);
      for (const int top : {0, 1, 3, 50}) {
        const AffinityOptions options{.kind = kind, .top = top, .neighbors = 1 + top % 7};
        const SparseMatrix W = make_affinity(C.sparseView(), options);
        expect_proper(W);
        EXPECT_LT((Matrix(W) - naive_affinity(C, options)).cwiseAbs().maxCoeff(), 1e-15);
      }
    }
  }
}

/// With loops a coefficient of a point for itself is one as any other.
TEST(MakeAffinity, WithLoopsTakesTheDiagonalOfCIntoW) {
  for (const auto kind : {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Matrix C = random_coefficients(25, 0.3, false, seed);
      C.diagonal() = 2.0 * C.rowwise().sum();
      for (const int top : {0, 3}) {
        const AffinityOptions options{.kind = kind, .top = top, .loops = true};
        const Matrix W(make_affinity(C.sparseView(), options));
        EXPECT_GT(W.diagonal().maxCoeff(), 0.0);
        EXPECT_LT((W - naive_affinity(C, options)).cwiseAbs().maxCoeff(), 1e-15);
        EXPECT_EQ(W, Matrix(make_affinity(C, options)));  // full coefficients
      }
    }
  }
}

TEST(MakeAffinity, WithLoopsTheMaximumHasThoseOfCAndNeighborsNone) {
  Matrix C = random_coefficients(12, 0.5, false, 3);
  C.diagonal().setConstant(-0.25);
  const Matrix larger(make_affinity(C, {.kind = AffinityKind::kMaximum, .loops = true}));
  EXPECT_EQ(larger, Matrix(C.cwiseAbs().cwiseMax(C.transpose().cwiseAbs())));
  const AffinityOptions neighbors{.kind = AffinityKind::kNeighbors};
  AffinityOptions with_loops = neighbors;
  with_loops.loops = true;
  EXPECT_EQ(Matrix(make_affinity(C, with_loops)), Matrix(make_affinity(C, neighbors)));
}

TEST(MakeAffinity, BreaksTiesByIndex) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix C = random_coefficients(20, 0.8, true, seed);
    const AffinityOptions options{.kind = AffinityKind::kUnitColumns, .top = 4};
    EXPECT_LT((Matrix(make_affinity(C.sparseView(), options)) - naive_affinity(C, options)).norm(),
              1e-14);
  }
}

/// Columns e_6, e_6, e_7, e_7, e_0, e_0, 0, 0: all products are exactly 0 or 1.
TEST(MakeAffinity, NeighborsAtEqualDistanceGoToTheLowerIndex) {
  Matrix C = Matrix::Zero(8, 8);
  C(6, 0) = C(6, 1) = 2.0;
  C(7, 2) = C(7, 3) = 5.0;
  C(0, 4) = C(0, 5) = 3.0;
  const AffinityOptions options{.kind = AffinityKind::kNeighbors, .neighbors = 3};
  const SparseMatrix W = make_affinity(C.sparseView(), options);
  EXPECT_EQ(Matrix(W), naive_affinity(C, options));
  EXPECT_EQ(Matrix(W).rightCols(2), Matrix::Zero(8, 2)) << "zero columns take no part";
}

TEST(MakeAffinity, NegativeProductsAreTheFarthest) {
  Matrix C = Matrix::Zero(4, 4);
  C(3, 0) = 1.0;
  C(3, 1) = -1.0;
  C(3, 2) = 1.0;
  C(0, 3) = 1.0;
  const SparseMatrix one =
      make_affinity(C.sparseView(), {.kind = AffinityKind::kNeighbors, .neighbors = 1});
  EXPECT_EQ(one.coeff(0, 2), 1.0);  // mutual nearest
  EXPECT_EQ(one.coeff(1, 3), 0.5);  // orthogonal is nearer than opposite
  EXPECT_EQ(one.coeff(0, 1), 0.0);
  const SparseMatrix all =
      make_affinity(C.sparseView(), {.kind = AffinityKind::kNeighbors, .neighbors = 100});
  EXPECT_EQ(Matrix(all), Matrix::Ones(4, 4) - Matrix::Identity(4, 4));
}

TEST(MakeAffinity, IgnoresTheDiagonalAndStoredZeros) {
  const Matrix C = random_coefficients(12, 0.5, false, 3);
  const Matrix with_diagonal = C + Matrix(Matrix::Identity(12, 12) * 9.0);
  for (const auto kind :
       {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns, AffinityKind::kNeighbors}) {
    const AffinityOptions options{.kind = kind, .top = 3};
    EXPECT_EQ(Matrix(make_affinity(with_diagonal.sparseView(), options)),
              Matrix(make_affinity(C.sparseView(), options)));
    EXPECT_EQ(Matrix(make_affinity(Matrix(C).sparseView(0.0, -1.0), options)),
              Matrix(make_affinity(C.sparseView(), options)));
  }
}

TEST(MakeAffinity, DoesNotDependOnTheScaleOfAColumn) {
  EXPECT_TRUE(rc::check([] {
    const Matrix C = random_coefficients(10, 0.5, false, *rc::gen::arbitrary<std::uint64_t>());
    Matrix scaled = C;
    for (Index j = 0; j < C.cols(); ++j)
      scaled.col(j) *= std::ldexp(1.0, *rc::gen::inRange(-900, 900));
    for (const auto kind :
         {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns, AffinityKind::kNeighbors}) {
      const AffinityOptions options{.kind = kind, .top = 4};
      const Matrix difference = Matrix(make_affinity(scaled.sparseView(), options)) -
                                Matrix(make_affinity(C.sparseView(), options));
      RC_ASSERT(difference.cwiseAbs().maxCoeff() <= 1e-15);
    }
  }));
}

TEST(MakeAffinity, StoresNoZeroWhereAWeightUnderflows) {
  Matrix C = Matrix::Zero(3, 3);
  C(0, 2) = 1e300;
  C(1, 2) = 1e-300;
  const SparseMatrix W = make_affinity(C.sparseView(), {});
  expect_proper(W);
  EXPECT_EQ(W.nonZeros(), 2);
}

TEST(MakeAffinity, IsTheSameOnAnyNumberOfThreads) {
  const Matrix C = random_coefficients(1200, 0.01, true, 4);
  const SparseMatrix sparse = C.sparseView();
  for (const auto kind :
       {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns, AffinityKind::kNeighbors}) {
    const Matrix one(make_affinity(sparse, {.kind = kind, .top = 5}, {.num_threads = 1}));
    for (const int threads : {2, 4}) {
      EXPECT_EQ(one,
                Matrix(make_affinity(sparse, {.kind = kind, .top = 5}, {.num_threads = threads})));
    }
  }
}

TEST(MakeAffinity, RefusesWhatIsNoRepresentation) {
  EXPECT_THROW(make_affinity(SparseMatrix(3, 4), {}), DataError);
  EXPECT_THROW(make_affinity(SparseMatrix(0, 0), {}), DataError);
  SparseMatrix C(4, 4);
  C.insert(2, 1) = std::numeric_limits<double>::infinity();
  try {
    make_affinity(C, {});
    FAIL() << "accepted an infinite coefficient";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "make_affinity: C(2, 1) = inf, must be finite");
  }
  EXPECT_THROW(make_affinity(SparseMatrix(4, 4), {.top = -1}), InvalidArgument);
  EXPECT_THROW(make_affinity(SparseMatrix(4, 4), {.neighbors = 0}), InvalidArgument);
}

TEST(MakeAffinity, OfNoCoefficientsHasNoEdge) {
  for (const auto kind :
       {AffinityKind::kUnitColumns, AffinityKind::kMaxColumns, AffinityKind::kNeighbors}) {
    EXPECT_EQ(make_affinity(SparseMatrix(5, 5), {.kind = kind}).nonZeros(), 0);
  }
}

}  // namespace
}  // namespace subspace
