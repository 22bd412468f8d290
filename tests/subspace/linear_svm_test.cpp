// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/linear_svm.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include <subspace/classify/few_labels.h>
#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/svm_objective.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using testing::blobs;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::kRounding;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using testing::svm_values;

/// As exact as it gets; a solve that cannot reach it says so, and nobody here asks.
constexpr LinearSvmOptions kExact = {.tolerance = 1e-26};

double relative_gap(const Matrix& X, const Labels& labels, const LinearSvm& model, Index k,
                    double bias) {
  const auto values = svm_values(X, labels, model.classes[k], model.weights.row(k).transpose(),
                                 model.penalty, bias);
  return (values.primal - values.dual) / values.primal;
}

TEST(LinearSvm, PrimalAndDualAgreeAtItsWeightsOnRandomProblems) {
  EXPECT_TRUE(rc::check("duality gap recomputed from the definitions", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Index dimension = *rc::gen::inRange<Index>(1, 12);
    const Index n = *rc::gen::inRange<Index>(1, 60);
    const int num_classes = *rc::gen::inRange(1, 5);
    const double bias = *rc::gen::element(0.0, 1.0, 3.0);
    const double penalty = *rc::gen::element(1e-3, 1.0, 100.0);
    const Matrix X = random_matrix(dimension, n, seed);
    const Labels labels = random_labels(n, num_classes, seed);
    const LinearSvm model = fit_linear_svm(X, labels, {.penalty = penalty, .bias = bias});
    RC_ASSERT(model.converged());
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      RC_ASSERT(model.solves[k].residual <= 1e-12);
      // The difference of the two sums of up to 60 squares is exact to rounding only.
      RC_ASSERT(std::abs(relative_gap(X, labels, model, static_cast<Index>(k), bias)) < 2e-12);
    }
  }));
}

TEST(LinearSvm, ReportedGapIsTheTrueOneWhereTheSolveIsCutShort) {
  const auto world = blobs(6, 3, 40, 1.0, 5);
  const LinearSvm model =
      fit_linear_svm(world.points, world.labels, {.penalty = 10.0, .max_iterations = 1});
  EXPECT_FALSE(model.converged());
  for (Index k = 0; k < 3; ++k) {
    const double gap = relative_gap(world.points, world.labels, model, k, 1.0);
    EXPECT_EQ(model.solves[k].termination, Termination::kIterationLimit);
    EXPECT_GT(gap, 1e-9);
    EXPECT_NEAR(model.solves[k].residual, gap, 1e-12 + 1e-9 * gap);
  }
}

TEST(LinearSvm, TwoPointsHaveTheClosedForm) {
  // Points +1 and -1 on a line, no intercept: min w^2/2 + 2C (1 - w)^2 is at w = 4C / (1 + 4C).
  const Matrix X{{1.0, -1.0}};
  for (const double C : {0.01, 1.0, 1e4}) {
    const LinearSvm model = fit_linear_svm(X, {7, -2}, {.penalty = C, .bias = 0.0});
    EXPECT_THAT(model.classes, ElementsAre(-2, 7));
    EXPECT_NEAR(model.weights(1, 0), 4 * C / (1 + 4 * C), kRounding);
    EXPECT_EQ(model.weights(1, 1), 0.0);
    EXPECT_EQ(model.weights.row(0), -model.weights.row(1));
  }
}

TEST(LinearSvm, LargePenaltyReachesTheHardMarginOfSeparableData) {
  // The widest slab that holds no point is |x| <= 2, so w = (1/2, 0). The intercept is penalised,
  // too, but a slab around the origin needs none.
  const Matrix X{{-2, -2, -3, 2, 2, 5}, {-1, 1, 0.5, -1, 1, 0.5}};
  const Labels labels = {0, 0, 0, 1, 1, 1};
  const LinearSvm model = fit_linear_svm(X, labels, {.penalty = 1e8});
  EXPECT_NEAR(model.weights(1, 0), 0.5, 1e-6);
  EXPECT_NEAR(model.weights(1, 1), 0.0, 1e-6);
  EXPECT_NEAR(model.weights(1, 2), 0.0, 1e-6);
  const Matrix S = scores(model, X);
  for (Index j = 0; j < X.cols(); ++j) {
    EXPECT_GE(S(labels[j], j), 1.0 - 1e-6) << "point " << j;
  }
  EXPECT_EQ(predict(model, X), labels);
}

TEST(LinearSvm, SeparatesDistantBlobsAndNeverXor) {
  const auto far = blobs(8, 5, 30, 12.0, 3);
  EXPECT_EQ(predict(fit_linear_svm(far.points, far.labels), far.points), far.labels);

  const Matrix X{{1, -1, 1, -1}, {1, -1, -1, 1}};
  const Labels parity = {0, 0, 1, 1};
  const LinearSvm model = fit_linear_svm(X, parity, {.penalty = 1e3});
  // By symmetry the best line is none: all points keep the loss 1.
  EXPECT_LE(model.weights.cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LE(accuracy(predict(model, X), parity), 0.75);
}

TEST(LinearSvm, FewerPointsThanFeaturesGiveTheSameAsTheWholeSpace) {
  // Each point is repeated with a weight of one half: with C/2 the problem is the same, but is
  // solved in the space of the features instead of the span.
  const Index dimension = 30;
  const Matrix X = random_matrix(dimension, 20, 11);
  const Labels labels = random_labels(20, 3, 11);
  Matrix twice(dimension, 40);
  twice << X, X;
  Labels twice_labels = labels;
  twice_labels.insert(twice_labels.end(), labels.begin(), labels.end());
  LinearSvmOptions half = kExact;
  half.penalty = 0.5;
  const LinearSvm in_span = fit_linear_svm(X, labels, kExact);
  const LinearSvm in_space = fit_linear_svm(twice, twice_labels, half);
  EXPECT_LE((in_span.weights - in_space.weights).cwiseAbs().maxCoeff(), kRounding);
}

TEST(LinearSvm, RotationTurnsTheWeightsAndLeavesTheLabels) {
  const auto world = blobs(7, 4, 25, 2.0, 9);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(7, 7, 1)).householderQ();
  const LinearSvm plain = fit_linear_svm(world.points, world.labels, kExact);
  const LinearSvm turned = fit_linear_svm(Q * world.points, world.labels, kExact);
  EXPECT_LE((turned.weights.leftCols(7) - plain.weights.leftCols(7) * Q.transpose())
                .cwiseAbs()
                .maxCoeff(),
            kRounding);
  const Matrix queries = random_matrix(7, 200, 2);
  EXPECT_EQ(predict(turned, Q * queries), predict(plain, queries));
}

TEST(LinearSvm, OrderOfThePointsAndNamesOfTheClassesDoNotMatter) {
  const auto world = blobs(5, 3, 20, 2.0, 4);
  const Matrix reversed = world.points.rowwise().reverse();
  Labels renamed(world.labels.rbegin(), world.labels.rend());
  for (int& label : renamed) label = 100 - 10 * label;
  const LinearSvm a = fit_linear_svm(world.points, world.labels, kExact);
  const LinearSvm b = fit_linear_svm(reversed, renamed, kExact);
  EXPECT_THAT(b.classes, ElementsAre(80, 90, 100));
  EXPECT_LE((a.weights - b.weights.colwise().reverse()).cwiseAbs().maxCoeff(), kRounding);
}

TEST(LinearSvm, ScalingThePointsScalesThePenalty) {
  // w'x is unchanged by x -> 4x, w -> w/4, and |w|^2 shrinks by 16: so C must, too.
  const auto world = blobs(5, 3, 20, 2.0, 8);
  LinearSvmOptions options = kExact;
  options.bias = 0.0;
  const LinearSvm plain = fit_linear_svm(world.points, world.labels, options);
  options.penalty = 1.0 / 16.0;
  const LinearSvm scaled = fit_linear_svm(4.0 * world.points, world.labels, options);
  EXPECT_LE((4.0 * scaled.weights - plain.weights).cwiseAbs().maxCoeff(), kRounding);
}

TEST(LinearSvm, SameBytesOnAnyNumberOfThreads) {
  const auto world = blobs(40, 5, 60, 2.0, 6);
  const LinearSvmOptions options = {.folds = 3, .grid = 1};
  const LinearSvm one = fit_linear_svm(world.points, world.labels, options, 1, {.num_threads = 1});
  for (const int threads : {2, 4}) {
    const LinearSvm more =
        fit_linear_svm(world.points, world.labels, options, 1, {.num_threads = threads});
    EXPECT_EQ(one.weights, more.weights) << threads;
    EXPECT_EQ(one.validation, more.validation) << threads;
    EXPECT_EQ(predict(one, world.points, {.num_threads = 1}),
              predict(more, world.points, {.num_threads = threads}));
  }
}

TEST(LinearSvm, MoreSupportVectorsThanABlockAreAllCounted) {
  // Overlapping classes: nearly all of the points stay within the margin.
  const Index n = 20'000;
  const Matrix X = random_matrix(3, n, 21);
  const Labels labels = random_labels(n, 2, 21);
  const LinearSvm model = fit_linear_svm(X, labels);
  EXPECT_TRUE(model.converged());
  EXPECT_LE(std::abs(relative_gap(X, labels, model, 0, 1.0)), 1e-11);
}

TEST(LinearSvm, CrossValidationPrefersWhatHeldOutPointsPrefer) {
  // Two classes a hair apart along a feature of small scale: a small C cannot turn the weights.
  Matrix X = random_matrix(2, 120, 13);
  Labels labels;
  for (Index j = 0; j < X.cols(); ++j) {
    labels.push_back(static_cast<int>(j % 2));
    X(1, j) = 1e-2 * (j % 2 == 0 ? 1.0 : -1.0) + 1e-4 * X(1, j);
  }
  const LinearSvm model = fit_linear_svm(X, labels, {.penalty = 1.0, .folds = 5, .grid = 4}, 3);
  ASSERT_EQ(model.candidates.size(), 9);
  EXPECT_DOUBLE_EQ(model.candidates[0], 1e-4);
  EXPECT_DOUBLE_EQ(model.candidates[8], 1e4);
  EXPECT_EQ(model.validation.maxCoeff(), 1.0);
  EXPECT_LT(model.validation[0], 0.9);
  Index first_best = 0;
  while (model.validation[first_best] < 1.0) ++first_best;
  EXPECT_EQ(model.penalty, model.candidates[first_best]);
  EXPECT_EQ(model.weights, fit_linear_svm(X, labels, {.penalty = model.penalty}).weights);
}

TEST(LinearSvm, OneClassOnePointZeroColumnsAndDuplicates) {
  const Matrix X = random_matrix(4, 6, 2);
  EXPECT_THAT(predict(fit_linear_svm(X, Labels(6, 5)), X), Each(5));
  EXPECT_THAT(predict(fit_linear_svm(X.leftCols(1), {3}), X), Each(3));

  const LinearSvm zeros = fit_linear_svm(Matrix::Zero(4, 6), {0, 1, 1, 1, 1, 1});
  EXPECT_TRUE(zeros.converged());
  EXPECT_THAT(predict(zeros, X), Each(1));  // the intercept alone decides

  Matrix same(4, 2);
  same << X.col(0), X.col(0);
  const LinearSvm torn = fit_linear_svm(same, {0, 1});
  EXPECT_TRUE(torn.converged());
  EXPECT_THAT(predict(torn, same), ElementsAre(0, 0));  // equal scores: the lower label
}

TEST(LinearSvm, RefusalsNameTheValueAndTheRule) {
  const Matrix X = random_matrix(3, 5, 1);
  const Labels labels = {0, 1, 0, 1, 0};
  EXPECT_EQ(message_of<DataError>([&] {
              fit_linear_svm(X, {0, 1, 0});
            }),
            "fit_linear_svm: 3 labels and 5 samples, must be as many");
  EXPECT_EQ(
      message_of<DataError>([&] { fit_linear_svm(Matrix(3, 0), {}); }),
      "fit_linear_svm: the data has 0 samples and 3 features, must have at least one of each");
  Matrix bad = X;
  bad(2, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      message_of<DataError>([&] { fit_linear_svm(bad, labels); }),
      "fit_linear_svm: sample 4, feature 2 (counted from 0) is nan; all values must be finite");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit_linear_svm(X, labels, {.penalty = 0.0}); }),
            "fit_linear_svm: penalty = 0, must satisfy penalty > 0");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit_linear_svm(X, labels, {.folds = 1}); }),
            "fit_linear_svm: folds = 1, must be 0 or satisfy 2 <= folds");
  EXPECT_EQ(message_of<DataError>([&] { fit_linear_svm(X, labels, {.folds = 6}); }),
            "fit_linear_svm: folds = 6, must satisfy folds <= 5, the number of samples");
  EXPECT_EQ(message_of<DataError>([&] { predict(fit_linear_svm(X, labels), Matrix::Zero(2, 1)); }),
            "scores: points have 2 features, the model has 3; they must agree");
  EXPECT_EQ(
      message_of<NumericalError>([&] { fit_linear_svm(1e200 * X, labels); }),
      "fit_linear_svm: the squares of the points times the penalty overflow; scale the points");
}

TEST(LinearSvm, CanBeCancelledAndReportsEveryClass) {
  const auto world = blobs(4, 4, 10, 2.0, 1);
  CancelToken token;
  token.request();
  EXPECT_THROW(fit_linear_svm(world.points, world.labels, {}, 0, {.cancel = &token}), Cancelled);
  std::int64_t last = 0;
  fit_linear_svm(world.points, world.labels, {}, 0, {.progress = [&last](const ProgressEvent& e) {
                   EXPECT_EQ(e.phase, "linear-svm");
                   EXPECT_EQ(e.total, 4);
                   last = e.done;
                 }});
  EXPECT_EQ(last, 4);
}

}  // namespace
}  // namespace subspace
