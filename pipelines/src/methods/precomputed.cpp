// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/precomputed.h"

#include <utility>

#include <subspace/core/error.h>

#include "methods/spectral_pipeline.h"

namespace subspace::pipelines {
namespace {

void require_square(const ConstMatrixRef& X) {
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
  append_assignment_stages(all, options_);
  return all;
}

Outcome Precomputed::run(const Points& points, int num_clusters, const Execution& execution,
                         const Context& context) const {
  require_clusterable(points.X, num_clusters);
  require_square(points.X);
  PipelineOptions options = options_;
  options.num_clusters = num_clusters;
  options.seed = execution.seed;
  ClusteringResult result = kind_ == PrecomputedKind::kAffinity
                                ? cluster_affinity(points.X.sparseView(), options, context)
                                : cluster_coefficients(points.X, options, context);
  NamedValues certificate = {{"embedding_residual", result.embedding.info.residual},
                             {"tolerance", options.embedding.tolerance}};
  return outcome_of(std::move(result), execution, std::move(certificate));
}

Work Precomputed::work(const Points& points, int num_clusters) const {
  const auto entries = static_cast<double>(points.X.size());
  return {.multiply_adds = 100.0 * num_clusters * entries, .bytes = 60.0 * entries};
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
