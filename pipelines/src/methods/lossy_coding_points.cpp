// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/lossy_coding_points.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <subspace/classify/nearest_subspace.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/preprocess/preprocess.h>

#include "methods/margin_confidence.h"
#include "methods/rate_signal.h"
#include "stopwatch.h"

namespace subspace::pipelines {
namespace {

/// How much farther than the subspace of its own cluster the nearest other one is, relative to it:
/// 0 .. 1, and 0 where another is nearer, for the coding length weighs more than distances.
Confidence confidence_of(const Matrix& points, const Labels& labels, const Context& context) {
  const Subspaces model = fit_subspaces(points, labels, {}, context);
  const Matrix distances = residuals(model, points, context);
  Vector margins(points.cols());
  for (Index j = 0; j < points.cols(); ++j) {
    double own = 0.0;
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      const double distance = distances(static_cast<Index>(k), j);
      if (model.classes[k] == labels[static_cast<std::size_t>(j)]) {
        own = distance;
      } else {
        next = std::min(next, distance);
      }
    }
    margins[j] = std::max(0.0, relative_margin(own, next - own));
  }
  return summed_up(std::move(margins), labels);
}

}  // namespace

std::vector<MethodOption> LossyCodingPoints::options() {
  std::vector<MethodOption> all;
  append_stage(all, "preprocess", describe(preprocess_));
  append_stage(all, "alc", describe(coding_));
  return all;
}

Outcome LossyCodingPoints::run(const Points& input, int num_clusters, const Execution& execution,
                               const Context& context) const {
  require_clusterable(input.X, num_clusters);
  const PointsClustering<LossyCodingOptions> clustering{preprocess_, coding_, num_clusters};
  check_peak_memory(clustering, input.X.rows(), input.X.cols(), context);
  Stopwatch watch;
  Matrix points = preprocess(input.X, preprocess_, context).points;
  Outcome outcome;
  outcome.seconds.preprocess = watch.lap();
  LossyCodingResult result =
      execution.start.empty()
          ? lossy_coding(points, num_clusters, coding_, execution.seed, context)
          : refine_by_coding(points, execution.start, coding_, execution.seed, context);
  outcome.seconds.assignment = watch.lap();
  outcome.seconds.total = outcome.seconds.preprocess + outcome.seconds.assignment;
  outcome.labels = std::move(result.labels);
  outcome.confidence = confidence_of(points, outcome.labels, context);
  outcome.signals = {{"confidence", outcome.confidence->mean}};
  add_rate_signal(input.X, outcome, context);
  outcome.converged = result.info.converged();
  outcome.certificate = {{"move_gain", result.info.residual},
                         {"iterations", std::int64_t{result.info.iterations}},
                         {"rate", result.rate}};
  if (execution.keep_evidence) outcome.evidence = Evidence{std::move(points), "points", {}};
  return outcome;
}

Work LossyCodingPoints::work(const Points& points, int num_clusters, const Context& context) const {
  // Of COIL features: the first descent, and a round, change what clusters and their parts would
  // gain from every point some twenty times, by products with a cluster and with its factor.
  constexpr double kIterations = 20.0;
  constexpr double kPartsOfCluster = 3.0;
  constexpr double kRoundsThatGain = 8.0;
  auto dimension = static_cast<double>(points.X.rows());
  if (preprocess_.pca > 0) dimension = std::min<double>(dimension, preprocess_.pca);
  const auto count = static_cast<double>(points.X.cols());
  const auto descent = [&](double clusters) {
    const double order = std::min(dimension, count / clusters);
    return kIterations * count * clusters * order * (dimension + order);
  };
  const bool splits = coding_.rounds > 0 && num_clusters > 1;
  const double rounds = splits ? kRoundsThatGain + coding_.rounds : 0.0;
  const PointsClustering<LossyCodingOptions> clustering{preprocess_, coding_, num_clusters};
  return {.multiply_adds = descent(num_clusters) + rounds * descent(kPartsOfCluster * num_clusters),
          .bytes =
              largest_stage(predicted_memory(clustering, points.X.rows(), points.X.cols(), context))
                  .bytes};
}

MethodDefinition lossy_coding_definition() {
  const auto make = []() -> std::unique_ptr<MethodState> {
    return std::make_unique<LossyCodingPoints>();
  };
  return {{"alc",
           "lossy coding: the clusters of the smallest coding rate, by moves of points, splits and "
           "merges",
           "Y. Ma, H. Derksen, W. Hong, J. Wright. Segmentation of multivariate mixed data via "
           "lossy data coding and compression. PAMI 2007."},
          make};
}

}  // namespace subspace::pipelines
