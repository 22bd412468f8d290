// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using ::testing::HasSubstr;

TEST(FactorShifted, RaisesAShiftThatRoundingSwallows) {
  const Matrix X = testing::random_matrix(3, 8, 1);
  const Matrix A = X.transpose() * X;  // of rank three
  double shift = 1e-300;
  const Matrix factor = factor_shifted(A, shift, {});
  EXPECT_GT(shift, 1e-300);
  const Matrix L = factor.triangularView<Eigen::Lower>();
  const Matrix shifted = A + shift * Matrix::Identity(8, 8);
  EXPECT_LT((L * L.transpose() - shifted).norm(), 1e-12 * A.norm());
}

TEST(FactorShifted, EndsWhereNoShiftHelps) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const Index row : {0, 2}) {
    Matrix A = Matrix::Identity(3, 3);
    A(row, 0) = A(0, row) = kNaN;
    double shift = 0.1;
    EXPECT_THAT(testing::message_of<NumericalError>([&] { factor_shifted(A, shift, {}); }),
                HasSubstr("factor_shifted: a 3 x 3 matrix has no Cholesky factor"));
  }
  double none = 0.0;
  EXPECT_THROW(factor_shifted(Matrix::Zero(2, 2), none, {}), NumericalError);
}

}  // namespace
}  // namespace subspace
