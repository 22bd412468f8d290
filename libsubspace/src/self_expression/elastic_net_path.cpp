// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/elastic_net_path.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "self_expression/elastic_net_walk.h"
#include "self_expression/ssc_weights.h"

namespace subspace {
namespace {

const char* const kFunction = "elastic_net_path";
constexpr int kPathCopies = 2;  // of the points: the caller's and the path's
// Where the first coefficient has left zero, and no other has, but for ties.
constexpr double kFirstGamma = 1.0 + 1e-6;

PointRule rule_of(const ElasticNetPathOptions& options) {
  return {.tau = options.tau, .max_rounds = options.max_rounds, .tolerance = options.tolerance};
}

void require_gamma(double gamma) {
  if (gamma > 0.0 && std::isfinite(gamma)) return;
  throw InvalidArgument(message(kFunction, ": gamma = ", gamma, ", must satisfy 0 < gamma < inf"));
}

void require_monotone(const std::vector<double>& gammas) {
  for (const double gamma : gammas) require_gamma(gamma);
  for (std::size_t k = 1; k < gammas.size(); ++k) {
    const bool ascends = gammas[k] > gammas[k - 1];
    const bool descends = gammas[k] < gammas[k - 1];
    if (gammas[1] > gammas[0] ? ascends : descends) continue;
    throw InvalidArgument(message(kFunction, ": gammas[", k, "] = ", gammas[k], " after ",
                                  gammas[k - 1], ", must be strictly ascending or descending"));
  }
}

std::vector<double> grid(const ElasticNetPathOptions& options) {
  if (!options.gammas.empty()) return options.gammas;
  std::vector<double> gammas(static_cast<std::size_t>(options.num_gammas));
  const double span = std::log(options.last_gamma / kFirstGamma);
  for (std::size_t k = 0; k < gammas.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(gammas.size() - 1);
    gammas[k] = kFirstGamma * std::exp(share * span);
  }
  gammas.back() = options.last_gamma;
  return gammas;
}

void require_points(const std::vector<Index>& points, Index num_points) {
  for (const Index point : points) {
    if (point >= 0 && point < num_points) continue;
    throw InvalidArgument(
        message(kFunction, ": point = ", point, ", must satisfy 0 <= point < ", num_points));
  }
}

std::vector<Index> all_points(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

/// C does not change when all points are scaled alike; at unit scale no inner product overflows.
Matrix at_unit_scale(const ConstMatrixRef& X) {
  const double largest = X.cwiseAbs().maxCoeff();
  const bool extreme = largest > 0.0 && (largest < 1e-50 || largest > 1e50);
  return extreme ? Matrix(X / largest) : Matrix(X);
}

double common_scale(const ConstMatrixRef& X, const Context& context) {
  check_memory(
      kFunction,
      matrix_bytes(kPathCopies, X.rows(), X.cols()) + correlations_bytes(X.cols(), context),
      allowed_memory(context), "give fewer samples or use fewer threads");
  return fit_scale(correlations_of_points(X, context));
}

}  // namespace

Parameters describe(ElasticNetPathOptions& options) {
  return {
      parameter("tau", options.tau, "balance of sparsity (1) against connectivity (towards 0)")
          .above(0)
          .at_most(1)
          .written("tau"),
      parameter("common_weight", options.common_weight,
                "one weight for all points, as in ssc; gamma is then its alpha"),
      parameter("num_gammas", options.num_gammas, "steps of the path").at_least(2),
      parameter("last_gamma", options.last_gamma, "fit weight of the last step").above(1.001),
      parameter("max_rounds", options.max_rounds, "rounds of the active set per point and gamma")
          .at_least(1),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

const SelfExpression& ElasticNetPath::step(Index step) const {
  if (step >= 0 && step < static_cast<Index>(steps_.size())) {
    return steps_[static_cast<std::size_t>(step)];
  }
  throw InvalidArgument(
      message(kFunction, ": step = ", step, ", must satisfy 0 <= step < ", steps_.size()));
}

Index ElasticNetPath::support_size(Index step, Index column) const {
  const SparseMatrix& C = this->step(step).coefficients;
  require_points({column}, C.cols());
  return C.outerIndexPtr()[column + 1] - C.outerIndexPtr()[column];
}

double ElasticNetPath::fit_error(Index step, Index column) const {
  require_points({column}, this->step(step).coefficients.cols());
  return fit_errors_(step, column);
}

Index ElasticNetPath::nearest_step(double gamma) const {
  const auto distance = [gamma](double other) { return std::fabs(std::log(other / gamma)); };
  const auto nearest = std::min_element(gammas_.begin(), gammas_.end(), [&](double a, double b) {
    return distance(a) < distance(b);
  });
  return nearest - gammas_.begin();
}

SelfExpression ElasticNetPath::at(double gamma, const Context& context) const {
  require_gamma(gamma);
  const std::vector<double> one = {gamma};
  const ConstMatrixRef X = X_;
  WalkResult result = walk({.function = kFunction,
                            .X = X,
                            .points = points_,
                            .gammas = one,
                            .rule = rule_of(options_),
                            .common_scale = common_scale_,
                            .seeds = &step(nearest_step(gamma)).coefficients,
                            .context = context});
  return std::move(result.steps.front());
}

ElasticNetPath elastic_net_path(const ConstMatrixRef& X, const ElasticNetPathOptions& options,
                                const Context& context) {
  ElasticNetPath path;
  path.options_ = options;
  check(describe(path.options_), kFunction);
  require_monotone(options.gammas);
  require_finite(X, kFunction);
  require_points(options.points, X.cols());
  path.X_ = at_unit_scale(X);
  path.gammas_ = grid(options);
  path.points_ = options.points.empty() ? all_points(X.cols()) : options.points;
  const ConstMatrixRef kept = path.X_;
  if (options.common_weight) path.common_scale_ = common_scale(kept, context);
  WalkResult result = walk({.function = kFunction,
                            .X = kept,
                            .points = path.points_,
                            .gammas = path.gammas_,
                            .rule = rule_of(options),
                            .common_scale = path.common_scale_,
                            .copies = kPathCopies,
                            .context = context});
  path.steps_ = std::move(result.steps);
  path.fit_errors_ = std::move(result.fit_errors);
  return path;
}

}  // namespace subspace
