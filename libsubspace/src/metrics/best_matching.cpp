// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "metrics/sparse_contingency.h"

namespace subspace {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

/// Maximum-weight bipartite matching. Prices u_i, v_j >= 0 with u_i + v_j >= w_ij, equality on
/// matched pairs, u_i = 0 for rows left alone and v_j = 0 for free columns prove the optimum (LP
/// duality). Rows enter one by one; each search follows slacks u_i + v_j - w_ij by Dijkstra and
/// ends at a free column or at a row that is cheaper to leave alone.
class SparseMatching {
 public:
  explicit SparseMatching(const SparseContingency& table)
      : table_(table),
        first_entry_(table.row_sums.size() + 1, 0),
        row_price_(table.row_sums.size(), 0),
        column_price_(table.column_sums.size(), 0),
        column_of_row_(table.row_sums.size(), -1),
        row_of_column_(table.column_sums.size(), -1),
        row_distance_(table.row_sums.size(), kFar),
        column_distance_(table.column_sums.size(), kFar),
        previous_row_(table.column_sums.size(), -1) {
    for (const auto& entry : table.entries) {
      ++first_entry_[entry.row + 1];
      row_price_[entry.row] = std::max(row_price_[entry.row], entry.count);
    }
    for (std::size_t i = 1; i < first_entry_.size(); ++i) first_entry_[i] += first_entry_[i - 1];
  }

  std::int64_t solve() {
    for (int row = 0; row < table_.num_rows(); ++row) augment(row);
    std::int64_t value = 0;
    for (const auto& entry : table_.entries) {
      if (column_of_row_[entry.row] == entry.column) value += entry.count;
    }
    return value;
  }

 private:
  using Reached = std::pair<std::int64_t, int>;  ///< distance and row
  using Queue = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

  struct PathEnd {
    std::int64_t distance = kFar;
    int free_column = -1;
    int row_left_alone = -1;
  };

  void augment(int start) {
    reached_rows_.clear();
    reached_columns_.clear();
    PathEnd end;
    Queue queue;
    reach_row(start, 0, queue);
    while (!queue.empty() && queue.top().first < end.distance) {
      const auto [distance, row] = queue.top();
      queue.pop();
      if (distance > row_distance_[row]) continue;
      if (distance + row_price_[row] < end.distance) {
        end = {distance + row_price_[row], -1, row};
      }
      relax(row, queue, end);
    }
    update_prices(end.distance);
    flip_path(end);
  }

  void reach_row(int row, std::int64_t distance, Queue& queue) {
    if (row_distance_[row] == kFar) reached_rows_.push_back(row);
    row_distance_[row] = distance;
    queue.push({distance, row});
  }

  void relax(int row, Queue& queue, PathEnd& end) {
    for (std::size_t e = first_entry_[row]; e < first_entry_[row + 1]; ++e) {
      const auto& entry = table_.entries[e];
      const int column = entry.column;
      const std::int64_t distance =
          row_distance_[row] + row_price_[row] + column_price_[column] - entry.count;
      if (distance >= column_distance_[column] || distance >= end.distance) continue;
      if (column_distance_[column] == kFar) reached_columns_.push_back(column);
      column_distance_[column] = distance;
      previous_row_[column] = row;
      if (row_of_column_[column] < 0) {
        end = {distance, column, -1};
      } else {
        reach_row(row_of_column_[column], distance, queue);
      }
    }
  }

  void update_prices(std::int64_t length) {
    for (const int row : reached_rows_) {
      if (row_distance_[row] < length) row_price_[row] -= length - row_distance_[row];
      row_distance_[row] = kFar;
    }
    for (const int column : reached_columns_) {
      if (column_distance_[column] < length) {
        column_price_[column] += length - column_distance_[column];
      }
      column_distance_[column] = kFar;
    }
  }

  void flip_path(const PathEnd& end) {
    int column = end.free_column;
    if (column < 0) {
      column = column_of_row_[end.row_left_alone];
      column_of_row_[end.row_left_alone] = -1;
    }
    while (column >= 0) {
      const int row = previous_row_[column];
      row_of_column_[column] = row;
      std::swap(column_of_row_[row], column);  // the entering row had none: the path ends
    }
  }

  const SparseContingency& table_;
  std::vector<std::size_t> first_entry_;
  std::vector<std::int64_t> row_price_;
  std::vector<std::int64_t> column_price_;
  std::vector<int> column_of_row_;
  std::vector<int> row_of_column_;
  std::vector<std::int64_t> row_distance_;
  std::vector<std::int64_t> column_distance_;
  std::vector<int> previous_row_;
  std::vector<int> reached_rows_;
  std::vector<int> reached_columns_;
};

}  // namespace

std::int64_t best_matching(const SparseContingency& table) { return SparseMatching(table).solve(); }

}  // namespace subspace
