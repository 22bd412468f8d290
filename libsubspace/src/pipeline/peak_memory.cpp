// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipeline/peak_memory.h>

#include <algorithm>
#include <variant>

#include <subspace/core/memory.h>

#include "affinity/affinity_bytes.h"
#include "linalg/sizes.h"
#include "neighbors/neighbor_bytes.h"
#include "neighbors/neighbor_count.h"
#include "pipeline/stage_memory.h"
#include "preprocess/preprocess_bytes.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

/// What a method leaves to the affinity.
struct Coefficients {
  bool full = false;       ///< an N x N matrix of doubles
  double per_point = 0.0;  ///< entries, where they are sparse
  bool kept = true;        ///< in the result, until the end
};

Coefficients coefficients_of(const ElasticNetOptions&) { return {.per_point = kUsualSupport}; }
Coefficients coefficients_of(const SscOptions&) { return {.per_point = kUsualSupport}; }
Coefficients coefficients_of(const KsscOptions&) { return {.per_point = kUsualSupport}; }
Coefficients coefficients_of(const OmpOptions& options) {
  return {.per_point = static_cast<double>(options.max_nonzeros)};
}
Coefficients coefficients_of(const SmceOptions& options) {
  return {.per_point = static_cast<double>(options.neighbors)};
}
Coefficients coefficients_of(const LsrOptions&) { return {.full = true}; }
Coefficients coefficients_of(const EdscOptions&) { return {.full = true}; }
Coefficients coefficients_of(const LrrOptions&) { return {.full = true}; }
Coefficients coefficients_of(const EscOptions& options) {
  return {.per_point = std::min<double>(kUsualSupport, options.num_exemplars), .kept = false};
}

/// The graph that a method ends in, and what it takes to get there beside the points.
struct GraphMemory {
  double self_expression = 0.0;
  double affinity = 0.0;
  double coefficients = 0.0;  ///< kept in the result
  double edges = 0.0;
};

struct Size {
  Index dimension = 0;
  Index num_points = 0;
  double points() const { return matrix_bytes(1.0, dimension, num_points); }
};

/// Column after column while they are found, then the matrix of them.
double building_bytes(const Coefficients& coefficients, Index num_points) {
  return 2.0 * kSparseEntryBytes * coefficients.per_point * static_cast<double>(num_points);
}

double kept_bytes(const Coefficients& coefficients, Index num_points) {
  if (!coefficients.kept) return 0.0;
  if (coefficients.full) return matrix_bytes(1.0, num_points, num_points);
  return kSparseEntryBytes * coefficients.per_point * static_cast<double>(num_points);
}

/// ESC joins the nearest columns of its coefficients, whatever the kind of the others is.
AffinityOptions affinity_of(const EscOptions&, const PipelineOptions& options) {
  return {.kind = AffinityKind::kNeighbors, .neighbors = options.affinity.neighbors};
}
template <typename Options>
AffinityOptions affinity_of(const Options&, const PipelineOptions& options) {
  return options.affinity;
}

/// Every self-expression solver.
template <typename Options>
GraphMemory graph_memory(const Options& method, const PipelineOptions& options, const Size& size,
                         const Context& context) {
  const Index n = size.num_points;
  Coefficients coefficients = coefficients_of(method);
  coefficients.per_point = std::min(coefficients.per_point, static_cast<double>(n));
  const AffinityOptions affinity = affinity_of(method, options);
  const double entries = coefficients.full ? static_cast<double>(n) : coefficients.per_point;
  return {
      .self_expression =
          solver_bytes(method, size.dimension, n, context) + building_bytes(coefficients, n),
      .affinity = size.points() + (coefficients.full ? full_affinity_bytes(affinity, n)
                                                     : sparse_affinity_bytes(affinity, n, entries)),
      .coefficients = kept_bytes(coefficients, n),
      .edges = most_edges(affinity, n, entries)};
}

GraphMemory graph_memory(const NeighborGraphOptions& method, const PipelineOptions&,
                         const Size& size, const Context& context) {
  const auto n = static_cast<double>(size.num_points);
  const double others = std::min(static_cast<double>(wanted_others(method)), n - 1.0);
  return {.affinity = size.points() +
                      neighbor_graph_bytes(method, size.dimension, size.num_points, context),
          .edges = (2.0 * others + 1.0) * n};
}

// ---- what takes less ---------------------------------------------------------------------------

constexpr char kSparseMethods[] =
    "use ensc, ssc-omp or esc, which keep few coefficients a point, or give fewer samples";

std::string full_hint(const char* method) {
  return std::string("the coefficients of ") + method + " are a full matrix; " + kSparseMethods;
}

std::string hint_for_solver(SscSolver solver) {
  if (solver == SscSolver::kActiveSet) return "use fewer threads or give fewer samples";
  return std::string("use solver active-set, which can do without full matrices, or ") +
         kSparseMethods;
}

std::string method_hint(const ElasticNetOptions&) {
  return "use fewer threads or give fewer samples";
}
std::string method_hint(const SscOptions& options) {
  const bool open_coordinates = options.outliers && options.solver == SscSolver::kActiveSet;
  return hint_for_solver(options.solver) + (open_coordinates ? " or features" : "");
}
std::string method_hint(const KsscOptions& options) {
  if (options.kernel_rank > 0) return hint_for_solver(options.solver);
  return std::string("the kernel is a full matrix; set kernel_rank, or ") + kSparseMethods;
}
std::string method_hint(const OmpOptions&) {
  return "use fewer threads, lower max_nonzeros or give fewer samples";
}
std::string method_hint(const SmceOptions&) {
  return "ask for fewer neighbors or use fewer threads";
}
std::string method_hint(const LsrOptions&) { return full_hint("lsr"); }
std::string method_hint(const EdscOptions&) { return full_hint("edsc"); }
std::string method_hint(const LrrOptions&) { return full_hint("lrr"); }
std::string method_hint(const EscOptions&) { return "lower num_exemplars or give fewer samples"; }
std::string method_hint(const NeighborGraphOptions&) {  // the search has a block for each thread
  return "ask for fewer neighbors, use fewer threads or give fewer samples";
}

/// Of the stage that makes an affinity of sparse coefficients: their number alone counts there, not
/// the threads or the matrices of the solver, which are gone.
template <typename Options>
std::string affinity_hint(const Options&, const AffinityOptions& affinity) {
  return affinity_kind_hint(affinity);
}
std::string affinity_hint(const OmpOptions&, const AffinityOptions&) {
  return "lower max_nonzeros or give fewer samples";
}
std::string affinity_hint(const SmceOptions&, const AffinityOptions&) {
  return "ask for fewer neighbors or give fewer samples";
}
std::string affinity_hint(const EscOptions& method, const AffinityOptions&) {
  return method_hint(method);
}
std::string affinity_hint(const NeighborGraphOptions& method, const AffinityOptions&) {
  return method_hint(method);
}

constexpr auto has_full = [](const auto& method) {
  if constexpr (requires { coefficients_of(method); }) {
    return coefficients_of(method).full;
  } else {
    return false;  // a neighbour graph has no coefficients
  }
};

std::string hint_for(const std::string& stage, const PipelineOptions& options) {
  if (stage == "load") return "give fewer samples or features";
  if (stage == "preprocess") return "the points are copied; give fewer samples or features";
  const bool graph = std::holds_alternative<NeighborGraphOptions>(options.method) ||
                     std::holds_alternative<EscOptions>(options.method);
  if (stage != "self-expression" && !graph && options.affinity.kind == AffinityKind::kLowRank) {
    return affinity_kind_hint(options.affinity);
  }
  if (stage == "self-expression" || std::visit(has_full, options.method)) {
    return std::visit([](const auto& method) { return method_hint(method); }, options.method);
  }
  if (stage == "affinity") {
    return std::visit([&](const auto& method) { return affinity_hint(method, options.affinity); },
                      options.method);
  }
  return "ask for fewer clusters or give fewer samples";
}

}  // namespace

std::vector<StageMemory> predicted_memory(const PipelineOptions& options, Index dimension,
                                          Index num_points, const Context& context) {
  check_predicted_count(options);
  const double given = matrix_bytes(1.0, dimension, num_points);
  std::vector<StageMemory> stages = {{"load", given}};
  if (is_single(options)) return stages;
  const Index reduced = preprocessed_dimension(options.preprocess, dimension, num_points);
  const GraphMemory graph = std::visit(
      [&](const auto& method) {
        return graph_memory(method, options, {reduced, num_points}, beside(context, given));
      },
      options.method);
  stages.push_back({"preprocess", preprocess_bytes(options.preprocess, dimension, num_points)});
  stages.push_back({"self-expression", given + graph.self_expression});
  stages.push_back({"affinity", given + graph.affinity});
  append_clusters(
      stages, options,
      {.num_points = num_points, .edges = graph.edges, .held = given + graph.coefficients},
      context);
  return stages;
}

StageMemory predicted_peak_memory(const PipelineOptions& options, Index dimension, Index num_points,
                                  const Context& context) {
  return largest_stage(predicted_memory(options, dimension, num_points, context));
}

void check_peak_memory(const PipelineOptions& options, Index dimension, Index num_points,
                       const Context& context) {
  const StageMemory peak = predicted_peak_memory(options, dimension, num_points, context);
  check_memory("cluster, stage " + peak.stage, peak.bytes, allowed_memory(context),
               hint_for(peak.stage, options));
}

}  // namespace subspace
