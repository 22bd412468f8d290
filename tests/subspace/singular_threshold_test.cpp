// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/singular_threshold.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

constexpr double kAccuracy = 1e-12;

Eigen::BDCSVD<Matrix> svd_of(const Matrix& T) {
  return Eigen::BDCSVD<Matrix>(T, Eigen::ComputeThinU | Eigen::ComputeThinV);
}

/// With these singular values, the rest being zero.
Matrix with_spectrum(Index rows, Index columns, const Vector& values, std::uint64_t seed) {
  const auto svd = svd_of(random_matrix(rows, columns, seed));
  return svd.matrixU().leftCols(values.size()) * values.asDiagonal() *
         svd.matrixV().leftCols(values.size()).transpose();
}

void expect_threshold(SingularThreshold& threshold, const Matrix& T, double tau,
                      const std::string& where) {
  const auto svd = svd_of(T);
  const Vector values = (svd.singularValues().array() - tau).max(0.0);
  const Matrix expected = svd.matrixU() * values.asDiagonal() * svd.matrixV().transpose();
  const Matrix found = threshold.apply(T, tau, {});
  EXPECT_LE((found - expected).norm(), 1e-9 * T.norm()) << where;
  EXPECT_EQ(threshold.rank(), (values.array() > 0.0).count()) << where;
  EXPECT_NEAR(threshold.nuclear_norm(), values.sum(), 1e-9 * T.norm()) << where;
}

TEST(SingularThresholdOfASequence, IsThatOfTheWholeDecomposition) {
  SingularThreshold threshold(kAccuracy);
  const Matrix begin = with_spectrum(120, 200, Vector::LinSpaced(120, 10.0, 0.01), 1);
  const Matrix change = random_matrix(120, 200, 2);
  for (int k = 0; k < 8; ++k) {
    const Matrix T = begin + 0.002 * k * change;
    expect_threshold(threshold, T, 8.5 + 0.05 * k, "step " + std::to_string(k));
  }
}

/// A direction that the last matrix did not have at all is outside the space the iteration starts
/// from; only the proof that nothing is left above the threshold can notice it.
TEST(SingularThresholdOfASequence, FindsValuesThatTheLastMatrixGaveNoHintOf) {
  Vector few(6);
  few << 9.0, 8.0, 7.0, 6.0, 5.0, 4.0;
  const Matrix T = with_spectrum(120, 160, few, 3);
  const auto svd = Eigen::BDCSVD<Matrix>(T, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix unseen = svd.matrixU().col(100) * svd.matrixV().col(150).transpose();
  for (const double size : {1.001, 1.5, 20.0}) {
    SingularThreshold threshold(kAccuracy);
    expect_threshold(threshold, T, 1.0, "before");
    ASSERT_EQ(threshold.rank(), 6);
    expect_threshold(threshold, T + size * unseen, 1.0, "size " + std::to_string(size));
    EXPECT_EQ(threshold.rank(), 7);
  }
}

TEST(SingularThresholdOfASequence, IsZeroBelowTheThreshold) {
  SingularThreshold threshold(kAccuracy);
  const Matrix T = with_spectrum(10, 12, Vector::Constant(3, 1.0), 4);
  expect_threshold(threshold, T, 1.1, "by eigenvalues");
  expect_threshold(threshold, T, 2.0, "by the norm");
}

TEST(SpectralNormBelow, SaysOnWhichSideOfABoundTheLargestValueIs) {
  const Matrix A = with_spectrum(40, 60, Vector::LinSpaced(40, 3.0, 0.1), 5);
  EXPECT_TRUE(spectral_norm_below(A, 3.0 * (1 + 1e-9), {}));
  EXPECT_FALSE(spectral_norm_below(A, 3.0 * (1 - 1e-9), {}));
  EXPECT_FALSE(spectral_norm_below(A, 0.5, {}));
  EXPECT_TRUE(spectral_norm_below(Matrix::Zero(3, 3), 1e-3, {}));
}

}  // namespace
}  // namespace subspace
