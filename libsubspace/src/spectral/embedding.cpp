// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/spectral/embedding.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>

#include "linalg/sizes.h"
#include "spectral/eigensolver.h"
#include "spectral/embedding_bytes.h"
#include "spectral/graph.h"
#include "spectral/laplacian.h"

namespace subspace {
namespace {

constexpr double kEdgeBytes = sizeof(double) + sizeof(int);

/// What the eigensolver works beside: the graph, its normalised components and the coordinates.
double while_solved_bytes(Index rows, Index num_points, double edges) {
  return 2.0 * kEdgeBytes * edges + coordinate_bytes(rows, num_points);
}

void check_num_clusters(int num_clusters, Index num_points) {
  if (num_clusters < 1) {
    throw DataError(message("spectral_embedding: num_clusters = ", num_clusters,
                            ", must satisfy 1 <= num_clusters"));
  }
  if (num_clusters > num_points) {
    throw DataError(message("spectral_embedding: ", num_points, " points cannot form ",
                            num_clusters, " clusters"));
  }
}

Embedding empty_embedding(const Graph& graph, Index rows) {
  Embedding embedding;
  embedding.points = Matrix::Zero(rows, graph.num_vertices);
  embedding.eigenvalues = Vector::Constant(rows, std::numeric_limits<double>::quiet_NaN());
  embedding.num_components = static_cast<int>(graph.components.size());
  embedding.num_isolated = graph.num_isolated;
  embedding.info.residual = 0.0;
  embedding.info.termination = Termination::kConverged;
  embedding.solver = "components";
  return embedding;
}

void add_residual(Embedding& embedding, double residual) {
  embedding.info.residual = std::max(embedding.info.residual, residual);
}

double pair_residual(const NormalizedComponent& component, double value, const Vector& u,
                     const Context& context) {
  Vector product(u.size());
  symmetric_product(component.A, u.data(), product.data(), context);
  return (product - value * u).norm();
}

/// Row `row` becomes u on the component's vertices, with the sign that makes its entry of largest
/// magnitude positive, the first of equal ones.
void write_mode(Embedding& embedding, Index row, const NormalizedComponent& component, double value,
                const Vector& u, const Context& context) {
  Index largest = 0;
  u.cwiseAbs().maxCoeff(&largest);
  const double sign = u[largest] < 0.0 ? -1.0 : 1.0;
  for (Index i = 0; i < u.size(); ++i) {
    embedding.points(row, component.vertices[static_cast<std::size_t>(i)]) = sign * u[i];
  }
  embedding.eigenvalues[row] = value;
  add_residual(embedding, pair_residual(component, value, u, context));
}

/// Rows are the unit vectors along D^1/2 1 of groups of components: eigenvectors of eigenvalue 1.
Embedding group_embedding(const Graph& graph, Index rows, const Context& context) {
  Embedding embedding = empty_embedding(graph, rows);
  const std::vector<int> group = merged_groups(graph.components, static_cast<std::size_t>(rows));
  Vector volumes = Vector::Zero(rows);
  for (std::size_t c = 0; c < group.size(); ++c) {
    for (const int v : graph.components[c].vertices) volumes[group[c]] += graph.degrees[v];
  }
  for (std::size_t c = 0; c < group.size(); ++c) {
    const NormalizedComponent& component = graph.components[c];
    for (const int v : component.vertices) {
      embedding.points(group[c], v) = std::sqrt(graph.degrees[v]) / std::sqrt(volumes[group[c]]);
    }
    add_residual(embedding, pair_residual(component, 1.0, component.kernel, context));
  }
  embedding.eigenvalues.setOnes();
  return embedding;
}

std::vector<EigenPairs> solve_components(const Graph& graph, Index extra,
                                         const EmbeddingOptions& options, std::uint64_t seed,
                                         const Context& context) {
  std::vector<EigenPairs> pairs(graph.components.size());
  for_tiles(
      context, static_cast<Index>(pairs.size()), 1,
      [&](const Tile& tile) {
        const NormalizedComponent& component =
            graph.components[static_cast<std::size_t>(tile.begin)];
        const EigenRequest request{.count = std::min(extra, component.A.cols() - 1),
                                   .tolerance = options.tolerance,
                                   .max_restarts = options.max_restarts};
        pairs[static_cast<std::size_t>(tile.begin)] = leading_pairs(
            component.A, component.kernel, request,
            stream(seed, Stream::kEigensolver, static_cast<std::uint32_t>(tile.begin)), context);
      },
      "embedding");
  return pairs;
}

/// One eigenvector of one component, beside its kernel.
struct Mode {
  double value = 0.0;
  std::size_t component = 0;
  Index column = 0;
};

std::vector<Mode> leading_modes(const std::vector<EigenPairs>& pairs, std::size_t most) {
  std::vector<Mode> modes;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    for (Index column = 0; column < pairs[c].values.size(); ++column) {
      modes.push_back({std::min(pairs[c].values[column], 1.0), c, column});
    }
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& a, const Mode& b) { return a.value > b.value; });
  modes.resize(std::min(modes.size(), most));
  return modes;
}

std::string solver_name(const std::vector<EigenPairs>& pairs) {
  bool lanczos = false;
  bool dense = false;
  for (const EigenPairs& own : pairs) {
    if (own.values.size() == 0) continue;
    (own.dense ? dense : lanczos) = true;
  }
  if (lanczos && dense) return "lanczos+dense";
  return lanczos ? "lanczos" : (dense ? "dense" : "components");
}

/// The kernels of all components, then their leading other eigenvectors merged by eigenvalue.
Embedding eigenvector_embedding(const Graph& graph, Index rows, const EmbeddingOptions& options,
                                std::uint64_t seed, const Context& context) {
  Embedding embedding = empty_embedding(graph, rows);
  Index row = 0;
  for (const NormalizedComponent& component : graph.components) {
    write_mode(embedding, row++, component, 1.0, component.kernel, context);
  }
  const Index extra = rows - row;
  const std::vector<EigenPairs> pairs = solve_components(graph, extra, options, seed, context);
  for (const Mode& mode : leading_modes(pairs, static_cast<std::size_t>(extra))) {
    write_mode(embedding, row++, graph.components[mode.component], mode.value,
               pairs[mode.component].vectors.col(mode.column), context);
  }
  embedding.solver = solver_name(pairs);
  bool certain = true;
  for (const EigenPairs& own : pairs) {
    embedding.info.iterations += own.restarts;
    certain = certain && own.certain;
  }
  if (!certain) {
    embedding.info.termination = Termination::kIterationLimit;
  } else if (!(embedding.info.residual <= options.tolerance)) {
    embedding.info.termination = Termination::kStalled;
  }
  return embedding;
}

void divide_by_root_degrees(Matrix& points, const Graph& graph) {
  for (const NormalizedComponent& component : graph.components) {
    for (const int v : component.vertices) points.col(v) /= std::sqrt(graph.degrees[v]);
  }
}

/// Each eigenvector; rows without one stay zero.
void divide_rows_by_length(Matrix& points) {
  for (auto row : points.rowwise()) {
    const double length = row.stableNorm();
    if (length > 0.0) row /= length;
  }
}

void divide_points_by_length(Matrix& points, const Graph& graph) {
  for (const NormalizedComponent& component : graph.components) {
    for (const int v : component.vertices) points.col(v) /= points.col(v).stableNorm();
  }
}

void scale_points(Matrix& points, const Graph& graph, EmbeddingScale scale) {
  switch (scale) {
    case EmbeddingScale::kUnitPoints:
      return divide_points_by_length(points, graph);
    case EmbeddingScale::kRandomWalk:
      return divide_by_root_degrees(points, graph);
    case EmbeddingScale::kUnitWalk:
      divide_by_root_degrees(points, graph);
      divide_rows_by_length(points);
      return divide_points_by_length(points, graph);
    case EmbeddingScale::kNone:
      return;
  }
}

std::vector<std::string> warnings_about(const Embedding& embedding,
                                        const EmbeddingOptions& options) {
  std::vector<std::string> warnings;
  const Index rows = embedding.points.rows();
  const Index num_points = embedding.points.cols();
  const Index num_modes = num_points - embedding.num_isolated;
  if (embedding.num_components == 0) {
    warnings.push_back(
        message("no point has an edge: the embedding of all ", num_points, " points is zero"));
    return warnings;
  }
  if (embedding.num_isolated > 0) {
    warnings.push_back(message(embedding.num_isolated, " of ", num_points,
                               " points have no edge: their embedding is zero"));
  }
  if (embedding.num_components > rows) {
    warnings.push_back(message("the graph has ", embedding.num_components,
                               " components, more than the ", rows,
                               " wanted: the smallest were merged"));
  }
  if (num_modes < rows) {
    warnings.push_back(message("only ", num_modes, " eigenvectors exist, ", rows, " were wanted: ",
                               rows - num_modes, " rows of the embedding are zero"));
  }
  if (!embedding.info.converged()) {
    warnings.push_back(message("the eigenvectors did not converge: largest residual ",
                               embedding.info.residual, ", tolerance ", options.tolerance));
  }
  return warnings;
}

}  // namespace

Parameters describe(EmbeddingOptions& options) {
  return {
      choice("scale", options.scale,
             {{"unit-points", EmbeddingScale::kUnitPoints},
              {"random-walk", EmbeddingScale::kRandomWalk},
              {"unit-walk", EmbeddingScale::kUnitWalk},
              {"none", EmbeddingScale::kNone}},
             "how eigenvectors become coordinates of the points"),
      parameter("dimensions", options.dimensions, "eigenvectors used; 0: as many as clusters")
          .at_least(0),
      parameter("tolerance", options.tolerance,
                "largest residual of an eigenpair that counts as solved")
          .above(0.0),
      parameter("max_restarts", options.max_restarts,
                "Lanczos restarts before another solver takes over")
          .at_least(1),
  };
}

double coordinate_bytes(Index rows, Index num_points) {
  return matrix_bytes(1.0, rows, num_points);
}

double embedding_bytes(Index rows, Index num_points, double edges, const Context& context) {
  // The graph, its edges without loops, their transpose and the copy that it is made from.
  constexpr double kWhileChecked = 4.0;
  const double solved = while_solved_bytes(rows, num_points, edges);
  return std::max(kWhileChecked * kEdgeBytes * edges,
                  solved + eigenpair_bytes(num_points, rows - 1, beside(context, solved)));
}

Embedding spectral_embedding(const SparseMatrix& W, int num_clusters,
                             const EmbeddingOptions& options, std::uint64_t seed,
                             const Context& context) {
  EmbeddingOptions checked = options;
  check(describe(checked), "spectral_embedding");
  const Graph graph = split_graph(W, options.loops, context);
  check_num_clusters(num_clusters, graph.num_vertices);
  const Index rows = options.dimensions > 0 ? options.dimensions : num_clusters;
  check_memory("spectral_embedding", coordinate_bytes(rows, graph.num_vertices),
               allowed_memory(context), "ask for fewer clusters or dimensions");
  const Index num_components = static_cast<Index>(graph.components.size());
  const Context rest = beside(
      context, while_solved_bytes(rows, graph.num_vertices, static_cast<double>(W.nonZeros())));
  Embedding embedding = num_components >= rows
                            ? group_embedding(graph, rows, rest)
                            : eigenvector_embedding(graph, rows, options, seed, rest);
  embedding.loops = options.loops;
  embedding.warnings = warnings_about(embedding, options);
  scale_points(embedding.points, graph, options.scale);
  return embedding;
}

}  // namespace subspace
