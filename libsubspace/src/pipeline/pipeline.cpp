// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipeline/pipeline.h>

#include <chrono>

#include <subspace/core/error.h>
#include <subspace/preprocess/preprocess.h>

#include "neighbors/neighbor_count.h"

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
  check(describe(options.embedding), "embedding");
  check(describe(options.assign.kmeans), "kmeans");
  check(describe(options.assign.discretize), "discretize");
  const int dimensions = options.embedding.dimensions;
  if (options.assign.assignment == Assignment::kDiscretize && dimensions > 0 &&
      dimensions != options.num_clusters) {
    throw InvalidArgument(message("embedding: dimensions = ", dimensions,
                                  ", must be 0 or the number of clusters (", options.num_clusters,
                                  ") for discretize"));
  }
}

/// The affinity of a method: overloads for each alternative of the variant.
struct BuildAffinity {
  const Matrix& points;
  const PipelineOptions& options;
  const Context& context;
  ClusteringResult& result;

  SparseMatrix operator()(const ElasticNetOptions& method) const {
    {
      const Stopwatch watch(result.seconds.self_expression);
      result.representation = elastic_net(points, method, context);
    }
    const Index missed = num_unconverged(result.representation);
    if (missed > 0) {
      result.warnings.push_back(message(
          "elastic_net: ", missed, " of ", points.cols(), " points did not reach tolerance ",
          method.tolerance, ", largest violation ", max_residual(result.representation)));
    }
    const Stopwatch watch(result.seconds.affinity);
    return make_affinity(std::get<SelfExpression>(result.representation).coefficients,
                         options.affinity, context);
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

void run_stages(const ConstMatrixRef& X, const PipelineOptions& options, const Context& context,
                ClusteringResult& result) {
  {
    const Matrix points = normalised_points(X, options, context, result);
    result.affinity = std::visit(BuildAffinity{points, options, context, result}, options.method);
  }
  {
    const Stopwatch watch(result.seconds.embedding);
    result.embedding = spectral_embedding(result.affinity, options.num_clusters, options.embedding,
                                          options.seed, context);
  }
  result.warnings.insert(result.warnings.end(), result.embedding.warnings.begin(),
                         result.embedding.warnings.end());
  const Stopwatch watch(result.seconds.assignment);
  Assigned assigned =
      assign(result.embedding.points, options.num_clusters, options.assign, options.seed, context);
  result.labels = std::move(assigned.labels);
  result.assignment = assigned.info;
}

}  // namespace

void require_clusterable(const ConstMatrixRef& X, int num_clusters) {
  require_finite(X, "cluster");
  if (X.cols() < 2) throw DataError("cluster: 1 sample, at least 2 are needed");
  if (num_clusters < 1 || num_clusters > X.cols()) {
    throw DataError(message("cluster: k = ", num_clusters, ", must satisfy 1 <= k <= ", X.cols(),
                            ", the number of samples"));
  }
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
  require_clusterable(X, options.num_clusters);
  ClusteringResult result;
  if (options.num_clusters == 1) {
    result.labels.assign(static_cast<std::size_t>(X.cols()), 0);
  } else {
    const Stopwatch watch(result.seconds.total);
    run_stages(X, options, context, result);
  }
  return result;
}

}  // namespace subspace
