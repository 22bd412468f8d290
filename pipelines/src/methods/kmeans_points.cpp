// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/kmeans_points.h"

#include <utility>

#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/preprocess/preprocess.h>

#include "methods/alternation_work.h"
#include "methods/rate_signal.h"
#include "stopwatch.h"

namespace subspace::pipelines {

std::vector<MethodOption> KMeansPoints::options() {
  std::vector<MethodOption> all;
  append_stage(all, "preprocess", describe(preprocess_));
  append_stage(all, "kmeans", describe(kmeans_));
  return all;
}

Outcome KMeansPoints::run(const Points& input, int num_clusters, const Execution& execution,
                          const Context& context) const {
  require_clusterable(input.X, num_clusters);
  const PointsClustering<KMeansOptions> clustering{preprocess_, kmeans_, num_clusters};
  check_peak_memory(clustering, input.X.rows(), input.X.cols(), context);
  Stopwatch watch;
  Matrix points = preprocess(input.X, preprocess_, context).points;
  Outcome outcome;
  outcome.seconds.preprocess = watch.lap();
  KMeansResult result = kmeans(points, num_clusters, kmeans_, execution.seed, context);
  outcome.seconds.assignment = watch.lap();
  outcome.seconds.total = outcome.seconds.preprocess + outcome.seconds.assignment;
  outcome.labels = std::move(result.labels);
  outcome.converged = result.info.converged();
  outcome.certificate = {{"center_move", result.info.residual},
                         {"iterations", std::int64_t{result.info.iterations}},
                         {"inertia", result.inertia}};
  outcome.confidence = label_confidence(points, outcome.labels, context);
  outcome.signals = {{"confidence", outcome.confidence->mean}};
  add_rate_signal(input.X, outcome, context);
  if (execution.keep_evidence) outcome.evidence = Evidence{std::move(points), "points", {}};
  return outcome;
}

Work KMeansPoints::work(const Points& points, int num_clusters, const Context& context) const {
  const PointsClustering<KMeansOptions> clustering{preprocess_, kmeans_, num_clusters};
  constexpr double kUsualIterations = 20.0;  // of a start
  Work work = alternation_work(points, num_clusters, kUsualIterations * kmeans_.restarts);
  work.bytes =
      largest_stage(predicted_memory(clustering, points.X.rows(), points.X.cols(), context)).bytes;
  return work;
}

MethodDefinition kmeans_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    return std::make_unique<KMeansPoints>();
  };
  return {{"kmeans", "k-means on the normalised points themselves",
           "D. Arthur, S. Vassilvitskii. k-means++: the advantages of careful seeding. SODA 2007."},
          make};
}

}  // namespace subspace::pipelines
