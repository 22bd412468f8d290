// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/kmeans.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "cluster/assign_bytes.h"
#include "cluster/centered_points.h"
#include "cluster/lloyd.h"
#include "cluster/seeding.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

void check_arguments(const ConstMatrixRef& X, int num_clusters, const KMeansOptions& options) {
  KMeansOptions checked = options;
  check(describe(checked), "kmeans");
  require_finite(X, "kmeans");
  if (num_clusters < 1) {
    throw InvalidArgument(message("kmeans: k = ", num_clusters, ", must satisfy 1 <= k"));
  }
  if (num_clusters > X.cols()) {
    throw DataError(
        message("kmeans: ", X.cols(), " points cannot form ", num_clusters, " clusters"));
  }
}

/// The lowest inertia seen, the earlier start among equals: whatever order the starts end in.
class BestStart {
 public:
  void offer(int restart, LloydResult result) {
    const std::lock_guard lock(mutex_);
    const bool better = restart_ < 0 || result.inertia < result_.inertia ||
                        (result.inertia == result_.inertia && restart < restart_);
    if (!better) return;
    restart_ = restart;
    result_ = std::move(result);
  }
  int restart() const { return restart_; }
  const LloydResult& result() const { return result_; }

 private:
  std::mutex mutex_;
  int restart_ = -1;
  LloydResult result_;
};

/// New number of each cluster: by first appearance in `labels`, unused ones last.
std::vector<int> order_of_appearance(const Labels& labels, int num_clusters) {
  std::vector<int> number(static_cast<std::size_t>(num_clusters), -1);
  int next = 0;
  for (const int label : labels) {
    if (number[label] < 0) number[label] = next++;
  }
  for (int& n : number) {
    if (n < 0) n = next++;
  }
  return number;
}

/// Back to the caller's coordinates, clusters numbered by first appearance.
KMeansResult to_result(const LloydResult& best, int restart, const CenteredPoints& points) {
  const int num_clusters = static_cast<int>(best.centers.cols());
  const std::vector<int> number = order_of_appearance(best.labels, num_clusters);
  KMeansResult result;
  result.best_restart = restart;
  result.labels.reserve(best.labels.size());
  for (const int label : best.labels) result.labels.push_back(number[label]);
  result.centers.resize(points.dimension(), num_clusters);
  for (int c = 0; c < num_clusters; ++c) {
    result.centers.col(number[c]) = (best.centers.col(c) + points.mean) / points.scale;
  }
  result.inertia = best.inertia / points.scale / points.scale;
  result.info = best.info;
  result.info.residual = best.info.residual / points.scale / points.scale;
  return result;
}

}  // namespace

Parameters describe(KMeansOptions& options) {
  return {
      choice("init", options.init,
             {{"plus-plus", KMeansInit::kPlusPlus}, {"rows", KMeansInit::kRows}},
             "where the centres of a start come from: k-means++, or k samples at random"),
      parameter("restarts", options.restarts, "independent starts; the lowest inertia wins")
          .at_least(1),
      parameter("max_iterations", options.max_iterations, "Lloyd iterations of one start")
          .at_least(1),
      parameter("tolerance", options.tolerance,
                "stop when the squared moves of the centres sum to less than this times the mean "
                "variance of the features")
          .at_least(0.0),
  };
}

double kmeans_bytes(const KMeansOptions& options, Index dimension, Index num_points,
                    int num_clusters, const Context& context) {
  const int starts = std::min(options.restarts, resolve_threads(context));
  const auto numbers_per_point = static_cast<Index>(6.0 + std::log(num_clusters));
  const Index places = 3 * Index{num_clusters} + DistanceBlock::kCapacity;
  return matrix_bytes(2.0, dimension, num_points) +
         starts * (matrix_bytes(1.0, dimension, places) +
                   matrix_bytes(1.0, numbers_per_point, num_points));
}

KMeansResult kmeans(const ConstMatrixRef& X, int num_clusters, const KMeansOptions& options,
                    std::uint64_t seed, const Context& context) {
  check_arguments(X, num_clusters, options);
  check_memory("kmeans", kmeans_bytes(options, X.rows(), X.cols(), num_clusters, context),
               allowed_memory(context),
               "the points are copied; give fewer samples or features, or use fewer threads");
  const CenteredPoints points(X);
  BestStart best;
  for_tiles(
      context, options.restarts, 1,
      [&](const Tile& start) {
        const int restart = static_cast<int>(start.begin);
        RandomStream random = stream(seed, Stream::kKMeans, static_cast<std::uint32_t>(restart));
        Seeds seeds = options.init == KMeansInit::kRows
                          ? seed_by_points(points, num_clusters, random, context)
                          : seed_greedily(points, num_clusters, random, context);
        best.offer(restart, lloyd(points, std::move(seeds), options, context));
      },
      "kmeans");
  return to_result(best.result(), best.restart(), points);
}

}  // namespace subspace
