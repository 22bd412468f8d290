// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/spectral_work.h"

#include <algorithm>
#include <variant>

#include <subspace/pipeline/peak_memory.h>

namespace subspace::pipelines {
namespace {

struct Size {
  double n = 0.0;  // points
  double d = 0.0;  // dimensions
};

/// Everything up to the affinity, and how full that is.
struct Graph {
  double multiply_adds = 0.0;
  double edges = 0.0;
};

double sparse_edges(const Size& size) { return 50.0 * size.n; }

/// Every point by some of `atoms`: the inner products, and for every pair what searching and small
/// systems take. Little of that is a matrix product, so it counts for many multiply-adds of one.
Graph sparse_graph(const Size& size, double atoms, double of_pair) {
  return {.multiply_adds = size.n * atoms * (2.0 * size.d + of_pair), .edges = sparse_edges(size)};
}

constexpr double kPairOfActiveSet = 4000.0;

/// Alternating directions on coefficients of `rows` rows: a product through the smaller side, then
/// passes over all of them, which wait for memory.
Graph iterated_graph(const Size& size, double rows, double iterations) {
  constexpr double kPasses = 400.0;
  const double entries = size.n * rows;
  const double inner = std::min(size.n, size.d);
  return {.multiply_adds = iterations * entries * (2.0 * inner + kPasses),
          .edges = sparse_edges(size)};
}

/// Each point is a quadratic program with a factorisation of its own.
Graph program_graph(const Size& size) {
  const double square = size.n * size.n;
  return {.multiply_adds = square * square, .edges = sparse_edges(size)};
}

/// Cubic in the number of points, with factorisation, affinity and embedding of a full graph.
Graph full_graph(const Size& size, double of_cube) {
  constexpr double kPair = 15000.0;
  const double square = size.n * size.n;
  return {.multiply_adds = square * (of_cube * size.n + kPair), .edges = square};
}

template <typename Options>
Graph lasso_graph(const Options& options, const Size& size, double errors) {
  constexpr double kPublishedIterations = 200.0;
  constexpr double kUsualIterations = 1000.0;
  switch (options.solver) {
    case SscSolver::kOfficial:
      return iterated_graph(size, size.n + errors, kPublishedIterations);
    case SscSolver::kAdmm:
      return iterated_graph(size, size.n + errors,
                            std::min<double>(kUsualIterations, options.max_iterations));
    case SscSolver::kOsqp:
      return program_graph({.n = size.n + errors, .d = size.d});
    case SscSolver::kActiveSet:
      break;
  }
  // The constraint doubles the systems, and most rounds have to be repeated for it.
  return sparse_graph(size, size.n + errors, kPairOfActiveSet * (options.affine ? 5.0 : 1.0));
}

Graph graph_of(const ElasticNetOptions&, const Size& size) {
  return sparse_graph(size, size.n, kPairOfActiveSet);
}
Graph graph_of(const SscOptions& options, const Size& size) {
  return lasso_graph(options, size, options.outliers ? size.d : 0.0);
}
Graph graph_of(const KsscOptions& options, const Size& size) {
  return lasso_graph(options, size, 0.0);
}
Graph graph_of(const OmpOptions&, const Size& size) {
  return sparse_graph(size, size.n, kPairOfActiveSet);
}
Graph graph_of(const SmceOptions&, const Size& size) {
  return sparse_graph(size, size.n, kPairOfActiveSet);
}
Graph graph_of(const NeighborGraphOptions&, const Size& size) {
  constexpr double kPairOfSearch = 1000.0;
  return sparse_graph(size, size.n, kPairOfSearch);
}
/// Every exemplar that is added changes the representation of many points.
Graph graph_of(const EscOptions& options, const Size& size) {
  constexpr double kOfUpdate = 3e5;
  const double updates = size.n * options.num_exemplars;
  return {.multiply_adds = updates * kOfUpdate, .edges = sparse_edges(size)};
}
Graph graph_of(const LsrOptions&, const Size& size) { return full_graph(size, 20.0); }
Graph graph_of(const EdscOptions& options, const Size& size) {
  constexpr double kRoundsOfOutliers = 1500.0;
  Graph graph = full_graph(size, 20.0);
  if (options.outliers) {
    graph.multiply_adds += kRoundsOfOutliers * size.n * size.n * size.d;
  }
  return graph;
}
/// The rounds work with coordinates in the span of the points, of which there are at most N or D.
Graph graph_of(const LrrOptions& options, const Size& size) {
  constexpr double kOfRounds = 400.0;
  Graph graph = full_graph(size, 0.0);
  const double inner = std::min(size.n, size.d);
  graph.multiply_adds +=
      size.n * inner * (4.0 * size.n + (options.noise_free ? 20.0 : kOfRounds) * inner);
  return graph;
}

}  // namespace

Work spectral_work(const PipelineOptions& options, Index num_points, Index dimension,
                   int num_clusters, const Context& context) {
  const int pca = options.preprocess.pca;
  Size size = {.n = static_cast<double>(num_points), .d = static_cast<double>(dimension)};
  if (pca > 0) size.d = std::min<double>(size.d, pca);
  const Graph graph =
      std::visit([&](const auto& method) { return graph_of(method, size); }, options.method);
  // Lanczos works with some ten times as many vectors as clusters.
  const double vectors = 10.0 * num_clusters;
  PipelineOptions run = options;
  run.num_clusters = num_clusters;
  return {.multiply_adds = graph.multiply_adds + vectors * (graph.edges + size.n * vectors),
          .bytes = predicted_peak_memory(run, dimension, num_points, context).bytes};
}

}  // namespace subspace::pipelines
