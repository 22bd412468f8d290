// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/partition.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/memory.h>

#include "metrics/sparse_contingency.h"

namespace subspace {
namespace {

/// The entropies of the two partitions and their mutual information.
struct Information {
  Nats rows = 0;
  Nats columns = 0;
  Nats mutual = 0;
};

Nats entropy(const std::vector<std::int64_t>& sizes, std::int64_t total) {
  Nats sum = 0;
  for (const std::int64_t size : sizes) {
    const Nats p = static_cast<Nats>(size) / static_cast<Nats>(total);
    sum -= p * std::log(p);
  }
  return sum;
}

Nats mutual_information(const SparseContingency& table) {
  if (table.num_rows() == 1 || table.num_columns() == 1) return 0;
  const Nats n = static_cast<Nats>(table.total);
  Nats sum = 0;
  for (const auto& entry : table.entries) {
    const Nats p = static_cast<Nats>(entry.count) / n;
    const Nats row = static_cast<Nats>(table.row_sums[entry.row]) / n;
    const Nats column = static_cast<Nats>(table.column_sums[entry.column]) / n;
    const Nats term = p * std::log(p / row / column);
    // Independent partitions must come out at 0, not at a sum of rounding errors.
    if (std::abs(term) >= std::numeric_limits<double>::epsilon()) sum += term;
  }
  return std::max<Nats>(0, sum);
}

double normalized(Nats mutual, Nats normalizer) {
  return mutual == 0 ? 0.0 : static_cast<double>(mutual / normalizer);
}

/// Keeps the sign of `value` and its distance from zero at least one machine epsilon.
Nats away_from_zero(Nats value) {
  const Nats epsilon = std::numeric_limits<double>::epsilon();
  return value < 0 ? std::min(value, -epsilon) : std::max(value, epsilon);
}

double adjusted_mutual_information(const SparseContingency& table, const Information& information) {
  // Also where both partitions are all singletons, the one case of 0/0.
  if (table.is_one_to_one()) return 1.0;
  if (table.num_rows() == 1 || table.num_columns() == 1) return 0.0;
  const Nats expected = expected_mutual_information(table);
  const Nats mean = (information.rows + information.columns) / 2;
  return static_cast<double>(away_from_zero(information.mutual - expected) /
                             away_from_zero(mean - expected));
}

double sum_of_squares(const std::vector<std::int64_t>& sizes) {
  double sum = 0.0;
  for (const std::int64_t size : sizes)
    sum += static_cast<double>(size) * static_cast<double>(size);
  return sum;
}

/// Over ordered pairs of distinct points: together in both, in one only, in none.
double adjusted_rand_index(const SparseContingency& table) {
  if (table.is_one_to_one()) return 1.0;
  double squares = 0.0;
  for (const auto& entry : table.entries) {
    squares += static_cast<double>(entry.count) * static_cast<double>(entry.count);
  }
  const double n = static_cast<double>(table.total);
  const double both = squares - n;
  const double rows_only = sum_of_squares(table.row_sums) - squares;
  const double columns_only = sum_of_squares(table.column_sums) - squares;
  const double neither = n * n - squares - rows_only - columns_only;
  return 2.0 * (both * neither - rows_only * columns_only) /
         ((both + rows_only) * (rows_only + neither) +
          (both + columns_only) * (columns_only + neither));
}

std::int64_t sum_of_row_maxima(const SparseContingency& table) {
  std::vector<std::int64_t> largest(table.row_sums.size(), 0);
  for (const auto& entry : table.entries) {
    largest[entry.row] = std::max(largest[entry.row], entry.count);
  }
  std::int64_t sum = 0;
  for (const std::int64_t count : largest) sum += count;
  return sum;
}

void fill_normalized_information(const SparseContingency& table, const Information& information,
                                 PartitionMetrics& metrics) {
  if (table.num_rows() == 1 && table.num_columns() == 1) {
    metrics.nmi_arithmetic = metrics.nmi_geometric = metrics.nmi_max = 1.0;
    return;
  }
  const Nats h = information.rows;
  const Nats g = information.columns;
  metrics.nmi_arithmetic = normalized(information.mutual, (h + g) / 2);
  metrics.nmi_geometric = normalized(information.mutual, std::sqrt(h * g));
  metrics.nmi_max = normalized(information.mutual, std::max(h, g));
}

}  // namespace

CountMatrix contingency(const Labels& labels, const Labels& truth) {
  const SparseContingency table = sparse_contingency(labels, truth, "contingency");
  check_memory("contingency",
               static_cast<double>(sizeof(std::int64_t)) * table.num_rows() * table.num_columns(),
               0.8 * static_cast<double>(available_memory()),
               "evaluate_partition needs no dense table");
  CountMatrix counts = CountMatrix::Zero(table.num_rows(), table.num_columns());
  for (const auto& entry : table.entries) counts(entry.row, entry.column) = entry.count;
  return counts;
}

PartitionMetrics evaluate_partition(const Labels& labels, const Labels& truth) {
  const SparseContingency table = sparse_contingency(labels, truth, "evaluate_partition");
  const double n = static_cast<double>(table.total);
  const Information information = {entropy(table.row_sums, table.total),
                                   entropy(table.column_sums, table.total),
                                   mutual_information(table)};
  PartitionMetrics metrics;
  metrics.acc = static_cast<double>(best_matching(table)) / n;
  metrics.acc_greedy = static_cast<double>(greedy_matching(table)) / n;
  metrics.purity = static_cast<double>(sum_of_row_maxima(table)) / n;
  metrics.ari = adjusted_rand_index(table);
  metrics.ami = adjusted_mutual_information(table, information);
  fill_normalized_information(table, information, metrics);
  return metrics;
}

}  // namespace subspace
