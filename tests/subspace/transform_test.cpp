// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <limits>

#include "spectral/krylov.h"
#include "spectral/laplacian.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// A symmetric matrix without a diagonal, of which about this share of the entries is stored.
SparseMatrix graph(Index n, double share, std::uint64_t seed) {
  const Matrix values = random_matrix(n, n, seed).cwiseAbs();
  RandomStream random = stream(seed, Stream::kTest, 2);
  Matrix A = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < n; ++i) {
      if (random.uniform() < share) A(i, j) = A(j, i) = values(i, j);
    }
  }
  return A.sparseView();
}

/// 517 is no multiple of anything that the loops use.
TEST(ShiftedProduct, HasTheSameBitsThroughAFullCopy) {
  for (const double share : {1.0, 0.9, 0.3}) {
    SparseMatrix A = graph(517, share, 1);
    const Vector x = random_matrix(517, 1, 3);
    const auto sparse = shifted_product(A, 0.0);
    const auto any = shifted_product(A, kUnlimited);
    Vector expected(517);
    sparse->apply(x, expected, {.num_threads = 1});
    EXPECT_LT((expected - (Matrix(A) * x + x)).cwiseAbs().maxCoeff(), 1e-11);
    for (const int threads : {1, 2, 4}) {
      Vector y(517);
      any->apply(x, y, {.num_threads = threads});
      EXPECT_EQ(y, expected) << share << " on " << threads;
    }
    // A copy, where one pays, does not see what becomes of the matrix.
    A.coeffs() *= 2.0;
    Vector later(517);
    any->apply(x, later, {.num_threads = 1});
    EXPECT_EQ(later == expected, share > 0.5) << share;
  }
}

TEST(SymmetricProducts, HaveTheBitsOfProductsOneByOne) {
  const SparseMatrix A = graph(611, 0.2, 4);
  for (const Index count : {Index{0}, Index{1}, Index{8}, Index{19}}) {
    const Matrix X = random_matrix(611, count, 5);
    Matrix expected(611, count);
    for (Index k = 0; k < count; ++k) {
      symmetric_product(A, X.col(k).data(), expected.col(k).data(), {.num_threads = 1});
    }
    for (const int threads : {1, 4}) {
      EXPECT_EQ(symmetric_products(A, X, {.num_threads = threads}), expected);
    }
  }
}

}  // namespace
}  // namespace subspace
