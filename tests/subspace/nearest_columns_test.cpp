// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/nearest_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

constexpr Index kManyColumns = 1100;  // more than two blocks of products, and no multiple of one

/// Unit columns of which about this share is not zero; some are zero, some repeat another.
Matrix columns_with_share(Index rows, Index columns, double share, std::uint64_t seed) {
  const Matrix values = random_matrix(rows, columns, seed);
  const Matrix chances = random_matrix(rows, columns, seed + 1000);
  // A normal number is above 0.6745 in magnitude with probability 1/2.
  const double threshold = share >= 1.0 ? 0.0 : share > 0.3 ? 0.6745 : 1.6449;  // 1/2 or 1/10
  Matrix A = (chances.array().abs() >= threshold).select(values, 0.0);
  A.col(1) = values.col(1);
  A.col(3).setZero();
  A.col(columns - 1).setZero();
  // In a block, where the last one of a kernel may be summed otherwise, and in the last block.
  for (const Index j : {columns / 2, Index{511}, Index{575}}) A.col(j) = A.col(1);
  A.col(columns - 2) = A.col(1);
  for (Index j = 0; j < columns; ++j) {
    const double norm = A.col(j).norm();
    if (norm > 0.0) A.col(j) /= norm;
  }
  return A;
}

/// Each summed in the same way, so that equal columns have equal ones.
Matrix products_one_by_one(const Matrix& A) {
  Matrix products(A.cols(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.cols(); ++i) products(i, j) = A.col(i).dot(A.col(j));
  }
  return products;
}

/// By the definition: all products of a column, sorted.
std::vector<int> nearest_by_sorting(const Matrix& products, const Vector& norms, Index j, int count,
                                    Angles angles) {
  std::vector<int> others(static_cast<std::size_t>(norms.size()));
  std::iota(others.begin(), others.end(), 0);
  std::erase_if(others, [&](int i) {
    return i == j || norms[i] == 0.0 || (angles == Angles::kAcute && products(i, j) <= 0.0);
  });
  std::ranges::stable_sort(others, [&](int a, int b) { return products(a, j) > products(b, j); });
  if (static_cast<int>(others.size()) > count) others.resize(static_cast<std::size_t>(count));
  std::ranges::sort(others);
  return others;
}

std::vector<int> rows_of(const SparseMatrix& G, Index j) {
  std::vector<int> rows;
  for (SparseMatrix::InnerIterator g(G, j); g; ++g) {
    EXPECT_EQ(g.value(), 1.0);
    rows.push_back(static_cast<int>(g.row()));
  }
  return rows;
}

class NearestColumns : public ::testing::TestWithParam<double> {};

TEST_P(NearestColumns, AreThoseOfTheLargestProducts) {
  const Matrix A = columns_with_share(30, kManyColumns, GetParam(), 7);
  const Vector norms = A.colwise().norm();
  const Matrix products = products_one_by_one(A);
  for (const Angles angles : {Angles::kAll, Angles::kAcute}) {
    const SparseMatrix G = nearest_columns(A.sparseView(), 5, {}, angles);
    for (Index j = 0; j < kManyColumns; ++j) {
      const auto expected =
          norms[j] == 0.0 ? std::vector<int>{} : nearest_by_sorting(products, norms, j, 5, angles);
      EXPECT_EQ(rows_of(G, j), expected) << "column " << j;
    }
  }
}

TEST_P(NearestColumns, OfEqualOnesAreTheFirst) {
  const Matrix A = columns_with_share(30, kManyColumns, GetParam(), 11);
  const SparseMatrix G = nearest_columns(A.sparseView(), 1, {}, Angles::kAll);
  EXPECT_THAT(rows_of(G, 1), ::testing::ElementsAre(511));
  for (const Index j : {Index{511}, Index{575}, kManyColumns / 2, kManyColumns - 2}) {
    EXPECT_THAT(rows_of(G, j), ::testing::ElementsAre(1)) << "column " << j;
  }
}

TEST_P(NearestColumns, DoNotDependOnThreads) {
  const SparseMatrix A = columns_with_share(30, kManyColumns, GetParam(), 13).sparseView();
  const SparseMatrix one = nearest_columns(A, 3, {.num_threads = 1}, Angles::kAcute);
  const SparseMatrix four = nearest_columns(A, 3, {.num_threads = 4}, Angles::kAcute);
  EXPECT_EQ(Matrix(one), Matrix(four));
}

// A tenth of the entries is multiplied row by row, a half or all of them in blocks.
INSTANTIATE_TEST_SUITE_P(Filled, NearestColumns, ::testing::Values(0.1, 0.5, 1.0));

}  // namespace
}  // namespace subspace
