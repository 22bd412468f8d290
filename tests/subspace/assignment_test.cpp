// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/assignment.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include <subspace/core/error.h>
#include <subspace/core/random.h>

#include "support/message_of.h"

namespace subspace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

CountMatrix random_table(Index rows, Index columns, std::int64_t lowest, std::uint64_t range,
                         std::uint32_t index) {
  RandomStream random = stream(7, Stream::kTest, index);
  CountMatrix table(rows, columns);
  for (std::int64_t& weight : table.reshaped()) {
    weight = lowest + static_cast<std::int64_t>(random.below(range));
  }
  return table;
}

std::int64_t value_of(const CountMatrix& table, const std::vector<int>& columns) {
  std::int64_t value = 0;
  for (std::size_t row = 0; row < columns.size(); ++row) {
    if (columns[row] >= 0) value += table(static_cast<Index>(row), columns[row]);
  }
  return value;
}

/// The best of all orders of the longer side.
std::int64_t best_by_enumeration(const CountMatrix& table) {
  if (table.rows() > table.cols()) return best_by_enumeration(table.transpose());
  std::vector<int> order(static_cast<std::size_t>(table.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::int64_t best = std::numeric_limits<std::int64_t>::min();
  do {
    std::int64_t value = 0;
    for (Index row = 0; row < table.rows(); ++row) value += table(row, order[row]);
    best = std::max(best, value);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// Every row of the shorter side is used, no column twice.
void expect_one_to_one(const CountMatrix& table, const std::vector<int>& columns) {
  ASSERT_EQ(static_cast<Index>(columns.size()), table.rows());
  std::set<int> used;
  for (const int column : columns) {
    if (column == -1) continue;
    EXPECT_GE(column, 0);
    EXPECT_LT(column, table.cols());
    EXPECT_TRUE(used.insert(column).second) << "column " << column << " twice";
  }
  EXPECT_EQ(static_cast<Index>(used.size()), std::min(table.rows(), table.cols()));
}

TEST(MaxAssignment, SmallTableByHand) {
  CountMatrix table(3, 3);
  table << 7, 5, 1,  //
      6, 1, 0,       //
      0, 2, 2;
  EXPECT_THAT(max_assignment(table), ElementsAre(1, 0, 2));  // 5 + 6 + 2; greedy gets 7 + 2 + 0
}

TEST(MaxAssignment, MoreRowsThanColumnsLeavesRowsOver) {
  CountMatrix table(3, 1);
  table << 2, 9, 4;
  EXPECT_THAT(max_assignment(table), ElementsAre(-1, 0, -1));
}

TEST(MaxAssignment, EmptyTables) {
  EXPECT_TRUE(max_assignment(CountMatrix(0, 0)).empty());
  EXPECT_TRUE(max_assignment(CountMatrix(0, 4)).empty());
  EXPECT_THAT(max_assignment(CountMatrix(2, 0)), ElementsAre(-1, -1));
}

TEST(MaxAssignment, EqualsEnumerationOnAllShapesUpToSeven) {
  std::uint32_t index = 0;
  for (Index rows = 1; rows <= 7; ++rows) {
    for (Index columns = 1; columns <= 7; ++columns) {
      for (const std::uint64_t range : {3U, 100U}) {
        const CountMatrix table = random_table(rows, columns, -5, range, index++);
        const std::vector<int> found = max_assignment(table);
        expect_one_to_one(table, found);
        EXPECT_EQ(value_of(table, found), best_by_enumeration(table)) << table;
      }
    }
  }
}

TEST(MaxAssignment, PlantedPermutationIsFound) {
  RandomStream random = stream(3, Stream::kTest);
  constexpr int kSize = 200;
  std::vector<int> planted(kSize);
  std::iota(planted.begin(), planted.end(), 0);
  for (int i = kSize - 1; i > 0; --i) std::swap(planted[i], planted[random.below(i + 1)]);
  CountMatrix table = random_table(kSize, kSize, 0, 100, 99);
  for (int i = 0; i < kSize; ++i) table(i, planted[i]) = 100;  // above every other weight
  EXPECT_EQ(max_assignment(table), planted);
}

TEST(MaxAssignment, ValueIsUnchangedByTransposition) {
  EXPECT_TRUE(rc::check("transposing the table keeps the value", [] {
    const Index rows = *rc::gen::inRange(1, 12);
    const Index columns = *rc::gen::inRange(1, 12);
    const CountMatrix table =
        random_table(rows, columns, -20, 50, *rc::gen::arbitrary<std::uint32_t>());
    const CountMatrix transposed = table.transpose();
    RC_ASSERT(value_of(table, max_assignment(table)) ==
              value_of(transposed, max_assignment(transposed)));
  }));
}

TEST(MaxAssignment, AddingToARowDoesNotChangeASquareAssignmentsValueOtherwise) {
  EXPECT_TRUE(rc::check("a row constant adds itself", [] {
    const Index size = *rc::gen::inRange(1, 10);
    CountMatrix table = random_table(size, size, 0, 30, *rc::gen::arbitrary<std::uint32_t>());
    const std::int64_t before = value_of(table, max_assignment(table));
    table.row(*rc::gen::inRange<Index>(0, size)).array() += 1000;
    RC_ASSERT(value_of(table, max_assignment(table)) == before + 1000);
  }));
}

TEST(MaxAssignment, RefusesWeightsWhoseSumsOverflow) {
  CountMatrix table = CountMatrix::Zero(2, 2);
  table(1, 0) = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(message_of<InvalidArgument>([&] { max_assignment(table); }),
              HasSubstr("max_assignment: weight 9223372036854775807, must satisfy |weight| <= "));
  table(1, 0) = std::numeric_limits<std::int64_t>::min();
  EXPECT_THROW(max_assignment(table), InvalidArgument);
}

}  // namespace
}  // namespace subspace
