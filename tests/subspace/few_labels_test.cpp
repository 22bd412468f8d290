// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/few_labels.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::blobs;
using ::testing::DoubleNear;
using ::testing::Each;
using testing::message_of;
using testing::random_labels;
using testing::random_matrix;
using ::testing::SizeIs;
using testing::union_of_subspaces;

TEST(Accuracy, CountsNamesNotPartitions) {
  EXPECT_EQ(accuracy({1, 2, 3, 3}, {1, 2, 3, 4}), 0.75);
  EXPECT_EQ(accuracy({1, 0}, {0, 1}), 0.0);
  EXPECT_EQ(message_of<DataError>([] {
              accuracy({1}, {1, 2});
            }),
            "accuracy: 1 labels and 2 true labels, must be as many");
  EXPECT_EQ(message_of<DataError>([] { accuracy({}, {}); }),
            "accuracy: 0 labels, must be at least 1");
}

/// Remembers the labelled points it was given (each is its own first coordinate) and answers zero.
struct Spy {
  std::mutex mutex = {};
  std::map<std::size_t, std::vector<Labels>> labels = {};
  std::map<std::size_t, std::vector<std::vector<double>>> points = {};
  Classifier watch() {
    return [this](const ConstMatrixRef& X, const Labels& own, const ConstMatrixRef& queries,
                  const Context&) {
      const std::lock_guard lock(mutex);
      labels[own.size()].push_back(own);
      points[own.size()].emplace_back(X.row(0).begin(), X.row(0).end());
      return Labels(static_cast<std::size_t>(queries.cols()), 0);
    };
  }
};

TEST(FewLabelCurve, SamplesAreBalancedDistinctAndNested) {
  // Classes of 2, 10 and 30 points: the small one is used up and the others share the rest.
  Labels labels(2, 0);
  labels.insert(labels.end(), 10, 1);
  labels.insert(labels.end(), 30, 2);
  Matrix X(1, 42);
  for (Index j = 0; j < 42; ++j) X(0, j) = static_cast<double>(j);
  Spy spy;
  const std::vector<int> counts = {1, 3, 5, 6, 9, 22, 42};
  const auto curve = few_label_curve({X, labels}, {X, labels}, counts, {.samplings = 4},
                                     spy.watch(), 3, {.num_threads = 1});
  ASSERT_THAT(curve, SizeIs(7));
  const std::map<std::size_t, std::vector<std::ptrdiff_t>> sizes = {
      {3, {1, 1, 1}}, {6, {2, 2, 2}}, {22, {2, 10, 10}}, {42, {2, 10, 30}}};
  for (const auto& [count, expected] : sizes) {
    for (const Labels& own : spy.labels[count]) {
      for (int c = 0; c < 3; ++c) EXPECT_EQ(std::count(own.begin(), own.end(), c), expected[c]);
    }
  }
  for (const Labels& own : spy.labels[5]) {
    for (int c = 0; c < 3; ++c) EXPECT_LE(std::count(own.begin(), own.end(), c), 2);
  }
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t c = 1; c < counts.size(); ++c) {
      const auto& fewer = spy.points[static_cast<std::size_t>(counts[c - 1])][s];
      const auto& more = spy.points[static_cast<std::size_t>(counts[c])][s];
      EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), more.begin()));
      EXPECT_THAT(std::set<double>(more.begin(), more.end()), SizeIs(more.size()));
    }
  }
  EXPECT_NE(spy.points[9][0], spy.points[9][1]);
}

TEST(FewLabelCurve, MeanAndDeviationAreThoseOfTheSamplings) {
  const auto train = blobs(6, 4, 50, 1.5, 1);
  const auto test = blobs(6, 4, 50, 1.5, 2);
  const auto curve =
      few_label_curve({train.points, train.labels}, {test.points, test.labels}, {4, 40, 200});
  ASSERT_THAT(curve, SizeIs(3));
  for (const auto& point : curve) {
    ASSERT_THAT(point.accuracies, SizeIs(10));
    const Eigen::Map<const Vector> values(point.accuracies.data(), 10);
    EXPECT_NEAR(point.mean, values.mean(), 1e-14);
    EXPECT_NEAR(point.standard_deviation, (values.array() - values.mean()).matrix().norm() / 3.0,
                1e-14);
  }
  // Labels help; with all of them every sampling is the same problem.
  EXPECT_GT(curve[1].mean, curve[0].mean);
  EXPECT_GT(curve[2].mean, curve[1].mean - 0.02);
  const double all =
      accuracy(predict(fit_linear_svm(train.points, train.labels), test.points), test.labels);
  EXPECT_THAT(curve[2].accuracies, Each(DoubleNear(all, 1e-12)));
  EXPECT_TRUE(std::isnan(few_label_curve({train.points, train.labels}, {test.points, test.labels},
                                         {4}, {.samplings = 1})[0]
                             .standard_deviation));
}

TEST(FewLabelCurve, EveryClassifierLearnsOrthogonalSubspaces) {
  const auto world = union_of_subspaces(30, 2, 3, 60, 0.0, 4);
  for (const Classifier& method :
       {classifier(NearestSubspaceOptions{.energy = 1.0}),
        classifier(NeighborVoteOptions{.metric = Metric::kAbsoluteCosine}),
        classifier(NeighborVoteOptions{.k = 1})}) {
    const auto curve = few_label_curve({world.points, world.labels}, {world.points, world.labels},
                                       {6, 90}, {.samplings = 3}, method);
    EXPECT_GE(curve[1].mean, 0.98);
  }
  // Two points a class span it.
  const auto exact = few_label_curve({world.points, world.labels}, {world.points, world.labels},
                                     {6}, {}, classifier(NearestSubspaceOptions{.energy = 1.0}));
  EXPECT_EQ(exact[0].mean, 1.0);
}

TEST(FewLabelCurve, ThreadsLeaveItAndTheSeedChangesIt) {
  const auto train = blobs(5, 3, 40, 1.0, 5);
  const auto curve = [&train](std::uint64_t seed, int threads) {
    return few_label_curve({train.points, train.labels}, {train.points, train.labels}, {3, 30},
                           {.samplings = 5}, classifier(LinearSvmOptions{}), seed,
                           {.num_threads = threads});
  };
  const auto one = curve(1, 1);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(curve(1, threads)[0].accuracies, one[0].accuracies);
    EXPECT_EQ(curve(1, threads)[1].accuracies, one[1].accuracies);
  }
  EXPECT_NE(curve(2, 1)[0].accuracies, one[0].accuracies);
}

TEST(FewLabelCurve, RefusalsNameTheValueAndTheRule) {
  const Matrix X = random_matrix(2, 5, 1);
  const Labels labels = random_labels(5, 2, 1);
  EXPECT_EQ(
      message_of<DataError>([&] {
        few_label_curve({X, labels}, {X, labels}, {6});
      }),
      "few_label_curve: count = 6, must satisfy 1 <= count <= 5, the number of training points");
  EXPECT_EQ(
      message_of<DataError>([&] {
        few_label_curve({X, labels}, {X, labels}, {0});
      }),
      "few_label_curve: count = 0, must satisfy 1 <= count <= 5, the number of training points");
  const Matrix flat = random_matrix(1, 5, 1);
  EXPECT_EQ(
      message_of<DataError>([&] {
        few_label_curve({X, labels}, {flat, labels}, {2});
      }),
      "few_label_curve: training points have 2 features, test points have 1; they must agree");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              few_label_curve({X, labels}, {X, labels}, {2}, {.samplings = 0});
            }),
            "few_label_curve: samplings = 0, must satisfy samplings >= 1");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              few_label_curve({X, labels}, {X, labels}, {2}, {}, Classifier{});
            }),
            "few_label_curve: the classifier is empty");
}

}  // namespace
}  // namespace subspace
