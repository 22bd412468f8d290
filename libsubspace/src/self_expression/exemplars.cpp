// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/exemplars.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/exemplar_fit.h"
#include "self_expression/exemplar_lasso.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

constexpr Index kPointsPerProduct = 256;
// Points evaluated anew at a time while the farthest one is searched, and by one work item.
constexpr Index kBatch = 32;
constexpr Index kPointsPerEvaluation = 4;
// Costs this near to the least possible, relative to it, are those of the exemplars' duplicates.
constexpr double kDuplicate = 1e-9;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// A point in the queue with the cost it had when there were `num_exemplars`.
struct Bound {
  double cost = 0.0;
  int point = 0;
  Index num_exemplars = 0;
  /// The larger cost comes first, the lower index among equals.
  bool operator<(const Bound& other) const {
    return cost != other.cost ? cost < other.cost : point > other.point;
  }
};

/// Farthest-first search with the laziness of [You18, Algorithm 2], on a queue instead of a sorted
/// list: what stands first and is up to date has the largest cost of all.
class FarthestFirst {
 public:
  FarthestFirst(const EscOptions& options, Index most, ExemplarSet& set, const Context& context)
      : options_(options),
        most_(most),
        set_(set),
        context_(context),
        lassos_(at(resolve_threads(context))) {}

  void run(int first, ExemplarExpression& result) {
    std::vector<double> costs = {0.5 * options_.lambda};
    add(first);
    for (Index j = 0; j < set_.directions.cols(); ++j) {
      if (j != first && !set_.directions.col(j).isZero(0.0)) {
        queue_.push({0.5 * options_.lambda, static_cast<int>(j), 0});
      }
    }
    while (set_.size() < most_ && !queue_.empty()) {
      bring_farthest_to_front();
      const Bound farthest = queue_.top();
      if (farthest.cost <= least_cost(options_.lambda) * (1.0 + kDuplicate)) break;
      queue_.pop();
      costs.push_back(farthest.cost);
      add(farthest.point);
      context_.report("exemplars", set_.size(), most_);
    }
    result.points = set_.exemplars;
    result.selection_costs =
        Eigen::Map<const Vector>(costs.data(), static_cast<Index>(costs.size()));
    result.num_evaluations = num_evaluations_;
  }

 private:
  /// The new exemplar's inner products with all points.
  void add(int point) {
    const Index row = set_.size();
    const Matrix& X = set_.directions;
    for_tiles(context_, X.cols(), kPointsPerProduct, [&](const Tile& tile) {
      Vector products(tile.size());
      linalg::gemv(true, X.rows(), tile.size(), 1.0, X.col(tile.begin).data(), X.outerStride(),
                   X.col(point).data(), 0.0, products.data());
      set_.products.row(row).segment(tile.begin, tile.size()) = products.transpose();
    });
    set_.exemplars.push_back(point);
  }

  void bring_farthest_to_front() {
    std::vector<Bound> batch;
    while (queue_.top().num_exemplars < set_.size()) {
      batch.clear();
      while (!queue_.empty() && static_cast<Index>(batch.size()) < kBatch &&
             queue_.top().num_exemplars < set_.size()) {
        batch.push_back(queue_.top());
        queue_.pop();
      }
      evaluate(batch);
      for (const Bound& bound : batch) queue_.push(bound);
    }
  }

  void evaluate(std::vector<Bound>& batch) {
    const Index count = static_cast<Index>(batch.size());
    for_tiles(context_, count, kPointsPerEvaluation, [&](const Tile& tile) {
      ExemplarLasso& lasso = lassos_[at(tile.worker)];
      for (Index b = tile.begin; b < tile.end; ++b) {
        Bound& bound = batch[at(b)];
        const double cost = lasso.solve(set_, bound.point, options_.lambda, context_.cancel);
        bound.cost = std::min(bound.cost, cost);  // it rises by rounding alone
        bound.num_exemplars = set_.size();
      }
    });
    num_evaluations_ += count;
  }

  const EscOptions& options_;
  Index most_;
  ExemplarSet& set_;
  const Context& context_;
  std::vector<ExemplarLasso> lassos_;
  std::priority_queue<Bound> queue_;
  Index num_evaluations_ = 0;
};

/// Some point that is not zero, each with the same probability; -1 when there is none.
int random_point(const Matrix& directions, std::uint64_t seed) {
  std::vector<int> candidates;
  for (Index j = 0; j < directions.cols(); ++j) {
    if (!directions.col(j).isZero(0.0)) candidates.push_back(static_cast<int>(j));
  }
  if (candidates.empty()) return -1;
  return candidates[stream(seed, Stream::kExemplars).below(candidates.size())];
}

void require_same_features(const ConstMatrixRef& E, const ConstMatrixRef& X) {
  if (E.rows() == X.rows()) return;
  throw DataError(message("represent_by_exemplars: points have ", X.rows(),
                          " features, the exemplars have ", E.rows(), "; they must agree"));
}

/// Of the first k columns with all.
Matrix all_products(const Matrix& directions, Index k, const Context& context) {
  Matrix products(k, directions.cols());
  if (k == 0) return products;
  for_tiles(context, directions.cols(), kPointsPerProduct, [&](const Tile& tile) {
    linalg::gemm({.transpose_a = true,
                  .m = k,
                  .n = tile.size(),
                  .k = directions.rows(),
                  .a = directions.data(),
                  .lda = directions.outerStride(),
                  .b = directions.col(tile.begin).data(),
                  .ldb = directions.outerStride(),
                  .c = products.col(tile.begin).data(),
                  .ldc = products.outerStride()});
  });
  return products;
}

}  // namespace

Parameters describe(EscOptions& options) {
  return {
      parameter("num_exemplars", options.num_exemplars, "points that represent all others, at most")
          .at_least(1)
          .written("k"),
      parameter("lambda", options.lambda, "fit weight of the representation by exemplars")
          .above(1)
          .written("lambda"),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

// The points, their directions, the inner products, and what the fit takes.
double solver_bytes(const EscOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  const Index most = std::min<Index>(options.num_exemplars, num_points);
  return matrix_bytes(2.0, dimension, num_points) + matrix_bytes(1.0, most, num_points) +
         exemplar_fit_bytes(dimension, most, context);
}

// Coefficients, costs and solves.
double represented_bytes(Index num_exemplars, Index num_points) {
  const double entries = std::min(kUsualSupport, static_cast<double>(num_exemplars));
  const double of_point = entries * (sizeof(double) + sizeof(int)) +
                          sizeof(SparseMatrix::StorageIndex) + sizeof(double) + sizeof(SolveInfo);
  return of_point * static_cast<double>(num_points);
}

// The points as they are given and their directions, behind the exemplars; the inner products; what
// the fit takes; the result of all, column after column before it is a matrix, and then beside the
// part of it that is returned.
double representing_bytes(Index num_exemplars, Index dimension, Index num_points,
                          const Context& context) {
  const Index all = num_exemplars + num_points;
  return matrix_bytes(2.0, dimension, all) + matrix_bytes(1.0, num_exemplars, all) +
         exemplar_fit_bytes(dimension, num_exemplars, context) +
         2.0 * represented_bytes(num_exemplars, all);
}

ExemplarExpression select_exemplars(const ConstMatrixRef& X, const EscOptions& options,
                                    std::uint64_t seed, const Context& context) {
  EscOptions checked = options;
  check(describe(checked), "select_exemplars");
  require_finite(X, "select_exemplars");
  const Index most = std::min<Index>(options.num_exemplars, X.cols());
  check_memory("select_exemplars", solver_bytes(options, X.rows(), X.cols(), context),
               allowed_memory(context), "lower num_exemplars or give fewer samples");
  ExemplarSet set;
  set.directions = X;
  normalize_columns(set.directions);
  set.products.setZero(most, X.cols());
  ExemplarExpression result;
  const int first = random_point(set.directions, seed);
  if (first >= 0) FarthestFirst(options, most, set, context).run(first, result);
  fit_exemplars(set, options, "select_exemplars", context, result);
  return result;
}

ExemplarExpression represent_by_exemplars(const ConstMatrixRef& E, const ConstMatrixRef& X,
                                          const EscOptions& options, const Context& context) {
  EscOptions checked = options;
  check(describe(checked), "represent_by_exemplars");
  require_finite(X, "represent_by_exemplars");
  require_same_features(E, X);
  const Index k = E.cols();
  const Index n = X.cols();
  check_memory("represent_by_exemplars", representing_bytes(k, X.rows(), n, context),
               allowed_memory(context), "give fewer points at a time");
  ExemplarSet set;
  set.directions.resize(X.rows(), k + n);
  set.directions << E, X;
  normalize_columns(set.directions);
  set.exemplars.resize(at(k));
  std::iota(set.exemplars.begin(), set.exemplars.end(), 0);
  set.products = all_products(set.directions, k, context);
  ExemplarExpression whole;
  fit_exemplars(set, options, "represent_by_exemplars", context, whole);
  return {.points = {},
          .selection_costs = {},
          .coefficients = whole.coefficients.rightCols(n),
          .costs = whole.costs.tail(n),
          .solves = {whole.solves.begin() + k, whole.solves.end()}};
}

}  // namespace subspace
