// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/spectral_pipeline.h"

#include <utility>
#include <variant>

namespace subspace::pipelines {
namespace {

std::string stage_name(const ElasticNetOptions&) { return "ensc"; }
std::string stage_name(const NeighborGraphOptions&) { return "graph"; }

bool is_self_expression(const Method& method) {
  return !std::holds_alternative<NeighborGraphOptions>(method);
}

Parameters describe_assignment(Assignment& assignment) {
  return {choice("algorithm", assignment,
                 {{"kmeans", Assignment::kKMeans}, {"discretize", Assignment::kDiscretize}},
                 "how the embedding becomes labels: k-means, or Yu-Shi discretisation")};
}

NamedValues certificate(const ClusteringResult& result, const ElasticNetOptions& options) {
  return {{"kkt_violation", max_residual(result.representation)},
          {"tolerance", options.tolerance},
          {"columns_unconverged", std::int64_t{num_unconverged(result.representation)}},
          {"embedding_residual", result.embedding.info.residual}};
}

NamedValues certificate(const ClusteringResult& result, const EmbeddingOptions& options) {
  return {{"embedding_residual", result.embedding.info.residual}, {"tolerance", options.tolerance}};
}

NamedValues certificate(const ClusteringResult& result, const PipelineOptions& options) {
  if (const auto* ensc = std::get_if<ElasticNetOptions>(&options.method)) {
    return certificate(result, *ensc);
  }
  return certificate(result, options.embedding);
}

}  // namespace

SpectralPipeline::SpectralPipeline(PipelineOptions defaults) : options_(std::move(defaults)) {}

std::vector<MethodOption> SpectralPipeline::options() {
  std::vector<MethodOption> all;
  append_stage(all, "preprocess", describe(options_.preprocess));
  std::visit([&](auto& method) { append_stage(all, stage_name(method), describe(method)); },
             options_.method);
  if (is_self_expression(options_.method))
    append_stage(all, "affinity", describe(options_.affinity));
  append_stage(all, "embedding", describe(options_.embedding));
  append_stage(all, "assignment", describe_assignment(options_.assign.assignment));
  append_stage(all, "kmeans", describe(options_.assign.kmeans));
  append_stage(all, "discretize", describe(options_.assign.discretize));
  return all;
}

Outcome SpectralPipeline::run(const Points& points, int num_clusters, const Execution& execution,
                              const Context& context) const {
  PipelineOptions options = options_;
  options.num_clusters = num_clusters;
  options.seed = execution.seed;
  ClusteringResult result = cluster(points.X, options, context);
  Outcome outcome;
  outcome.seconds = result.seconds;
  outcome.converged = converged(result);
  outcome.certificate = certificate(result, options);
  outcome.labels = std::move(result.labels);
  outcome.warnings = std::move(result.warnings);
  if (execution.keep_evidence) {
    outcome.evidence = Evidence{std::move(result.embedding.points), "spectral embedding",
                                std::move(result.affinity)};
  }
  return outcome;
}

Work SpectralPipeline::work(const Points& points, int num_clusters) const {
  const auto n = static_cast<double>(points.X.cols());
  const auto d = static_cast<double>(points.X.rows());
  // All inner products; the coefficients of self-expression cost about as much again. Lanczos works
  // with some ten times as many vectors as clusters, the graph has a few tens of edges a point.
  const double products = n * n * d * (is_self_expression(options_.method) ? 2.0 : 1.0);
  const double edges = 50.0 * n;
  const double vectors = 10.0 * num_clusters;
  return {.multiply_adds = products + vectors * (edges + n * vectors),
          .bytes = 8.0 * (2.0 * n * d + n * vectors) + 12.0 * 4.0 * edges};
}

MethodDefinition spectral_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    PipelineOptions options;
    // scikit-learn's SpectralClustering(affinity="nearest_neighbors", n_neighbors=5) counts a point
    // among its own neighbours; the same number has to give the same graph here.
    options.method =
        NeighborGraphOptions{.k = 5, .metric = Metric::kEuclidean, .include_self = true};
    options.embedding.scale = EmbeddingScale::kRandomWalk;
    return std::make_unique<SpectralPipeline>(options);
  };
  return {{"spectral",
           "spectral clustering of the nearest-neighbour graph; as in scikit-learn a point counts "
           "among "
           "its own neighbours (graph.include_self)",
           "U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007."},
          make};
}

MethodDefinition ensc_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    return std::make_unique<SpectralPipeline>(PipelineOptions{});
  };
  return {
      {"ensc",
       "elastic net subspace clustering: each point as a sparse combination of the others, then "
       "spectral clustering of the coefficients",
       "C. You, C.-G. Li, D. Robinson, R. Vidal. Oracle based active set algorithm for scalable "
       "elastic net subspace clustering. CVPR 2016."},
      make};
}

}  // namespace subspace::pipelines
