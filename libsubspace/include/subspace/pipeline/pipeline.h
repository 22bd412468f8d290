// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <subspace/affinity/affinity.h>
#include <subspace/cluster/assign.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/edsc.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/exemplars.h>
#include <subspace/self_expression/kssc.h>
#include <subspace/self_expression/lrr.h>
#include <subspace/self_expression/lsr.h>
#include <subspace/self_expression/omp.h>
#include <subspace/self_expression/smce.h>
#include <subspace/self_expression/ssc.h>
#include <subspace/spectral/embedding.h>

namespace subspace {

/// Where the affinity comes from: coefficients of a self-expression solver, coefficients on few
/// exemplars, or a neighbour graph.
using Method = std::variant<ElasticNetOptions, SscOptions, KsscOptions, OmpOptions, SmceOptions,
                            LsrOptions, EdscOptions, LrrOptions, EscOptions, NeighborGraphOptions>;

struct PipelineOptions {
  int num_clusters = 0;  ///< required, 1 .. N, unless it is estimated
  /// Given: num_clusters is not used, and the affinity decides by estimate_cluster_count().
  std::optional<ClusterCountOptions> estimate = {};
  PreprocessOptions preprocess = {};
  Method method = ElasticNetOptions{};
  AffinityOptions affinity = {};  ///< used by self-expression methods; of ESC, `neighbors` alone
  EmbeddingOptions embedding = {};
  AssignOptions assign = {};
  std::uint64_t seed = 0;  ///< the only source of randomness in the run
};

/// Wall time of each stage.
struct StageSeconds {
  double preprocess = 0.0;
  double self_expression = 0.0;  ///< normalised columns to final C, Gram and certificate included
  double affinity = 0.0;
  double embedding = 0.0;
  double assignment = 0.0;
  double total = 0.0;
};

struct ClusteringResult {
  Labels labels = {};
  /// Empty for neighbour graphs; of ESC it has the solves alone.
  Representation representation = {};
  SparseMatrix affinity = {};
  Embedding embedding = {};
  SolveInfo assignment = {};
  std::optional<ClusterCount> cluster_count = {};  ///< where the number was estimated
  StageSeconds seconds = {};
  std::vector<std::string> warnings = {};
};

/// What every method asks of its data: finite, at least two points, 1 <= k <= N. Throws DataError.
SUBSPACE_API void require_clusterable(const ConstMatrixRef& X, int num_clusters);

/// Every stage met its own tolerance.
SUBSPACE_API bool converged(const ClusteringResult& result);

/// Clusters the columns of X: normalise, represent, affinity, embedding, assignment. Throws, before
/// any work, DataError for data no method can use (empty, one point, NaN, k outside 1 .. N),
/// InvalidArgument for options out of range (also a low rank of k times a dimension where k is
/// estimated), ResourceError where peak_memory.h predicts more than the context allows. k = 1 needs
/// no graph: all zeros.
SUBSPACE_API ClusteringResult cluster(const ConstMatrixRef& X, const PipelineOptions& options,
                                      const Context& context = {});

/// The same from coefficients of one's own, sparse or full: affinity, embedding, assignment.
/// Preprocessing and method of the options are not used. What it takes is predicted alike.
SUBSPACE_API ClusteringResult cluster_coefficients(const SparseMatrix& C,
                                                   const PipelineOptions& options,
                                                   const Context& context = {});
SUBSPACE_API ClusteringResult cluster_coefficients(const ConstMatrixRef& C,
                                                   const PipelineOptions& options,
                                                   const Context& context = {});

/// The same from an affinity of one's own: embedding and assignment. The result has it as a sparse
/// matrix, a copy unless it is given away.
SUBSPACE_API ClusteringResult cluster_affinity(SparseMatrix&& W, const PipelineOptions& options,
                                               const Context& context = {});
SUBSPACE_API ClusteringResult cluster_affinity(const SparseMatrix& W,
                                               const PipelineOptions& options,
                                               const Context& context = {});
SUBSPACE_API ClusteringResult cluster_affinity(const ConstMatrixRef& W,
                                               const PipelineOptions& options,
                                               const Context& context = {});

}  // namespace subspace
