// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/ksubspaces_points.h"

#include <utility>

#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/preprocess/preprocess.h>

#include "methods/alternation_work.h"
#include "methods/margin_confidence.h"
#include "methods/rate_signal.h"
#include "stopwatch.h"

namespace subspace::pipelines {

std::vector<MethodOption> KSubspacesPoints::options() {
  std::vector<MethodOption> all;
  append_stage(all, "preprocess", describe(preprocess_));
  append_stage(all, "ksubspaces", describe(ksubspaces_));
  return all;
}

Outcome KSubspacesPoints::run(const Points& input, int num_clusters, const Execution& execution,
                              const Context& context) const {
  require_clusterable(input.X, num_clusters);
  PointsClustering<KSubspacesOptions> clustering{preprocess_, ksubspaces_, num_clusters};
  if (!execution.start.empty()) clustering.method.restarts = 1;
  check_peak_memory(clustering, input.X.rows(), input.X.cols(), context);
  Stopwatch watch;
  Matrix points = preprocess(input.X, preprocess_, context).points;
  Outcome outcome;
  outcome.seconds.preprocess = watch.lap();
  KSubspacesResult result =
      execution.start.empty()
          ? ksubspaces(points, num_clusters, ksubspaces_, execution.seed, context)
          : refine(points, execution.start, ksubspaces_, context);
  outcome.seconds.assignment = watch.lap();
  outcome.seconds.total = outcome.seconds.preprocess + outcome.seconds.assignment;
  outcome.confidence = margin_confidence(nearest_subspaces(result.model, points, context));
  outcome.signals = {{"confidence", outcome.confidence->mean}};
  outcome.labels = std::move(result.labels);
  add_rate_signal(input.X, outcome, context);
  outcome.converged = result.info.converged();
  outcome.certificate = {{"fixed_point_residual", result.info.residual},
                         {"iterations", std::int64_t{result.info.iterations}},
                         {"objective", result.objective.back()}};
  if (execution.keep_evidence) outcome.evidence = Evidence{std::move(points), "points", {}};
  return outcome;
}

Work KSubspacesPoints::work(const Points& points, int num_clusters) const {
  const double directions = static_cast<double>(num_clusters) * ksubspaces_.dimension;
  const PointsClustering<KSubspacesOptions> clustering{preprocess_, ksubspaces_, num_clusters};
  Work work = alternation_work(points, directions, ksubspaces_.restarts);
  work.bytes = largest_stage(predicted_memory(clustering, points.X.rows(), points.X.cols())).bytes;
  return work;
}

MethodDefinition ksubspaces_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    return std::make_unique<KSubspacesPoints>();
  };
  return {{"ksubspaces",
           "K-subspaces: by turns every point to its nearest subspace and every subspace to its "
           "points",
           "P. Tseng. Nearest q-flat to m points. Journal of Optimization Theory and Applications "
           "105, 2000."},
          make};
}

}  // namespace subspace::pipelines
