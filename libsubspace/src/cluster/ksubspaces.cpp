// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/ksubspaces.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "cluster/assign_bytes.h"
#include "cluster/subspace_descent.h"
#include "cluster/subspace_seeding.h"
#include "labels/groups.h"
#include "linalg/sizes.h"
#include "preprocess/scaled_points.h"

namespace subspace {
namespace {

// Labels that rounding alone keeps changing have settled when this is all they are off.
constexpr double kSettled = 1e-8;

/// Loops inside of parallel ones must not report: a callback is called by one thread at a time.
Context silent(const Context& context) {
  Context result = context;
  result.progress = {};
  return result;
}

DescentOptions descent_options(const KSubspacesOptions& options, int num_clusters) {
  return {.shapes = {.dimensions = std::vector<int>(static_cast<std::size_t>(num_clusters),
                                                    options.dimension),
                     .affine = options.affine},
          .max_iterations = options.max_iterations};
}

void check_descent_memory(const ConstMatrixRef& X, int num_clusters,
                          const KSubspacesOptions& options, const char* function,
                          const Context& context) {
  check_memory(function, ksubspaces_bytes(options, X.rows(), X.cols(), num_clusters, context),
               allowed_memory(context), "use fewer threads, or give fewer samples or features");
}

/// Cuts each subspace to its smallest dimension that holds the share of its cluster.
void choose_dimensions(const ConstMatrixRef& X, const Labels& labels,
                       const KSubspacesOptions& options, const Context& context,
                       std::vector<int>& dimensions) {
  const Subspaces model = fit_subspaces(
      X, labels, {.dimension = 0, .energy = options.energy, .center = options.affine}, context);
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    int& dimension = dimensions[static_cast<std::size_t>(model.classes[c])];
    dimension = std::min(dimension, model.dimensions[c]);
  }
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Back to the caller's scale.
void rescale(KSubspacesResult& result, int exponent) {
  if (exponent == 0) return;
  const auto back = [exponent](double x) { return std::ldexp(x, exponent); };
  result.residuals = result.residuals.unaryExpr(back);
  result.model.residuals = result.model.residuals.unaryExpr(back);
  result.model.means = result.model.means.unaryExpr(back);
  std::transform(result.objective.begin(), result.objective.end(), result.objective.begin(), back);
}

/// The descent from labels 0 .. K-1, with the dimensions of the options and then, if asked for,
/// with those of the clusters found.
KSubspacesResult descend_fully(const ConstMatrixRef& X, Labels labels, int num_clusters,
                               const KSubspacesOptions& options, const Context& context) {
  DescentOptions own = descent_options(options, num_clusters);
  KSubspacesResult result;
  DescentResult found = descend(X, std::move(labels), own, context);
  result.objective = found.objective;
  int iterations = found.info.iterations;
  if (options.energy < 1.0) {
    choose_dimensions(X, found.labels, options, context, own.shapes.dimensions);
    result.chosen_at = static_cast<int>(result.objective.size());
    found = descend(X, std::move(found.labels), own, context);
    append(result.objective, found.objective);
    iterations += found.info.iterations;
  }
  result.info = found.info;
  result.info.iterations = iterations;
  result.info.residual = stationarity(X, found, options.affine, context);
  if (result.info.termination == Termination::kStalled && result.info.residual <= kSettled) {
    result.info.termination = Termination::kConverged;
  }
  result.labels = std::move(found.labels);
  result.model = std::move(found.model);
  result.residuals = std::move(found.residuals);
  return result;
}

struct Start {
  Labels labels = {};
  std::vector<double> objective = {};
  int iterations = 0;
};

/// All starts at the dimension of the options, so that their objectives can be compared; the best
/// goes on exactly.
std::vector<Start> run_starts(const ConstMatrixRef& X, int num_clusters,
                              const KSubspacesOptions& options, std::uint64_t seed,
                              const Context& context) {
  std::vector<Start> starts(static_cast<std::size_t>(options.restarts));
  const Context inner = silent(context);
  for_tiles(
      context, options.restarts, 1,
      [&](const Tile& tile) {
        RandomStream random =
            stream(seed, Stream::kKSubspaces, static_cast<std::uint32_t>(tile.begin));
        Labels labels = seed_subspaces(X,
                                       {.num_clusters = num_clusters,
                                        .dimension = options.dimension,
                                        .affine = options.affine},
                                       random, inner);
        DescentOptions own = descent_options(options, num_clusters);
        own.rough = true;
        DescentResult found = descend(X, std::move(labels), own, inner);
        starts[static_cast<std::size_t>(tile.begin)] = {
            std::move(found.labels), std::move(found.objective), found.info.iterations};
      },
      "ksubspaces");
  return starts;
}

/// By first appearance.
void renumber(Labels& labels) {
  std::map<int, int> number;
  for (int& label : labels) {
    label = number.try_emplace(label, static_cast<int>(number.size())).first->second;
  }
}

void check_arguments(const ConstMatrixRef& X, int num_clusters, const KSubspacesOptions& options) {
  KSubspacesOptions checked = options;
  check(describe(checked), "ksubspaces");
  require_finite(X, "ksubspaces");
  if (num_clusters < 1) {
    throw InvalidArgument(message("ksubspaces: k = ", num_clusters, ", must satisfy 1 <= k"));
  }
  if (num_clusters > X.cols()) {
    throw DataError(
        message("ksubspaces: ", X.cols(), " points cannot form ", num_clusters, " clusters"));
  }
}

}  // namespace

Parameters describe(KSubspacesOptions& options) {
  return {
      parameter("dimension", options.dimension, "dimension of every subspace")
          .at_least(1)
          .written("d"),
      parameter("energy", options.energy,
                "below 1: cut each subspace to the dimensions that hold this share of its cluster")
          .above(0.0)
          .at_most(1.0),
      parameter("affine", options.affine, "subspaces through the means of their clusters"),
      parameter("restarts", options.restarts, "random starts; the lowest objective wins")
          .at_least(1),
      parameter("max_iterations", options.max_iterations, "iterations of one descent").at_least(1),
  };
}

double ksubspaces_bytes(const KSubspacesOptions& options, Index dimension, Index num_points,
                        int num_clusters, const Context& context) {
  const int starts = std::min(options.restarts, resolve_threads(context));
  return matrix_bytes(1.0 + 4.0 * starts, dimension, num_points) +
         matrix_bytes(2.0 * starts, num_clusters, num_points);
}

KSubspacesResult ksubspaces(const ConstMatrixRef& X, int num_clusters,
                            const KSubspacesOptions& options, std::uint64_t seed,
                            const Context& context) {
  check_arguments(X, num_clusters, options);
  check_descent_memory(X, num_clusters, options, "ksubspaces", context);
  const ScaledPoints scaled(X);
  std::vector<Start> starts = run_starts(scaled.points, num_clusters, options, seed, context);
  const auto best = std::min_element(
      starts.begin(), starts.end(),
      [](const Start& a, const Start& b) { return a.objective.back() < b.objective.back(); });
  renumber(best->labels);
  KSubspacesResult result =
      descend_fully(scaled.points, std::move(best->labels), num_clusters, options, silent(context));
  result.best_restart = static_cast<int>(best - starts.begin());
  result.info.iterations += best->iterations;
  if (result.chosen_at > 0) result.chosen_at += static_cast<int>(best->objective.size());
  append(best->objective, result.objective);
  result.objective = std::move(best->objective);
  rescale(result, scaled.exponent);
  return result;
}

KSubspacesResult refine(const ConstMatrixRef& X, const Labels& labels,
                        const KSubspacesOptions& options, const Context& context) {
  KSubspacesOptions checked = options;
  check(describe(checked), "refine");
  require_labelled(X, labels, "refine");
  const Groups groups = group_by_label(labels);
  checked.restarts = 1;  // that of the labels
  check_descent_memory(X, groups.size(), checked, "refine", context);
  Labels numbered(labels.size());
  for (int g = 0; g < groups.size(); ++g) {
    for (const Index j : groups.members[static_cast<std::size_t>(g)]) {
      numbered[static_cast<std::size_t>(j)] = g;
    }
  }
  const ScaledPoints scaled(X);
  KSubspacesResult result =
      descend_fully(scaled.points, std::move(numbered), groups.size(), options, silent(context));
  const auto name = [&](int g) { return groups.names[static_cast<std::size_t>(g)]; };
  std::transform(result.labels.begin(), result.labels.end(), result.labels.begin(), name);
  std::transform(result.model.classes.begin(), result.model.classes.end(),
                 result.model.classes.begin(), name);
  rescale(result, scaled.exponent);
  return result;
}

}  // namespace subspace
