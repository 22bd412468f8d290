// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/nearest_subspace.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::kRounding;
using testing::message_of;
using testing::random_matrix;
using testing::union_of_subspaces;

TEST(NearestSubspace, ExactSubspacesAreFoundWithTheirDimensions) {
  const auto world = union_of_subspaces(20, 3, 5, 30, 0.0, 1);
  const Subspaces model = fit_subspaces(world.points, world.labels, {.energy = 1.0});
  EXPECT_THAT(model.classes, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(model.dimensions, Each(3));
  EXPECT_LE(model.residuals.maxCoeff(), kRounding);
  for (const Matrix& basis : model.bases) {
    EXPECT_LE((basis.transpose() * basis - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff(),
              kRounding);
  }
  EXPECT_EQ(predict(model, world.points), world.labels);
  // Anywhere else on the same subspaces, however far from the samples.
  for (int k = 0; k < 5; ++k) {
    EXPECT_THAT(predict(model, model.bases[k] * (1e3 * random_matrix(3, 20, 7))), Each(k));
  }
}

TEST(NearestSubspace, ResidualsAreThoseOfLeastSquares) {
  EXPECT_TRUE(rc::check("distance to the span by a second way", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const bool center = *rc::gen::element(false, true);
    const int dimension = *rc::gen::inRange(1, 5);
    const auto world = union_of_subspaces(8, 4, 3, 12, 0.1, seed % 1000);
    const Subspaces model =
        fit_subspaces(world.points, world.labels, {.dimension = dimension, .center = center});
    const Matrix queries = random_matrix(8, 9, seed);
    const Matrix found = residuals(model, queries);
    for (int k = 0; k < 3; ++k) {
      Matrix own = world.points.middleCols(12 * k, 12);
      const Vector mean = center ? Vector(own.rowwise().mean()) : Vector(Vector::Zero(8));
      own.colwise() -= mean;
      const Eigen::JacobiSVD<Matrix> svd(own, Eigen::ComputeThinU);
      const Matrix U = svd.matrixU().leftCols(dimension);
      for (Index j = 0; j < queries.cols(); ++j) {
        const Vector y = queries.col(j) - mean;
        const Vector fitted = U * U.colPivHouseholderQr().solve(y);
        RC_ASSERT(std::abs(found(k, j) - (y - fitted).norm()) < 1e-9);
      }
      // What the discarded singular values hold is what the class has left.
      const double left = svd.singularValues().tail(8 - dimension).norm() / std::sqrt(12.0);
      RC_ASSERT(std::abs(model.residuals[k] - left) < 1e-9);
    }
  }));
}

TEST(NearestSubspace, EnergyChoosesTheSmallestDimensionThatHoldsIt) {
  // Second moments 16, 9, 4, 1 along the axes: shares .533, .833, .967, 1.
  Matrix X = Matrix::Zero(4, 8);
  for (Index i = 0; i < 4; ++i) {
    X(i, 2 * i) = static_cast<double>(4 - i);
    X(i, 2 * i + 1) = -static_cast<double>(4 - i);
  }
  const Labels labels(8, 0);
  const std::vector<std::pair<double, int>> expected = {{0.5, 1},  {0.54, 2}, {0.83, 2}, {0.84, 3},
                                                        {0.96, 3}, {0.97, 4}, {1.0, 4}};
  for (const auto& [energy, dimension] : expected) {
    EXPECT_THAT(fit_subspaces(X, labels, {.energy = energy}).dimensions, ElementsAre(dimension))
        << energy;
  }
}

TEST(NearestSubspace, CentredOnesAreAffine) {
  // Two parallel lines away from the origin: linear subspaces cannot tell them apart on both sides.
  Matrix X(2, 20);
  Labels labels;
  for (Index j = 0; j < 20; ++j) {
    labels.push_back(static_cast<int>(j % 2));
    X.col(j) << static_cast<double>(j) - 9.5, j % 2 == 0 ? 1.0 : 2.0;
  }
  const Subspaces model = fit_subspaces(X, labels, {.dimension = 1, .center = true});
  EXPECT_EQ(predict(model, X), labels);
  EXPECT_LE(model.residuals.maxCoeff(), kRounding);
  EXPECT_NEAR(residuals(model, Matrix{{100.0}, {1.25}})(0, 0), 0.25, 1e-11);
  EXPECT_NEAR(residuals(model, Matrix{{100.0}, {1.25}})(1, 0), 0.75, 1e-11);
}

TEST(NearestSubspace, RotationScaleAndThreadsLeaveTheLabels) {
  const auto world = union_of_subspaces(15, 4, 4, 40, 0.3, 2);
  const Matrix queries = random_matrix(15, 700, 3);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(15, 15, 4)).householderQ();
  const NearestSubspaceOptions options = {.dimension = 4};
  const Subspaces one = fit_subspaces(world.points, world.labels, options, {.num_threads = 1});
  const Labels expected = predict(one, queries, {.num_threads = 1});
  EXPECT_EQ(predict(fit_subspaces(Q * world.points, world.labels, options), Q * queries), expected);
  EXPECT_EQ(predict(fit_subspaces(1e200 * world.points, world.labels, options), 1e180 * queries),
            expected);
  for (const int threads : {2, 4}) {
    const Subspaces more =
        fit_subspaces(world.points, world.labels, options, {.num_threads = threads});
    EXPECT_EQ(one.bases, more.bases);
    EXPECT_EQ(residuals(one, queries, {.num_threads = 1}),
              residuals(more, queries, {.num_threads = threads}));
  }
}

TEST(NearestSubspace, SmallZeroAndEqualClassesSpanWhatTheySpan) {
  Matrix X = random_matrix(6, 7, 5);
  X.col(2).setZero();
  X.col(3).setZero();
  X.col(4).setConstant(0.1);
  X.col(5).setConstant(0.1);
  X.col(6).setConstant(0.1);
  const Labels labels = {-3, -3, 0, 0, 8, 8, 8};  // the numbers between have no points
  const Subspaces linear = fit_subspaces(X, labels, {.dimension = 4});
  EXPECT_THAT(linear.classes, ElementsAre(-3, 0, 8));
  EXPECT_THAT(linear.dimensions, ElementsAre(2, 0, 1));
  EXPECT_LE(linear.residuals.maxCoeff(), kRounding);
  // Every linear subspace holds the zero point: the lowest label wins.
  EXPECT_THAT(predict(linear, Matrix::Zero(6, 1)), ElementsAre(-3));

  const Subspaces affine = fit_subspaces(X, labels, {.energy = 1.0, .center = true});
  EXPECT_THAT(affine.dimensions, ElementsAre(1, 0, 0));
  EXPECT_THAT(predict(affine, Matrix::Zero(6, 1)), ElementsAre(0));

  const Subspaces single = fit_subspaces(X.leftCols(1), {4});
  EXPECT_THAT(single.dimensions, ElementsAre(1));
  EXPECT_THAT(predict(single, X), Each(4));
}

TEST(NearestSubspace, RefusalsNameTheValueAndTheRule) {
  Matrix X = random_matrix(3, 4, 1);
  const Labels labels = {0, 0, 1, 1};
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit_subspaces(X, labels, {.energy = 1.5}); }),
            "fit_subspaces: energy = 1.5, must satisfy 0 < energy <= 1");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit_subspaces(X, labels, {.dimension = -1}); }),
            "fit_subspaces: dimension = -1, must satisfy dimension >= 0");
  EXPECT_EQ(message_of<DataError>([&] {
              fit_subspaces(X, {0, 1});
            }),
            "fit_subspaces: 2 labels and 4 samples, must be as many");
  EXPECT_EQ(message_of<DataError>([&] { predict(fit_subspaces(X, labels), Matrix::Zero(2, 1)); }),
            "residuals: points have 2 features, the subspaces have 3; they must agree");
  X(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      message_of<DataError>([&] { fit_subspaces(X, labels); }),
      "fit_subspaces: sample 3, feature 1 (counted from 0) is nan; all values must be finite");
}

}  // namespace
}  // namespace subspace
