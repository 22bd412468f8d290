// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/assignment.h>

#include <algorithm>
#include <limits>

#include <subspace/core/error.h>

namespace subspace {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

/// Minimum-cost assignment of every row of a table with rows <= columns. Row potentials u and
/// column potentials v keep cost(i, j) - u_i - v_j >= 0 with equality on matched pairs; each row is
/// matched by one Dijkstra search over these reduced costs.
class ShortestAugmentingPaths {
 public:
  /// Column i of `transposed_cost` is row i of the table, so that a search reads memory in order.
  explicit ShortestAugmentingPaths(const CountMatrix& transposed_cost)
      : cost_(transposed_cost),
        row_potential_(static_cast<std::size_t>(transposed_cost.cols()), 0),
        column_potential_(static_cast<std::size_t>(transposed_cost.rows()), 0),
        row_of_column_(static_cast<std::size_t>(transposed_cost.rows()), -1),
        column_of_row_(static_cast<std::size_t>(transposed_cost.cols()), -1) {}

  std::vector<int> solve() {
    for (int row = 0; row < static_cast<int>(cost_.cols()); ++row) augment(row);
    return column_of_row_;
  }

 private:
  int num_columns() const { return static_cast<int>(cost_.rows()); }

  void augment(int start) {
    distance_.assign(row_of_column_.size(), kFar);
    previous_row_.assign(row_of_column_.size(), -1);
    done_.assign(row_of_column_.size(), false);
    scanned_rows_.assign(1, start);
    std::int64_t reached = 0;
    int sink = -1;
    for (int row = start; sink < 0;) {
      relax(row, reached);
      const int column = nearest_open_column();
      reached = distance_[column];
      done_[column] = true;
      row = row_of_column_[column];
      if (row < 0) {
        sink = column;
      } else {
        scanned_rows_.push_back(row);
      }
    }
    update_potentials(start, reached);
    flip_path(start, sink);
  }

  void relax(int row, std::int64_t reached) {
    const std::int64_t base = reached - row_potential_[row];
    for (int column = 0; column < num_columns(); ++column) {
      if (done_[column]) continue;
      const std::int64_t candidate = base + cost_(column, row) - column_potential_[column];
      if (candidate < distance_[column]) {
        distance_[column] = candidate;
        previous_row_[column] = row;
      }
    }
  }

  /// The lowest one among equals, but a free column before a matched one: the search then ends.
  int nearest_open_column() const {
    int best = -1;
    for (int column = 0; column < num_columns(); ++column) {
      if (done_[column]) continue;
      const bool nearer = best < 0 || distance_[column] < distance_[best];
      const bool ends_search = best >= 0 && distance_[column] == distance_[best] &&
                               row_of_column_[column] < 0 && row_of_column_[best] >= 0;
      if (nearer || ends_search) best = column;
    }
    return best;
  }

  void update_potentials(int start, std::int64_t reached) {
    for (const int row : scanned_rows_) {
      row_potential_[row] += row == start ? reached : reached - distance_[column_of_row_[row]];
    }
    for (int column = 0; column < num_columns(); ++column) {
      if (done_[column]) column_potential_[column] -= reached - distance_[column];
    }
  }

  void flip_path(int start, int sink) {
    for (int column = sink, row = -1; row != start;) {
      row = previous_row_[column];
      row_of_column_[column] = row;
      std::swap(column_of_row_[row], column);
    }
  }

  const CountMatrix& cost_;
  std::vector<std::int64_t> row_potential_;
  std::vector<std::int64_t> column_potential_;
  std::vector<int> row_of_column_;
  std::vector<int> column_of_row_;
  std::vector<std::int64_t> distance_;
  std::vector<int> previous_row_;
  std::vector<int> scanned_rows_;
  std::vector<char> done_;
};

/// Path lengths are sums of at most 2 min(rows, columns) weights; they must stay within 64 bits.
void require_summable(const CountMatrix& weights) {
  const std::int64_t shorter = std::min(weights.rows(), weights.cols());
  const std::int64_t limit = kFar / (8 * (shorter + 1));
  const std::int64_t lowest = weights.minCoeff();
  const std::int64_t highest = weights.maxCoeff();
  if (lowest < -limit || highest > limit) {
    throw InvalidArgument(message("max_assignment: weight ", highest > limit ? highest : lowest,
                                  ", must satisfy |weight| <= ", limit, " for a table of ",
                                  weights.rows(), " x ", weights.cols()));
  }
}

std::vector<int> inverse(const std::vector<int>& row_of_column, Index num_rows) {
  std::vector<int> column_of_row(static_cast<std::size_t>(num_rows), -1);
  for (std::size_t column = 0; column < row_of_column.size(); ++column) {
    column_of_row[row_of_column[column]] = static_cast<int>(column);
  }
  return column_of_row;
}

}  // namespace

std::vector<int> max_assignment(const CountMatrix& weights) {
  if (weights.size() == 0) return std::vector<int>(static_cast<std::size_t>(weights.rows()), -1);
  require_summable(weights);
  if (weights.rows() <= weights.cols()) {
    const CountMatrix cost = -weights.transpose();
    return ShortestAugmentingPaths(cost).solve();
  }
  const CountMatrix cost = -weights;
  return inverse(ShortestAugmentingPaths(cost).solve(), weights.rows());
}

}  // namespace subspace
