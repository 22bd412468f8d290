// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "support/example_results.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <subspace/core/error.h>
#include <subspace/datasets/image.h>
#include <subspace/metrics/partition.h>

namespace subspace::testing {
namespace {

using namespace subspace::pipelines;

/// Numbers in [0, 1) that need no generator: the fractional parts of multiples of the golden ratio.
double scattered(int i) {
  const double x = 0.6180339887498949 * (i + 1);
  return x - std::floor(x);
}

Labels example_truth(const ExampleSize& size) {
  Labels truth;
  for (int i = 0; i < size.classes * size.per_class; ++i) truth.push_back(i / size.per_class + 1);
  return truth;
}

/// The truth under other names, with a share of the points moved to one of two other clusters.
Labels example_labels(const Labels& truth, int classes, double wrong, int seed) {
  Labels labels;
  for (int i = 0; i < static_cast<int>(truth.size()); ++i) {
    const int own = truth[static_cast<std::size_t>(i)] - 1;
    const bool moved = scattered(i * 7 + seed * 13) < wrong;
    const int shift = moved ? (scattered(i * 3) < 0.8 ? 1 : 4) : 0;
    labels.push_back((own + shift) % classes * 7 % classes);
  }
  return labels;
}

std::vector<std::uint8_t> example_picture(int label, int pose, int side) {
  std::vector<std::uint8_t> picture;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double u = (x + 0.5) / side - 0.5;
      const double v = (y + 0.5) / side - 0.5;
      const double angle = std::atan2(v, u) + 0.1 * pose;
      const double radius = 0.28 + 0.14 * std::cos(angle * (2 + label % 7));
      const double inside = std::hypot(u, v) < radius ? 0.35 + 0.6 * scattered(label) : 0.06;
      picture.push_back(static_cast<std::uint8_t>(255.0 * std::clamp(inside + 0.2 * u, 0.0, 1.0)));
    }
  }
  return picture;
}

ThumbnailSheet example_thumbnails(const Labels& truth) {
  constexpr int kSide = 32;
  const int count = static_cast<int>(truth.size());
  const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
  const int rows = (count + columns - 1) / columns;
  const datasets::ImageShape shape = {1, rows * kSide, columns * kSide};
  std::vector<std::uint8_t> sheet(static_cast<std::size_t>(shape.num_values()));
  for (int i = 0; i < count; ++i) {
    const auto picture = example_picture(truth[static_cast<std::size_t>(i)], i, kSide);
    for (int y = 0; y < kSide; ++y) {
      const int start = ((i / columns) * kSide + y) * shape.width + (i % columns) * kSide;
      std::copy_n(picture.begin() + y * kSide, kSide, sheet.begin() + start);
    }
  }
  return {count, columns, kSide, kSide, datasets::encode_png(shape, sheet)};
}

HeatMap example_affinity(int side, int clusters, double wrong) {
  HeatMap map = {.side = side};
  for (int i = 0; i < side * side; ++i) {
    const int y = i / side;
    const int x = i % side;
    const bool block = y * clusters / side == x * clusters / side;
    const double chance = block ? 0.5 : 0.12 * wrong;
    const bool linked = scattered(std::min(x, y) * 977 + std::max(x, y) * 31) < chance;
    map.levels.push_back(linked ? static_cast<std::uint8_t>(40 + 200 * scattered(x + y)) : 0);
  }
  for (int k = 1; k < clusters; ++k) map.bounds.push_back(static_cast<double>(k) / clusters);
  return map;
}

/// Strong on the block that a cluster has for its own, faint elsewhere.
HeatMap example_covariance(int side, int first, int last) {
  HeatMap map = {.side = side};
  for (int i = 0; i < side * side; ++i) {
    const int y = i / side;
    const int x = i % side;
    const bool own = std::min(x, y) >= first && std::max(x, y) < last;
    const double level = x == y && own ? 1.0 : own ? 0.3 * scattered(x * y + 5) : 0.0;
    map.levels.push_back(static_cast<std::uint8_t>(255.0 * std::max(level, 0.02 * scattered(i))));
  }
  return map;
}

PointsGeometry example_points(int count, int dimension, double rank) {
  PointsGeometry points = {.points = count, .effective_rank = rank};
  for (int i = 0; i < std::min(count, dimension); ++i) {
    points.singular_values.push_back(std::exp(-std::pow(i / rank, 2.0)));
  }
  return points;
}

/// Of `of`: a hostile name stands for anything that a file may say there.
FeatureGeometry example_geometry(const ExampleSize& size, const std::string& of) {
  constexpr int kDimension = 60;
  constexpr int kDrawn = 20;
  FeatureGeometry geometry = {.of = of, .dimension = kDimension};
  geometry.all = example_points(size.classes * size.per_class, kDimension, 30.0);
  geometry.all.covariance = example_covariance(kDimension, 0, kDimension);
  for (int k = 0; k < size.classes; ++k) {
    ClusterGeometry cluster = {.cluster = k};
    cluster.own = example_points(size.per_class, kDimension, 4.0 + 5.0 * scattered(k));
    if (k < kDrawn) {
      cluster.own.covariance = example_covariance(40, 40 * k / kDrawn, 40 * (k + 1) / kDrawn);
    }
    for (int d = 0; d < 3; ++d) {
      cluster.closest.emplace_back();
      for (int i = 0; i < 4; ++i) {
        const int pose = (11 * d + 5 * i) % size.per_class;
        cluster.closest.back().push_back(k * size.per_class + pose);
      }
    }
    geometry.clusters.push_back(std::move(cluster));
  }
  return geometry;
}

Figures example_figures(const ExampleSize& size, double wrong) {
  Figures figures = {.affinity = example_affinity(size.heat_map_side, size.classes, wrong),
                     .map_of = "spectral embedding"};
  for (int k = 0; k < size.classes + 10; ++k) {
    const double above = k < size.classes ? 0.0 : 0.25 * (1.0 - wrong);
    figures.eigenvalues.push_back(0.012 * wrong * k + 0.002 * k + above);
  }
  for (int i = 0; i < size.classes * size.per_class; ++i) {
    const int label = i / size.per_class;
    const double turn = 2.0 * std::acos(-1.0) * i / size.per_class;
    const double x = (label % 5 + 0.5) / 5.0 + 0.08 * std::cos(turn) * (0.6 + 0.4 * scattered(i));
    const double y = (label / 5 + 0.5) / std::ceil(size.classes / 5.0) +
                     0.06 * std::sin(turn) * (0.6 + 0.4 * scattered(i));
    figures.map_points.push_back(i);
    figures.map.push_back(
        {static_cast<float>(std::clamp(x, 0.0, 1.0)), static_cast<float>(std::clamp(y, 0.0, 1.0))});
  }
  return figures;
}

Cell example_cell(const TableResults& table, const RowResult& row, double wrong, double seconds,
                  int seed) {
  Cell cell = {.hash = message("5ee", seed, "c0ffee0123456789abcdef"),
               .command = message("subspace cluster example -k ", table.data.num_clusters,
                                  " --method ", row.method, " --set ensc.gamma=50 --seed ", seed)};
  Record& record = cell.record;
  record.command = "cluster";
  record.input = table.data.input;
  record.method = row.method;
  record.options = {{"num_clusters", std::int64_t{table.data.num_clusters}},
                    {"ensc.gamma", 50.0},
                    {"ensc.tau", 0.9},
                    {"affinity.top", std::int64_t{5}},
                    {"assignment.algorithm", std::string("kmeans")},
                    {"graph.include_self", true}};
  record.seed = static_cast<std::uint64_t>(seed);
  record.threads = 2;
  record.backend = "eigen";
  record.outcome.labels = example_labels(table.data.truth, table.data.num_clusters, wrong, seed);
  record.outcome.converged = true;
  record.outcome.seconds = {.preprocess = 0.1 * seconds,
                            .self_expression = 0.6 * seconds,
                            .affinity = 0.1 * seconds,
                            .embedding = 0.1 * seconds,
                            .assignment = 0.1 * seconds,
                            .total = seconds * (1.0 + 0.05 * seed)};
  record.outcome.certificate = {{"kkt_violation", 3.1e-9}, {"tolerance", 1e-6}};
  record.load_seconds = 0.25;
  record.peak_memory = static_cast<std::int64_t>(1.2e8 * (1.0 + wrong));
  record.metrics = evaluate_partition(record.outcome.labels, table.data.truth);
  return cell;
}

RowResult example_row(const TableResults& table, const ExampleSize& size, RowResult row,
                      double wrong, double seconds) {
  row.state = RowState::kDone;
  row.seeds_wanted = size.seeds;
  for (int seed = 0; seed < size.seeds; ++seed) {
    row.cells.push_back(example_cell(table, row, wrong * (1.0 + 0.04 * seed), seconds, seed));
  }
  row.figures = example_figures(size, wrong);
  row.figures->geometry =
      example_geometry(size, row.name == kHostileName ? kHostileName : "learned features");
  return row;
}

void add_complete_rows(TableResults& table, const ExampleSize& size) {
  const auto add = [&](RowResult row, double wrong, double seconds) {
    table.rows.push_back(example_row(table, size, std::move(row), wrong, seconds));
  };
  add({.name = "NMCE",
       .method = "nmce",
       .protocol = Protocol::kOracle,
       .note = "Best step of training, chosen by the labels."},
      0.0, 700.0);
  add({.name = "k-means", .method = "kmeans"}, 0.36, 0.07);
  add({.name = "EnSC",
       .method = "ensc",
       .note = "Settings of the paper, raw pixels.",
       .published = Published{14.83, "an invented paper, table 3", "by a sweep over gamma"}},
      0.14, 0.4);
  add({.name = "TCR + EnSC", .method = "tcr+ensc"}, 0.03, 260.0);
  add({.name = kHostileName, .method = "spectral"}, 0.17, 0.3);
  add({.name = "EnSC", .method = "ensc", .protocol = Protocol::kPaper}, 0.01, 0.5);
}

void add_incomplete_rows(TableResults& table, const ExampleSize& size) {
  RowResult partial = example_row(table, size, {.name = "SSC-OMP", .method = "ssc-omp"}, 0.0, 5.0);
  partial.state = RowState::kPartial;
  partial.seeds_wanted = 10;
  partial.cells.resize(1);
  partial.cells.front().record.outcome.warnings = {"the graph has <3> components"};
  table.rows.push_back(partial);
  table.rows.push_back({.name = "S2ConvSCN",
                        .protocol = Protocol::kPaper,
                        .note = "The paper gives the network, not the weights of its losses.",
                        .published = Published{2.14, "another invented paper", ""},
                        .state = RowState::kNoSettings});
  table.rows.push_back({.name = "KSSC",
                        .state = RowState::kFailed,
                        .message = "would need 9.1 GB, of 4 GB allowed",
                        .seeds_wanted = 3});
}

}  // namespace

TableResults example_results(const ExampleSize& size) {
  TableResults table = {.name = "example",
                        .title = "Example of a report, with invented results",
                        .note = "No method was run: this page is made for tests of the report.",
                        .version = "0.1.0",
                        .source_commit = "0123456789abcdef",
                        .recipe_sha256 = std::string(64, 'a'),
                        .recipe = "data = \"example\"\n[[rows]]\nname = \"EnSC\" # <b> & more\n",
                        .command = "subspace table example"};
  table.machine = {{"threads", std::int64_t{2}}, {"backend", std::string("eigen")}};
  table.data = {.num_clusters = size.classes,
                .truth = example_truth(size),
                .truth_info = TruthInfo{"example.mat", "gnd"},
                .redistributable = true};
  table.data.input = {"example", std::ssize(table.data.truth), 1024, std::string(64, 'b'),
                      datasets::ImageShape{1, 32, 32}};
  table.data.thumbnails = example_thumbnails(table.data.truth);
  add_complete_rows(table, size);
  add_incomplete_rows(table, size);
  return table;
}

}  // namespace subspace::testing
