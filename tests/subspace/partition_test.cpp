// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/partition.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/tolerances.h"

namespace subspace {
namespace {

using ::testing::HasSubstr;
using testing::kMetric;
using testing::message_of;
using testing::random_labels;

Labels all_distinct(int n) {
  Labels labels(static_cast<std::size_t>(n));
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

void expect_perfect(const PartitionMetrics& m) {
  for (const double value : {m.acc, m.acc_greedy, m.nmi_arithmetic, m.nmi_geometric, m.nmi_max,
                             m.ami, m.ari, m.purity}) {
    EXPECT_NEAR(value, 1.0, kMetric);
  }
}

bool nearly_equal(const PartitionMetrics& a, const PartitionMetrics& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= kMetric; };
  return near(a.acc, b.acc) && near(a.acc_greedy, b.acc_greedy) &&
         near(a.nmi_arithmetic, b.nmi_arithmetic) && near(a.nmi_geometric, b.nmi_geometric) &&
         near(a.nmi_max, b.nmi_max) && near(a.ami, b.ami) && near(a.ari, b.ari) &&
         near(a.purity, b.purity);
}

double accuracy_by_table(const Labels& labels, const Labels& truth) {
  const CountMatrix table = contingency(labels, truth);
  const std::vector<int> columns = max_assignment(table);
  std::int64_t matched = 0;
  for (std::size_t row = 0; row < columns.size(); ++row) {
    if (columns[row] >= 0) matched += table(static_cast<Index>(row), columns[row]);
  }
  return static_cast<double>(matched) / static_cast<double>(labels.size());
}

double mutual_information(const Labels& a, const Labels& b) {
  const CountMatrix table = contingency(a, b);
  const double n = static_cast<double>(a.size());
  double sum = 0.0;
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index j = 0; j < table.cols(); ++j) {
      const double p = static_cast<double>(table(i, j)) / n;
      if (p == 0.0) continue;
      const double q = static_cast<double>(table.row(i).sum()) / n;
      const double r = static_cast<double>(table.col(j).sum()) / n;
      sum += p * std::log(p / (q * r));
    }
  }
  return sum;
}

/// The definition: the mean of the mutual information over all orders of one labeling.
double ami_by_enumeration(const Labels& labels, const Labels& truth) {
  std::vector<int> order = all_distinct(static_cast<int>(labels.size()));
  double sum = 0.0;
  double count = 0.0;
  do {
    Labels shuffled;
    for (const int j : order) shuffled.push_back(labels[j]);
    sum += mutual_information(shuffled, truth);
    ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  const double expected = sum / count;
  const double entropies = mutual_information(labels, labels) + mutual_information(truth, truth);
  return (mutual_information(labels, truth) - expected) / (0.5 * entropies - expected);
}

/// The definition: counted over all pairs of points.
double ari_by_pairs(const Labels& labels, const Labels& truth) {
  double both = 0.0, first = 0.0, second = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool a = labels[i] == labels[j];
      const bool b = truth[i] == truth[j];
      both += a && b;
      first += a;
      second += b;
      ++pairs;
    }
  }
  const double expected = first * second / pairs;
  return (both - expected) / (0.5 * (first + second) - expected);
}

TEST(Contingency, RowsAreSortedLabelsColumnsSortedTruth) {
  CountMatrix expected(2, 3);
  expected << 1, 0, 1,  //
      0, 2, 1;
  EXPECT_EQ(contingency({9, -4, 9, -4, 9}, {5, 2, 5, 8, 8}), expected);
}

TEST(EvaluatePartition, SixPointsByHand) {
  // Table: cluster 0 has 2 of a and 1 of b, cluster 1 has 1 of a and 2 of b.
  const PartitionMetrics m = evaluate_partition({0, 0, 0, 1, 1, 1}, {0, 0, 1, 0, 1, 1});
  EXPECT_DOUBLE_EQ(m.acc, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(m.acc_greedy, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(m.purity, 4.0 / 6.0);
  // MI = 2 (1/3 log 4/3 + 1/6 log 2/3), both entropies log 2.
  const double nmi =
      (2.0 / 3.0 * std::log(4.0 / 3.0) + 1.0 / 3.0 * std::log(2.0 / 3.0)) / std::log(2.0);
  EXPECT_NEAR(m.nmi_arithmetic, nmi, kMetric);
  EXPECT_NEAR(m.nmi_geometric, nmi, kMetric);
  EXPECT_NEAR(m.nmi_max, nmi, kMetric);
  // 2 of 15 pairs together in both, 6 in each: (2 - 36/15) / (6 - 36/15).
  EXPECT_NEAR(m.ari, -1.0 / 9.0, kMetric);
}

TEST(EvaluatePartition, NormalisersDifferWhenEntropiesDo) {
  const PartitionMetrics m = evaluate_partition({0, 1, 2, 3}, {0, 0, 1, 1});
  EXPECT_NEAR(m.nmi_arithmetic, 2.0 / 3.0, kMetric);
  EXPECT_NEAR(m.nmi_geometric, std::sqrt(0.5), kMetric);
  EXPECT_NEAR(m.nmi_max, 0.5, kMetric);
  EXPECT_DOUBLE_EQ(m.acc, 0.5);
  EXPECT_DOUBLE_EQ(m.purity, 1.0);
}

TEST(EvaluatePartition, GreedyMatchesTheLargestCountFirst) {
  // Counts 5 4 / 4 0: greedy takes 5 and is left with 0, the best matching takes 4 + 4.
  Labels labels;
  Labels truth;
  const auto add = [&](int label, int cls, int times) {
    labels.insert(labels.end(), times, label);
    truth.insert(truth.end(), times, cls);
  };
  add(0, 0, 5);
  add(0, 1, 4);
  add(1, 0, 4);
  const PartitionMetrics m = evaluate_partition(labels, truth);
  EXPECT_DOUBLE_EQ(m.acc, 8.0 / 13.0);
  EXPECT_DOUBLE_EQ(m.acc_greedy, 5.0 / 13.0);
}

TEST(EvaluatePartition, GreedyTiesGoToTheLowestRowThenColumn) {
  // Counts 2 2 / 2 0: the first 2 is taken, which leaves the 0.
  const PartitionMetrics m = evaluate_partition({0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 0, 0});
  EXPECT_DOUBLE_EQ(m.acc_greedy, 2.0 / 6.0);
  // Counts 2 2 / 0 2: the first 2 and the last.
  const PartitionMetrics n = evaluate_partition({0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(n.acc_greedy, 4.0 / 6.0);
}

TEST(EvaluatePartition, EqualPartitionsArePerfectAtEverySize) {
  expect_perfect(evaluate_partition({3}, {-8}));
  expect_perfect(evaluate_partition({1, 1, 1}, {0, 0, 0}));
  expect_perfect(evaluate_partition(all_distinct(50), all_distinct(50)));
  expect_perfect(evaluate_partition({0, 1, 1, 2}, {7, 5, 5, 9}));
}

TEST(EvaluatePartition, OneClusterTellsNothing) {
  const PartitionMetrics m = evaluate_partition({0, 0, 0, 0}, {0, 0, 1, 1});
  EXPECT_EQ(m.nmi_arithmetic, 0.0);
  EXPECT_EQ(m.nmi_geometric, 0.0);
  EXPECT_EQ(m.nmi_max, 0.0);
  EXPECT_EQ(m.ami, 0.0);
  EXPECT_EQ(m.ari, 0.0);
  EXPECT_EQ(m.acc, 0.5);
}

TEST(EvaluatePartition, IndependentPartitionsShareNoInformation) {
  Labels labels;
  Labels truth;
  for (int j = 0; j < 60; ++j) {
    labels.push_back(j % 3);
    truth.push_back(j / 3 % 5);
  }
  const PartitionMetrics m = evaluate_partition(labels, truth);
  EXPECT_EQ(m.nmi_arithmetic, 0.0);
  EXPECT_LT(m.ami, 0.0);
  EXPECT_LT(m.ari, 0.0);
}

TEST(EvaluatePartition, AdjustedScoresEqualTheirDefinitions) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Labels labels = random_labels(7, 3, seed);
    const Labels truth = random_labels(7, 2, seed + 100);
    const PartitionMetrics m = evaluate_partition(labels, truth);
    EXPECT_NEAR(m.ami, ami_by_enumeration(labels, truth), kMetric) << seed;
    EXPECT_NEAR(m.ari, ari_by_pairs(labels, truth), kMetric) << seed;
  }
}

TEST(EvaluatePartition, SparseMatchingEqualsDenseAssignment) {
  EXPECT_TRUE(rc::check("two algorithms, one accuracy", [] {
    const Index n = *rc::gen::inRange(1, 300);
    const Labels labels =
        random_labels(n, *rc::gen::inRange(1, 40), *rc::gen::arbitrary<unsigned>());
    const Labels truth =
        random_labels(n, *rc::gen::inRange(1, 40), *rc::gen::arbitrary<unsigned>());
    const PartitionMetrics m = evaluate_partition(labels, truth);
    RC_ASSERT(std::abs(m.acc - accuracy_by_table(labels, truth)) < kMetric);
    RC_ASSERT(m.acc_greedy <= m.acc);
    RC_ASSERT(m.acc <= m.purity);
  }));
}

/// Where each cluster's largest share is larger than all else in its row and column, nothing is
/// left to decide.
TEST(EvaluatePartition, GreedyMatchingIsTheBestOnDiagonallyDominantTables) {
  EXPECT_TRUE(rc::check("two ways to one matching", [] {
    const int k = *rc::gen::inRange(1, 12);
    Labels labels;
    Labels truth;
    for (int row = 0; row < k; ++row) {
      for (int column = 0; column < k; ++column) {
        const int count =
            row == column ? 10 * k + *rc::gen::inRange(0, 20) : *rc::gen::inRange(0, 9);
        labels.insert(labels.end(), static_cast<std::size_t>(count), (row + 3) % k);
        truth.insert(truth.end(), static_cast<std::size_t>(count), column);
      }
    }
    const PartitionMetrics m = evaluate_partition(labels, truth);
    RC_ASSERT(std::abs(m.acc - m.acc_greedy) < kMetric);
    RC_ASSERT(std::abs(m.acc - m.purity) < kMetric);
  }));
}

TEST(EvaluatePartition, RenamingAndReorderingLeaveTheScores) {
  EXPECT_TRUE(rc::check("only the partition counts", [] {
    const auto n = *rc::gen::inRange(2, 60);
    const Labels labels =
        random_labels(n, *rc::gen::inRange(1, 8), *rc::gen::arbitrary<unsigned>());
    const Labels truth = random_labels(n, *rc::gen::inRange(1, 8), *rc::gen::arbitrary<unsigned>());
    // Injective names that keep the order, for greedy ties are decided by it.
    const int step = *rc::gen::inRange(1, 1000);
    const int shift = *rc::gen::inRange(-1000, 1000);
    Labels other_labels;
    Labels other_truth;
    for (int j = n - 1; j >= 0; --j) {
      other_labels.push_back(labels[j] * step + shift);
      other_truth.push_back(truth[j] * step - shift);
    }
    RC_ASSERT(nearly_equal(evaluate_partition(labels, truth),
                           evaluate_partition(other_labels, other_truth)));
  }));
}

TEST(EvaluatePartition, SymmetricScoresAreSymmetric) {
  const Labels a = random_labels(200, 7, 1);
  const Labels b = random_labels(200, 12, 2);
  const PartitionMetrics ab = evaluate_partition(a, b);
  const PartitionMetrics ba = evaluate_partition(b, a);
  EXPECT_EQ(ab.acc, ba.acc);
  EXPECT_NEAR(ab.nmi_geometric, ba.nmi_geometric, kMetric);
  EXPECT_NEAR(ab.ami, ba.ami, kMetric);
  EXPECT_NEAR(ab.ari, ba.ari, kMetric);
}

TEST(EvaluatePartition, SeventyThousandLabelsNeedNoDenseTable) {
  constexpr int kPoints = 70000;
  const Labels distinct = all_distinct(kPoints);
  expect_perfect(evaluate_partition(distinct, distinct));

  const Labels classes = random_labels(kPoints, 10, 4);
  const PartitionMetrics fine = evaluate_partition(distinct, classes);
  EXPECT_DOUBLE_EQ(fine.acc, 10.0 / kPoints);
  EXPECT_DOUBLE_EQ(fine.purity, 1.0);
  EXPECT_NEAR(fine.ami, 0.0, 1e-9);  // nothing beyond chance; (MI - E) is a rounding error here

  const PartitionMetrics many =
      evaluate_partition(random_labels(kPoints, 30000, 5), random_labels(kPoints, 30000, 6));
  EXPECT_GE(many.acc, many.acc_greedy);
  EXPECT_NEAR(many.ari, 0.0, 1e-3);
}

TEST(EvaluatePartition, RefusesWhatCannotBeCompared) {
  EXPECT_THAT(message_of<DataError>([] {
                evaluate_partition({0, 1}, {0});
              }),
              HasSubstr("evaluate_partition: 2 labels and 1 true labels, must be as many"));
  EXPECT_THAT(message_of<DataError>([] { evaluate_partition({}, {}); }),
              HasSubstr("evaluate_partition: 0 labels, must be at least 1"));
  EXPECT_THAT(message_of<DataError>([] { contingency({0}, {}); }),
              HasSubstr("contingency: 1 labels and 0 true labels"));
}

}  // namespace
}  // namespace subspace
