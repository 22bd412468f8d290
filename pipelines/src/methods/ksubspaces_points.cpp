// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/ksubspaces_points.h"

#include <algorithm>
#include <utility>

#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/preprocess/preprocess.h>

#include "methods/alternation_work.h"
#include "methods/margin_confidence.h"
#include "methods/rate_signal.h"
#include "stopwatch.h"

namespace subspace::pipelines {
namespace {

constexpr double kUsualIterations = 50.0;  // of a start: 10 to 20 on COIL-20, over 40 on MNIST
constexpr double kLastExactFits = 2.0;     // of the best start; all the others have their first

/// What one round of fits takes: `exact` by all eigenvectors of the smaller moment matrix of every
/// cluster, `nearer` from the subspaces of the round before.
struct FitWork {
  double exact = 0.0;
  double nearer = 0.0;
};

/// Of clusters of equal size. Where d is small beside the order of the moment matrix, the subspaces
/// of the round before are improved in about two rounds by products with 3 d columns, each product
/// there and back; elsewhere every fit is exact.
FitWork fit_work(const Points& points, int num_clusters, int dimension) {
  constexpr double kRounds = 2.0;
  constexpr double kSlowness = 10.0;  // products with so few columns wait for memory
  constexpr double kOfEigenvectors = 15.0;
  constexpr double kSmallestOrder = 64.0;
  constexpr double kLargestShare = 1.0 / 8.0;
  const auto values = static_cast<double>(points.X.size());
  const double of_cluster = static_cast<double>(points.X.cols()) / num_clusters;
  const double order = std::min(static_cast<double>(points.X.rows()), of_cluster);
  const double exact = order * values + num_clusters * kOfEigenvectors * order * order * order;
  if (order < kSmallestOrder || dimension > kLargestShare * order) return {exact, exact};
  return {exact, std::min(exact, kSlowness * kRounds * 2.0 * values * 3.0 * dimension * 2.0)};
}

}  // namespace

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

Work KSubspacesPoints::work(const Points& points, int num_clusters, const Context& context) const {
  const double directions = static_cast<double>(num_clusters) * ksubspaces_.dimension;
  const PointsClustering<KSubspacesOptions> clustering{preprocess_, ksubspaces_, num_clusters};
  const double of_start = std::min<double>(kUsualIterations, ksubspaces_.max_iterations);
  const double iterations = of_start * ksubspaces_.restarts;
  Work work = alternation_work(points, directions, iterations);
  const FitWork fits = fit_work(points, num_clusters, ksubspaces_.dimension);
  work.multiply_adds +=
      iterations * fits.nearer + (ksubspaces_.restarts + kLastExactFits) * fits.exact;
  work.bytes =
      largest_stage(predicted_memory(clustering, points.X.rows(), points.X.cols(), context)).bytes;
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
