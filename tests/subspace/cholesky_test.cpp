// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include <subspace/core/error.h>

#include "linalg/linalg.h"
#include "support/random_data.h"

namespace subspace::linalg {
namespace {

using testing::random_matrix;

/// Symmetric and positive definite; of several panels from 200 on.
Matrix positive(Index order) {
  const Matrix A = random_matrix(order, order, 1);
  return A * A.transpose() + Matrix::Identity(order, order);
}

TEST(Cholesky, FactorsMultiplyToTheMatrix) {
  for (const Index order : {1, 7, 192, 193, 450}) {
    const Matrix A = positive(order);
    Matrix factor = A;
    ASSERT_TRUE(cholesky(factor, {}));
    const Matrix L = factor.triangularView<Eigen::Lower>();
    EXPECT_LT((L * L.transpose() - A).norm(), 1e-12 * A.norm()) << order;
  }
}

TEST(Cholesky, TellsWhatIsNotPositiveDefinite) {
  for (const Index place : {0, 250}) {
    Matrix A = positive(300);
    A(place, place) = -1.0;
    EXPECT_FALSE(cholesky(A, {}));
  }
}

TEST(Cholesky, TellsWhatIsNotANumber) {
  for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {250, 250}, {250, 3}, {299, 298}}) {
    Matrix A = positive(300);
    A(i, j) = A(j, i) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(cholesky(A, {})) << i << ", " << j;
  }
}

TEST(Cholesky, StopsInTheMiddle) {
  CancelToken cancel;
  cancel.request();
  Matrix A = positive(400);
  EXPECT_THROW(cholesky(A, {.cancel = &cancel}), Cancelled);
}

}  // namespace
}  // namespace subspace::linalg
