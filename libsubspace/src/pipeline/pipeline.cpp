// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipeline/pipeline.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/preprocess/preprocess.h>

#include "linalg/sizes.h"
#include "neighbors/neighbor_count.h"
#include "pipeline/represent.h"
#include "pipeline/stage_memory.h"

namespace subspace {
namespace {

/// Adds the wall time of a scope to a field.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void check_options(PipelineOptions options) {
  check(describe(options.preprocess), "preprocess");
  std::visit([](auto& method) { check(describe(method), "cluster"); }, options.method);
  check(describe(options.affinity), "affinity");
  if (options.estimate) check(describe(*options.estimate), "estimate_cluster_count");
  check(describe(options.embedding), "embedding");
  check(describe(options.assign.kmeans), "kmeans");
  check(describe(options.assign.discretize), "discretize");
}

/// What can only be said once the number of clusters is known.
void check_dimensions(const PipelineOptions& options) {
  const int dimensions = options.embedding.dimensions;
  if (options.assign.assignment == Assignment::kDiscretize && dimensions > 0 &&
      dimensions != options.num_clusters) {
    throw InvalidArgument(message("embedding: dimensions = ", dimensions,
                                  ", must be 0 or the number of clusters (", options.num_clusters,
                                  ") for discretize"));
  }
}

AffinityOptions affinity_options(const PipelineOptions& options) {
  AffinityOptions affinity = options.affinity;
  affinity.num_clusters = options.num_clusters;
  return affinity;
}

/// The affinity of a method: overloads for each alternative of the variant.
struct BuildAffinity {
  const Matrix& points;
  const PipelineOptions& options;
  const Context& context;
  ClusteringResult& result;

  /// Every self-expression solver.
  template <typename Options>
  SparseMatrix operator()(const Options& method) const {
    {
      const Stopwatch watch(result.seconds.self_expression);
      result.representation = represent(points, method, context);
    }
    warn_of_unsolved(method);
    if constexpr (std::is_same_v<Options, EdscOptions>) warn_of_no_stationary_point(method);
    const Stopwatch watch(result.seconds.affinity);
    return std::visit(
        [&](const auto& own) {
          return make_affinity(own.coefficients, affinity_options(options), context);
        },
        result.representation);
  }

  SparseMatrix operator()(const EscOptions& method) const {
    ExemplarExpression exemplars;
    {
      const Stopwatch watch(result.seconds.self_expression);
      exemplars = select_exemplars(points, method, options.seed, context);
    }
    result.representation = SelfExpression{{}, std::move(exemplars.solves)};
    warn_of_unsolved(method);
    const Stopwatch watch(result.seconds.affinity);
    return exemplar_affinity(exemplars.coefficients, options.affinity.neighbors, context);
  }

  SparseMatrix operator()(const NeighborGraphOptions& method) const {
    if (wanted_others(method) > points.cols() - 1) {
      result.warnings.push_back(message("neighbor_graph: neighbors = ", method.k, ", but ",
                                        points.cols(), " points have only ", points.cols() - 1,
                                        " others each: all of them are joined"));
    }
    const Stopwatch watch(result.seconds.affinity);
    return neighbor_graph(points, method, context);
  }

  template <typename Options>
  void warn_of_unsolved(const Options& method) const {
    const Index missed = num_unconverged(result.representation);
    if (missed == 0) return;
    // Solvers with a stopping error solve one problem.
    const std::vector<SolveInfo>& all = solves(result.representation);
    const bool by_residual = std::isnan(all.front().stopping_error);
    result.warnings.push_back(
        message(solver_name(method), ": ", missed, " of ", all.size(),
                " problems did not reach their tolerance, largest ",
                by_residual ? "residual " : "stopping error ",
                by_residual ? max_residual(result.representation) : all.front().stopping_error));
  }

  /// Converged means that the constraint of the outlier model holds, not that its objective is low.
  void warn_of_no_stationary_point(const EdscOptions& method) const {
    const double residual = max_residual(result.representation);
    if (!method.outliers || residual <= kEdscStationary) return;
    if (num_unconverged(result.representation) > 0) return;  // which another warning says
    result.warnings.push_back(
        message("edsc: the outlier model ended with a stationarity residual of ", residual,
                ", must be at most ", kEdscStationary,
                " at a stationary point: its penalty grew too fast; lower growth = ", method.growth,
                " towards 1, where 1.02 is usually enough and takes many more rounds"));
  }
};

Matrix normalised_points(const ConstMatrixRef& X, const PipelineOptions& options,
                         const Context& context, ClusteringResult& result) {
  const Stopwatch watch(result.seconds.preprocess);
  Preprocessed preprocessed = preprocess(X, options.preprocess, context);
  if (preprocessed.num_zero > 0) {
    result.warnings.push_back(message("preprocess: ", preprocessed.num_zero,
                                      " zero samples have no direction and stay zero"));
  }
  return std::move(preprocessed.points);
}

double bytes_of(const SelfExpression& own) { return given_bytes(measured(own.coefficients)); }
double bytes_of(const DenseSelfExpression& own) {
  return given_bytes({.num_points = own.coefficients.cols(), .full = true});
}

/// The embedding has what is left beside what is held, so that no solver of eigenvectors takes the
/// place of points and coefficients. It never has less than it was counted with: there may be more
/// coefficients than were expected, and what is found is not thrown away for that.
Context embedding_context(const PipelineOptions& options, double held, const Context& context,
                          const SparseMatrix& W) {
  const HeldGraph graph{
      .num_points = W.cols(), .edges = static_cast<double>(W.nonZeros()), .held = held};
  Context rest = beside(context, held);
  rest.max_memory = std::max(
      rest.max_memory, static_cast<std::int64_t>(most_embedding_bytes(options, graph, context)));
  return rest;
}

/// The options with the number of clusters that the affinity speaks for.
PipelineOptions with_estimated_count(PipelineOptions options, const Context& context,
                                     ClusteringResult& result) {
  const Stopwatch watch(result.seconds.embedding);
  ClusterCountOptions estimate = *options.estimate;
  estimate.loops = options.affinity.loops;
  result.cluster_count = estimate_cluster_count(result.affinity, estimate, options.seed, context);
  options.num_clusters = result.cluster_count->num_clusters;
  options.estimate.reset();
  for (const std::string& warning : result.cluster_count->warnings) {
    result.warnings.push_back("number of clusters: " + warning);
  }
  return options;
}

/// From the affinity in `result` to labels, beside so many bytes.
void embed_and_assign(const PipelineOptions& options, double held, const Context& context,
                      ClusteringResult& result) {
  const Context rest = embedding_context(options, held, context, result.affinity);
  if (options.estimate) {
    embed_and_assign(with_estimated_count(options, rest, result), held, context, result);
    return;
  }
  check_dimensions(options);
  if (options.num_clusters == 1) {
    result.labels.assign(static_cast<std::size_t>(result.affinity.cols()), 0);
    return;
  }
  {
    const Stopwatch watch(result.seconds.embedding);
    EmbeddingOptions embedding = options.embedding;
    embedding.loops = options.affinity.loops;
    result.embedding =
        spectral_embedding(result.affinity, options.num_clusters, embedding, options.seed, rest);
  }
  result.warnings.insert(result.warnings.end(), result.embedding.warnings.begin(),
                         result.embedding.warnings.end());
  const Stopwatch watch(result.seconds.assignment);
  Assigned assigned =
      assign(result.embedding.points, options.num_clusters, options.assign, options.seed, context);
  result.labels = std::move(assigned.labels);
  result.assignment = assigned.info;
  if (!assigned.info.converged() && assigned.info.termination != Termination::kNotRun) {
    result.warnings.push_back(message("assignment: stopped after ", assigned.info.iterations,
                                      " iterations, before its tolerance"));
  }
}

void run_stages(const ConstMatrixRef& X, const PipelineOptions& options, const Context& context,
                ClusteringResult& result) {
  const double given = matrix_bytes(1.0, X.rows(), X.cols());
  {
    const Matrix points = normalised_points(X, options, context, result);
    // The caller's points stay beside the normalised ones.
    const Context rest = beside(context, given);
    result.affinity = std::visit(BuildAffinity{points, options, rest, result}, options.method);
  }
  const double coefficients =
      std::visit([](const auto& own) { return bytes_of(own); }, result.representation);
  embed_and_assign(options, given + coefficients, context, result);
}

void require_some(Index num_points) {
  if (num_points < 2) throw DataError("cluster: 1 sample, at least 2 are needed");
}

void require_count(Index num_points, int num_clusters) {
  require_some(num_points);
  if (num_clusters < 1 || num_clusters > num_points) {
    throw DataError(message("cluster: k = ", num_clusters, ", must satisfy 1 <= k <= ", num_points,
                            ", the number of samples"));
  }
}

/// Refuses, before any work, a number of clusters that cannot be, or cannot be estimated.
void check_count(Index num_points, const PipelineOptions& options) {
  if (!options.estimate) {
    require_count(num_points, options.num_clusters);
    check_dimensions(options);
    return;
  }
  require_some(num_points);
  const AffinityOptions& affinity = options.affinity;
  if (affinity.kind == AffinityKind::kLowRank && affinity.dimension > 0) {
    throw InvalidArgument(message(
        "affinity: dimension = ", affinity.dimension,
        ", must be 0 where the number of clusters is estimated: the rank of kind low-rank would be "
        "dimension x clusters + 1; set affinity.dimension = 0, and the coefficients tell the "
        "rank"));
  }
}

/// `stages` fills in a result that is not that of a single cluster.
template <typename Stages>
ClusteringResult cluster_points(Index num_points, const PipelineOptions& options,
                                const Stages& stages) {
  ClusteringResult result;
  if (!options.estimate && options.num_clusters == 1) {
    result.labels.assign(static_cast<std::size_t>(num_points), 0);
  } else {
    const Stopwatch watch(result.seconds.total);
    stages(result);
  }
  return result;
}

template <typename Coefficients>
ClusteringResult cluster_from(const Coefficients& C, const PipelineOptions& options,
                              const Context& context) {
  check_options(options);
  check_count(C.cols(), options);
  const OwnMatrix size = measured(C);
  check_coefficients_memory(options, size, context);
  return cluster_points(C.cols(), options, [&](ClusteringResult& result) {
    {
      const Stopwatch watch(result.seconds.affinity);
      result.affinity = make_affinity(C, affinity_options(options), context);
    }
    embed_and_assign(options, given_bytes(size), context, result);
  });
}

/// `fill` gives the affinity to the result; it is called when all is known to fit.
template <typename Fill>
ClusteringResult cluster_graph(const OwnMatrix& size, const PipelineOptions& options,
                               const Context& context, const Fill& fill) {
  check_options(options);
  check_count(size.num_points, options);
  check_affinity_memory(options, size, context);
  return cluster_points(size.num_points, options, [&](ClusteringResult& result) {
    fill(result.affinity);
    embed_and_assign(options, size.kept ? given_bytes(size) : 0.0, context, result);
  });
}

/// As many as there are, no place spare.
void fill_nonzero(const ConstMatrixRef& A, double count, SparseMatrix& W) {
  check_sparse_size("cluster_affinity", static_cast<Index>(count), "give fewer samples");
  W.resize(A.rows(), A.cols());
  W.reserve(static_cast<Index>(count));
  for (Index j = 0; j < A.cols(); ++j) {
    W.startVec(j);
    for (Index i = 0; i < A.rows(); ++i) {
      if (A(i, j) != 0.0) W.insertBack(i, j) = A(i, j);
    }
  }
  W.finalize();
}

}  // namespace

void require_clusterable(const ConstMatrixRef& X, int num_clusters) {
  require_finite(X, "cluster");
  require_count(X.cols(), num_clusters);
}

bool converged(const ClusteringResult& result) {
  // Parts that did not run (k = 1, neighbour graphs) cannot have failed.
  const auto fine = [](const SolveInfo& info) {
    return info.termination == Termination::kNotRun || info.converged();
  };
  return num_unconverged(result.representation) == 0 && fine(result.embedding.info) &&
         fine(result.assignment);
}

ClusteringResult cluster(const ConstMatrixRef& X, const PipelineOptions& options,
                         const Context& context) {
  check_options(options);
  require_finite(X, "cluster");
  check_count(X.cols(), options);
  check_peak_memory(options, X.rows(), X.cols(), context);
  return cluster_points(X.cols(), options,
                        [&](ClusteringResult& result) { run_stages(X, options, context, result); });
}

ClusteringResult cluster_coefficients(const SparseMatrix& C, const PipelineOptions& options,
                                      const Context& context) {
  return cluster_from(C, options, context);
}

ClusteringResult cluster_coefficients(const ConstMatrixRef& C, const PipelineOptions& options,
                                      const Context& context) {
  return cluster_from(C, options, context);
}

ClusteringResult cluster_affinity(SparseMatrix&& W, const PipelineOptions& options,
                                  const Context& context) {
  OwnMatrix size = measured(W);
  size.kept = false;
  // Eigen's sparse matrices are not moved but copied.
  return cluster_graph(size, options, context, [&](SparseMatrix& own) { own.swap(W); });
}

ClusteringResult cluster_affinity(const SparseMatrix& W, const PipelineOptions& options,
                                  const Context& context) {
  return cluster_graph(measured(W), options, context, [&](SparseMatrix& own) { own = W; });
}

ClusteringResult cluster_affinity(const ConstMatrixRef& W, const PipelineOptions& options,
                                  const Context& context) {
  const OwnMatrix size = measured(W);
  return cluster_graph(size, options, context,
                       [&](SparseMatrix& own) { fill_nonzero(W, size.entries, own); });
}

}  // namespace subspace
