// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Writes random labelings with our metrics, and random tables with our assignments, as lines of
// text for metrics_peer_test.py to hold against scikit-learn and SciPy.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>

#include <subspace/core/random.h>
#include <subspace/metrics/partition.h>

namespace {

using subspace::Index;
using subspace::Labels;
using subspace::RandomStream;

int draw(RandomStream& random, int lowest, int highest) {
  return lowest + static_cast<int>(random.below(static_cast<std::uint64_t>(highest - lowest + 1)));
}

/// One label, all distinct, or k labels of which k varies from few to many.
Labels random_labeling(int n, RandomStream& random) {
  Labels labels(static_cast<std::size_t>(n));
  const int kind = draw(random, 0, 11);
  if (kind == 0) return Labels(labels.size(), draw(random, -3, 3));
  if (kind == 1) {
    std::iota(labels.begin(), labels.end(), draw(random, -5, 5));
    return labels;
  }
  const int k = kind < 9 ? draw(random, 1, 25) : draw(random, 1, n);
  for (int& label : labels) label = draw(random, 0, k - 1);
  return labels;
}

/// Sometimes independent, sometimes a corrupted copy under other names.
Labels random_truth(const Labels& labels, RandomStream& random) {
  if (draw(random, 0, 1) == 0) return random_labeling(static_cast<int>(labels.size()), random);
  const int one_in = draw(random, 1, 30);
  Labels truth = labels;
  for (int& label : truth) label = draw(random, 1, one_in) == 1 ? draw(random, 0, 9) : 7 - label;
  return truth;
}

void write_line(std::ofstream& out, const char* tag, const Labels& values) {
  out << tag;
  for (const int value : values) out << ' ' << value;
  out << '\n';
}

void write_labeling(std::ofstream& out, RandomStream& random) {
  const int n = draw(random, 0, 9) == 0 ? draw(random, 1, 2000) : draw(random, 1, 150);
  const Labels labels = random_labeling(n, random);
  const Labels truth = random_truth(labels, random);
  const auto m = subspace::evaluate_partition(labels, truth);
  write_line(out, "labels", labels);
  write_line(out, "truth", truth);
  out.precision(17);
  out << "metrics " << m.acc << ' ' << m.acc_greedy << ' ' << m.nmi_arithmetic << ' '
      << m.nmi_geometric << ' ' << m.nmi_max << ' ' << m.ami << ' ' << m.ari << ' ' << m.purity
      << '\n';
}

void write_table(std::ofstream& out, RandomStream& random) {
  subspace::CountMatrix table(draw(random, 1, 40), draw(random, 1, 40));
  const int range = draw(random, 1, 3) == 1 ? 3 : 1000;
  for (std::int64_t& weight : table.reshaped()) weight = draw(random, -range / 4, range);
  out << "table " << table.rows() << ' ' << table.cols();
  for (const std::int64_t weight : table.reshaped<Eigen::RowMajor>()) out << ' ' << weight;
  out << '\n';
  write_line(out, "assignment", subspace::max_assignment(table));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: metrics_peer_dump FILE LABELINGS TABLES\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    RandomStream random = stream(2024, subspace::Stream::kTest, static_cast<std::uint32_t>(i));
    write_labeling(out, random);
  }
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    RandomStream random = stream(2025, subspace::Stream::kTest, static_cast<std::uint32_t>(i));
    write_table(out, random);
  }
  return out.flush() ? 0 : 1;
}
