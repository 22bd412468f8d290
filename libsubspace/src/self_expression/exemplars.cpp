// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/exemplars.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/kernels.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/exemplar_lasso.h"

namespace subspace {
namespace {

constexpr Index kPointsPerProduct = 256;
constexpr Index kPointsPerTile = 32;
// Points evaluated anew at a time while the farthest one is searched, and by one work item.
constexpr Index kBatch = 32;
constexpr Index kPointsPerEvaluation = 4;
// Costs this near to the least possible, relative to it, are those of the exemplars' duplicates.
constexpr double kDuplicate = 1e-9;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What an exemplar costs, and no unit vector less.
double least_cost(double lambda) { return 1.0 - 0.5 / lambda; }

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

// ---- all points by the exemplars found ----------------------------------------------------------

/// Represents all points; correlations with the exemplars are recomputed from the data.
class ExemplarFit {
 public:
  ExemplarFit(const ExemplarSet& set, const EscOptions& options, const Context& context)
      : set_(set), options_(options), context_(context) {
    chosen_.resize(set.directions.rows(), set.size());
    position_.assign(at(set.directions.cols()), -1);
    for (Index i = 0; i < set.size(); ++i) {
      chosen_.col(i) = set.directions.col(set.exemplars[at(i)]);
      position_[at(set.exemplars[at(i)])] = static_cast<int>(i);
    }
  }

  void run(ExemplarExpression& result) {
    const Index n = set_.directions.cols();
    std::vector<Workspace> workspaces(at(resolve_threads(context_)));
    std::vector<ColumnBlock> blocks(at((n + kPointsPerTile - 1) / kPointsPerTile));
    result.costs.resize(n);
    result.solves.resize(at(n));
    for_tiles(
        context_, n, kPointsPerTile,
        [&](const Tile& tile) {
          Workspace& work = workspaces[at(tile.worker)];
          solve_tile(tile, work, blocks[at(tile.index)], result);
          certify_tile(tile, work, blocks[at(tile.index)], result);
        },
        "self-expression");
    result.coefficients =
        assemble(blocks, set_.size(), n, "select_exemplars", "lower lambda or num_exemplars");
  }

 private:
  struct Workspace {
    ExemplarLasso lasso = {};
    Matrix residuals = {};     // D x tile
    Matrix correlations = {};  // k x tile
    std::vector<int> order = {};
  };

  void solve_tile(const Tile& tile, Workspace& work, ColumnBlock& block,
                  ExemplarExpression& result) const {
    for (Index j = tile.begin; j < tile.end; ++j) {
      SolveInfo& info = result.solves[at(j)];
      if (set_.directions.col(j).isZero(0.0)) {
        result.costs[j] = 0.0;
        info.iterations = 0;
        block.append({}, {}, work.order);
        continue;
      }
      if (position_[at(j)] >= 0) {
        work.lasso.set_exemplar(position_[at(j)], options_.lambda);
        result.costs[j] = least_cost(options_.lambda);
      } else {
        result.costs[j] = work.lasso.solve(set_, j, options_.lambda, context_.cancel);
      }
      info.iterations = work.lasso.iterations();
      block.append(work.lasso.support(), work.lasso.coefficients(), work.order);
    }
  }

  void certify_tile(const Tile& tile, Workspace& work, const ColumnBlock& block,
                    ExemplarExpression& result) const {
    const Matrix& X = set_.directions;
    work.residuals = X.middleCols(tile.begin, tile.size());
    work.correlations.resize(chosen_.cols(), tile.size());
    std::size_t first = 0;
    for (Index c = 0; c < tile.size(); ++c) {
      const Index count = block.sizes[at(c)];
      linalg::subtract_columns(chosen_.data(), chosen_.rows(), block.rows.data() + first,
                               block.values.data() + first, count, work.residuals.col(c).data(),
                               X.rows());
      first += at(count);
    }
    if (chosen_.cols() > 0) correlate(work);
    first = 0;
    for (Index c = 0; c < tile.size(); ++c) {
      const Index count = block.sizes[at(c)];
      SolveInfo& info = result.solves[at(tile.begin + c)];
      info.residual = violation(block.rows.data() + first, block.values.data() + first, count,
                                work.correlations.col(c));
      info.termination =
          info.residual <= options_.tolerance ? Termination::kConverged : Termination::kStalled;
      first += at(count);
    }
  }

  void correlate(Workspace& work) const {
    linalg::gemm({.transpose_a = true,
                  .m = chosen_.cols(),
                  .n = work.residuals.cols(),
                  .k = chosen_.rows(),
                  .a = chosen_.data(),
                  .lda = chosen_.outerStride(),
                  .b = work.residuals.data(),
                  .ldb = work.residuals.outerStride(),
                  .c = work.correlations.data(),
                  .ldc = work.correlations.outerStride()});
  }

  double violation(const int* rows, const double* values, Index count,
                   Eigen::Ref<Vector> correlations) const {
    double largest = 0.0;
    for (Index k = 0; k < count; ++k) {
      double& q = correlations[rows[k]];
      const double gap = std::fabs(options_.lambda * q - std::copysign(1.0, values[k]));
      if (!(gap <= largest)) largest = gap;  // NaN is no small violation
      q = 0.0;
    }
    const double outside = linalg::max_abs(correlations.data(), correlations.size());
    return std::max(largest, options_.lambda * outside - 1.0);
  }

  const ExemplarSet& set_;
  const EscOptions& options_;
  const Context& context_;
  Matrix chosen_;              // the exemplars, D x k
  std::vector<int> position_;  // of each point among the exemplars, or -1
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

/// The points, their directions, the exemplars twice, and the inner products; for each thread the
/// residuals and correlations of a tile.
void check_exemplar_memory(const ConstMatrixRef& X, Index most, const Context& context) {
  const Index in_work = resolve_threads(context) * kPointsPerTile;
  check_memory("select_exemplars",
               matrix_bytes(2.0, X.rows(), X.cols()) + matrix_bytes(1.0, X.rows(), most) +
                   matrix_bytes(1.0, most, X.cols()) + matrix_bytes(1.0, X.rows() + most, in_work),
               allowed_memory(context), "lower num_exemplars or give fewer samples");
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

ExemplarExpression select_exemplars(const ConstMatrixRef& X, const EscOptions& options,
                                    std::uint64_t seed, const Context& context) {
  EscOptions checked = options;
  check(describe(checked), "select_exemplars");
  require_finite(X, "select_exemplars");
  const Index most = std::min<Index>(options.num_exemplars, X.cols());
  check_exemplar_memory(X, most, context);
  ExemplarSet set;
  set.directions = X;
  normalize_columns(set.directions);
  set.products.setZero(most, X.cols());
  ExemplarExpression result;
  const int first = random_point(set.directions, seed);
  if (first >= 0) FarthestFirst(options, most, set, context).run(first, result);
  ExemplarFit(set, options, context).run(result);
  return result;
}

}  // namespace subspace
