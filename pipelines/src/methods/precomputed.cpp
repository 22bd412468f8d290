// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/precomputed.h"

#include <utility>

#include <subspace/core/error.h>
#include <subspace/pipeline/peak_memory.h>

#include "methods/spectral_pipeline.h"
#include "postprocess.h"

namespace subspace::pipelines {
namespace {

template <typename AnyMatrix>
void require_square(const AnyMatrix& X) {
  if (X.rows() == X.cols()) return;
  throw DataError(message("precomputed: ", X.cols(), " samples of ", X.rows(),
                          " values, must be a square matrix"));
}

}  // namespace

std::vector<MethodOption> Precomputed::options() {
  std::vector<MethodOption> all;
  append_stage(
      all, "precomputed",
      {choice("kind", kind_,
              {{"affinity", PrecomputedKind::kAffinity},
               {"coefficients", PrecomputedKind::kCoefficients}},
              "what the matrix is: symmetric weights, or a row of coefficients a sample")});
  append_stage(all, "affinity", describe(options_.affinity));
  append_stage(all, "affinity", {postprocess_parameter(postprocess_)});
  append_assignment_stages(all, options_);
  return all;
}

Outcome Precomputed::run(const Points& points, int num_clusters, const Execution& execution,
                         const Context& context) const {
  const PipelineOptions options = with_execution(options_, num_clusters, execution);
  ClusteringResult result = points.sparse != nullptr ? run_sparse(*points.sparse, options, context)
                                                     : run_dense(points.X, options, context);
  NamedValues certificate = {{"embedding_residual", result.embedding.info.residual},
                             {"tolerance", options.embedding.tolerance}};
  return outcome_of(std::move(result), execution, std::move(certificate), context);
}

ClusteringResult Precomputed::run_dense(const ConstMatrixRef& X, const PipelineOptions& options,
                                        const Context& context) const {
  require_finite(X, "cluster");
  require_square(X);
  return kind_ == PrecomputedKind::kAffinity ? cluster_affinity(X, options, context)
                                             : cluster_coefficients(X, options, context);
}

ClusteringResult Precomputed::run_sparse(const SparseMatrix& X, const PipelineOptions& options,
                                         const Context& context) const {
  require_square(X);
  return kind_ == PrecomputedKind::kAffinity ? cluster_affinity(X, options, context)
                                             : cluster_coefficients(X, options, context);
}

Work Precomputed::work(const Points& points, int num_clusters, const Context& context) const {
  const OwnMatrix own = points.sparse != nullptr ? measured(*points.sparse) : measured(points.X);
  PipelineOptions run = options_;
  run.num_clusters = num_clusters;
  const StageMemory peak = largest_stage(kind_ == PrecomputedKind::kAffinity
                                             ? predicted_affinity_memory(run, own, context)
                                             : predicted_coefficients_memory(run, own, context));
  return {.multiply_adds = 100.0 * num_clusters * own.entries, .bytes = peak.bytes};
}

MethodDefinition precomputed_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    return std::make_unique<Precomputed>();
  };
  return {{"precomputed",
           "spectral clustering of an affinity or of coefficients that were made elsewhere: the "
           "input is an N x N matrix",
           "U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007."},
          make};
}

}  // namespace subspace::pipelines
