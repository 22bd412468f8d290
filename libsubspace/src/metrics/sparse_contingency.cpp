// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "metrics/sparse_contingency.h"

#include <algorithm>
#include <utility>

#include <subspace/core/error.h>

namespace subspace {
namespace {

/// Distinct values of `labels` in increasing order, and the position of each label among them.
int number_labels(const Labels& labels, std::vector<int>& position) {
  Labels distinct = labels;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  position.resize(labels.size());
  for (std::size_t j = 0; j < labels.size(); ++j) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), labels[j]);
    position[j] = static_cast<int>(found - distinct.begin());
  }
  return static_cast<int>(distinct.size());
}

}  // namespace

SparseContingency sparse_contingency(const Labels& labels, const Labels& truth,
                                     const char* function) {
  if (labels.size() != truth.size()) {
    throw DataError(message(function, ": ", labels.size(), " labels and ", truth.size(),
                            " true labels, must be as many"));
  }
  if (labels.empty()) throw DataError(message(function, ": 0 labels, must be at least 1"));

  std::vector<int> rows;
  std::vector<int> columns;
  SparseContingency table;
  table.row_sums.assign(static_cast<std::size_t>(number_labels(labels, rows)), 0);
  table.column_sums.assign(static_cast<std::size_t>(number_labels(truth, columns)), 0);
  table.total = static_cast<std::int64_t>(labels.size());

  std::vector<std::pair<int, int>> pairs(labels.size());
  for (std::size_t j = 0; j < labels.size(); ++j) {
    pairs[j] = {rows[j], columns[j]};
    ++table.row_sums[rows[j]];
    ++table.column_sums[columns[j]];
  }
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    if (j == 0 || pairs[j] != pairs[j - 1]) {
      table.entries.push_back({pairs[j].first, pairs[j].second, 0});
    }
    ++table.entries.back().count;
  }
  return table;
}

std::int64_t greedy_matching(const SparseContingency& table) {
  std::vector<SparseContingency::Entry> order = table.entries;
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  std::vector<char> row_used(table.row_sums.size(), 0);
  std::vector<char> column_used(table.column_sums.size(), 0);
  std::int64_t matched = 0;
  for (const auto& entry : order) {
    if (row_used[entry.row] || column_used[entry.column]) continue;
    row_used[entry.row] = column_used[entry.column] = 1;
    matched += entry.count;
  }
  return matched;
}

}  // namespace subspace
