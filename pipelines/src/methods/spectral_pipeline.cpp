// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/spectral_pipeline.h"

#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include <subspace/diagnostics/graph_cut.h>
#include <subspace/spectral/components.h>

#include "methods/margin_confidence.h"
#include "methods/rate_signal.h"
#include "methods/solver_certificate.h"
#include "methods/spectral_work.h"
#include "postprocess.h"

namespace subspace::pipelines {
namespace {

std::string stage_name(const ElasticNetOptions&) { return "ensc"; }
std::string stage_name(const SscOptions&) { return "ssc"; }
std::string stage_name(const KsscOptions&) { return "kssc"; }
std::string stage_name(const OmpOptions&) { return "omp"; }
std::string stage_name(const SmceOptions&) { return "smce"; }
std::string stage_name(const LsrOptions&) { return "lsr"; }
std::string stage_name(const EdscOptions&) { return "edsc"; }
std::string stage_name(const LrrOptions&) { return "lrr"; }
std::string stage_name(const EscOptions&) { return "esc"; }
std::string stage_name(const NeighborGraphOptions&) { return "graph"; }

bool is_self_expression(const Method& method) {
  return !std::holds_alternative<NeighborGraphOptions>(method);
}

/// One cluster leaves nothing to doubt.
Confidence certain(const Labels& labels) {
  return {.points = Vector::Ones(static_cast<Index>(labels.size())),
          .runners_up = labels,
          .labels = {0},
          .of_labels = Vector::Ones(1),
          .mean = 1.0};
}

/// The margin in the embedding, but none for points that no path of the graph joins with the
/// largest part of their cluster: only the lack of better places put them there.
Confidence graph_confidence(const ClusteringResult& result, const Context& context) {
  Confidence confidence = label_confidence(result.embedding.points, result.labels, context);
  const Components components = connected_components(result.affinity);
  std::map<std::pair<int, int>, Index> sizes;  // of each component within each cluster
  for (std::size_t j = 0; j < result.labels.size(); ++j) {
    ++sizes[{result.labels[j], components.of[j]}];
  }
  std::map<int, std::pair<Index, int>> largest;  // by cluster
  for (const auto& [where, size] : sizes) {
    auto& best = largest[where.first];
    if (size > best.first) best = {size, where.second};
  }
  for (std::size_t j = 0; j < result.labels.size(); ++j) {
    if (components.of[j] != largest[result.labels[j]].second) {
      confidence.points[static_cast<Index>(j)] = 0.0;
    }
  }
  Labels runners_up = std::move(confidence.runners_up);
  confidence = summed_up(std::move(confidence.points), result.labels);
  confidence.runners_up = std::move(runners_up);
  return confidence;
}

/// Whether its subspaces need not pass through the origin; neighbour graphs know of none.
constexpr auto is_affine = [](const auto& method) {
  if constexpr (requires { bool{method.affine}; }) {
    return method.affine;
  } else {
    return std::is_same_v<std::decay_t<decltype(method)>, SmceOptions> ||
           std::is_same_v<std::decay_t<decltype(method)>, NeighborGraphOptions>;
  }
};

Parameters describe_assignment(Assignment& assignment) {
  return {choice("algorithm", assignment,
                 {{"kmeans", Assignment::kKMeans}, {"discretize", Assignment::kDiscretize}},
                 "how the embedding becomes labels: k-means, or Yu-Shi discretisation")};
}

/// Whether a column belongs to every point: exemplars and neighbour graphs have no such matrix.
bool has_coefficients(const ClusteringResult& result) {
  return std::visit(
      [&](const auto& found) {
        const auto n = static_cast<Index>(result.labels.size());
        return found.coefficients.rows() == n && found.coefficients.cols() == n;
      },
      result.representation);
}

NamedValues certificate(const ClusteringResult& result, const PipelineOptions& options) {
  if (!is_self_expression(options.method)) {
    return {{"embedding_residual", result.embedding.info.residual},
            {"tolerance", options.embedding.tolerance}};
  }
  NamedValues values = solver_certificate(options.method, result.representation);
  values.emplace_back("columns_unconverged", std::int64_t{num_unconverged(result.representation)});
  values.emplace_back("embedding_residual", result.embedding.info.residual);
  return values;
}

}  // namespace

void append_assignment_stages(std::vector<MethodOption>& all, PipelineOptions& options) {
  append_stage(all, "embedding", describe(options.embedding));
  append_stage(all, "assignment", describe_assignment(options.assign.assignment));
  append_stage(all, "kmeans", describe(options.assign.kmeans));
  append_stage(all, "discretize", describe(options.assign.discretize));
}

PipelineOptions with_execution(PipelineOptions options, int num_clusters,
                               const Execution& execution) {
  options.num_clusters = num_clusters;
  options.estimate = execution.estimate;
  options.seed = execution.seed;
  return options;
}

Outcome outcome_of(ClusteringResult result, const Execution& execution, NamedValues certificate,
                   const Context& context) {
  Outcome outcome;
  outcome.seconds = result.seconds;
  outcome.converged = converged(result);
  outcome.certificate = std::move(certificate);
  outcome.labels = result.labels;
  outcome.warnings = std::move(result.warnings);
  if (result.embedding.points.cols() == 0) {
    outcome.confidence = certain(outcome.labels);
  } else {
    outcome.confidence = graph_confidence(result, context);
    outcome.signals = {{"cut", graph_cut(result.affinity, outcome.labels).mean},
                       {"confidence", outcome.confidence->mean}};
  }
  outcome.cluster_count = std::move(result.cluster_count);
  if (execution.keep_coefficients && has_coefficients(result)) {
    outcome.coefficients = std::move(result.representation);
  }
  if (execution.keep_evidence) {
    outcome.evidence = Evidence{.embedding = std::move(result.embedding.points),
                                .embedding_of = "spectral embedding",
                                .affinity = std::move(result.affinity),
                                .loops = result.embedding.loops};
  }
  return outcome;
}

SpectralPipeline::SpectralPipeline(PipelineOptions defaults) : options_(std::move(defaults)) {}

std::vector<MethodOption> SpectralPipeline::options() {
  std::vector<MethodOption> all;
  append_stage(all, "preprocess", describe(options_.preprocess));
  std::visit([&](auto& method) { append_stage(all, stage_name(method), describe(method)); },
             options_.method);
  append_stage(all, "affinity", affinity_parameters());
  append_assignment_stages(all, options_);
  return all;
}

/// Those that the method makes use of.
Parameters SpectralPipeline::affinity_parameters() {
  if (!is_self_expression(options_.method)) return {};
  Parameters all = describe(options_.affinity);
  const bool exemplars = std::holds_alternative<EscOptions>(options_.method);
  if (exemplars) {
    std::erase_if(all, [](const Parameter& each) { return each.name != "neighbors"; });
  }
  all.push_back(exemplars ? neighbor_postprocess_parameter(postprocess_)
                          : postprocess_parameter(postprocess_));
  return all;
}

Outcome SpectralPipeline::run(const Points& points, int num_clusters, const Execution& execution,
                              const Context& context) const {
  const PipelineOptions options = with_execution(options_, num_clusters, execution);
  ClusteringResult result = cluster(points.X, options, context);
  NamedValues evidence = certificate(result, options);
  Outcome outcome = outcome_of(std::move(result), execution, std::move(evidence), context);
  add_rate_signal(points.X, outcome, context);
  return outcome;
}

std::optional<ModelPlan> SpectralPipeline::model_plan() const {
  return ModelPlan{.preprocess = options_.preprocess,
                   .affine = std::visit(is_affine, options_.method),
                   .mapped = std::holds_alternative<KsscOptions>(options_.method)};
}

Work SpectralPipeline::work(const Points& points, int num_clusters, const Context& context) const {
  return spectral_work(options_, points.X.cols(), points.X.rows(), num_clusters, context);
}

}  // namespace subspace::pipelines
