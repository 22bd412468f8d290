// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_walk.h"

#include <algorithm>
#include <utility>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/elastic_net_engine.h"
#include "self_expression/elastic_net_products.h"
#include "self_expression/gram_budget.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

constexpr Index kTile = 4;
// A product with all points reads the data from memory, the Gram matrix is made in the cache: it
// pays from one such product for so many points on.
constexpr Index kGramPays = 16;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct Workspace {
  ElasticNetPoint solver = {};
  Vector correlations = {};
  Vector residual = {};
  Matrix candidates = {};
  std::vector<double> targets = {};
  std::vector<int> order = {};
};

/// The data, and their Gram matrix where it is stored (else it is empty).
struct Source {
  const ConstMatrixRef& X;
  Matrix gram = {};

  /// Correlations of all points with what the present solution leaves.
  void correlate(Workspace& work) const {
    if (gram.size() > 0) {
      subspace::correlate(gram, X.cols(), work.solver, work.correlations.data());
      return;
    }
    set_residual(X, work.solver, work.residual.data());
    linalg::gemv(true, X.rows(), X.cols(), 1.0, X.data(), X.outerStride(), work.residual.data(),
                 0.0, work.correlations.data());
  }
  void fill_chosen(Workspace& work) const {
    if (gram.size() > 0) {
      subspace::fill_chosen(gram, X.cols(), work.solver, work.targets);
    } else {
      subspace::fill_chosen(X, X.cols(), work.solver, work.candidates, work.targets);
    }
  }
};

struct Walkers {
  const ElasticNetWalk& job;
  Source source;
  std::vector<std::vector<ColumnBlock>> blocks = {};  // of a gamma and a tile
  WalkResult result = {};
};

PointRule rule_at(const ElasticNetWalk& job, double gamma) {
  PointRule rule = job.rule;
  rule.gamma = gamma;
  rule.common_weight = job.common_scale > 0.0 ? gamma * rule.tau / job.common_scale : 0.0;
  return rule;
}

void start(const Walkers& all, Index column, Workspace& work) {
  const ConstMatrixRef& X = all.source.X;
  const auto point = static_cast<int>(all.job.points[at(column)]);
  const PointRule rule = rule_at(all.job, all.job.gammas.front());
  work.correlations.resize(X.cols());
  work.residual.resize(X.rows());
  if (all.source.gram.size() > 0) {
    work.correlations = all.source.gram.col(point);
  } else {
    linalg::gemv(true, X.rows(), X.cols(), 1.0, X.data(), X.outerStride(), X.col(point).data(), 0.0,
                 work.correlations.data());
  }
  work.solver.start(point, rule, work.correlations.data(), X.cols(), all.job.context.cancel);
  if (all.job.seeds == nullptr) return;
  work.order.clear();
  for (SparseMatrix::InnerIterator entry(*all.job.seeds, column); entry; ++entry) {
    work.order.push_back(static_cast<int>(entry.row()));
  }
  if (!work.solver.seed(work.order)) return;
  all.source.fill_chosen(work);
  work.solver.solve();
  all.source.correlate(work);
}

SolveInfo finish(const Walkers& all, Workspace& work) {
  ElasticNetPoint& solver = work.solver;
  while (solver.choose_candidates(work.correlations.data())) {
    all.source.fill_chosen(work);
    solver.solve();
    all.source.correlate(work);
  }
  return solver.certify(work.correlations.data());
}

double fit_error(const Walkers& all, Workspace& work) {
  set_residual(all.source.X, work.solver, work.residual.data());
  const double norm = all.source.X.col(work.solver.point()).norm();
  return norm > 0.0 ? work.residual.norm() / norm : 0.0;
}

void walk_point(Walkers& all, Index column, Index tile, Workspace& work) {
  start(all, column, work);
  for (std::size_t step = 0; step < all.job.gammas.size(); ++step) {
    all.job.context.throw_if_cancelled();
    if (step > 0) {
      work.solver.move_to(rule_at(all.job, all.job.gammas[step]));
      all.source.correlate(work);
    }
    all.result.steps[step].solves[at(column)] = finish(all, work);
    all.result.fit_errors(static_cast<Index>(step), column) = fit_error(all, work);
    all.blocks[step][at(tile)].append(work.solver.support(), work.solver.coefficients(),
                                      work.order);
  }
}

/// Of a thread: correlations, residual and marks of its point, its small problem and the points of
/// that.
double workspace_bytes(const WalkSize& size) {
  const Index n = size.num_points;
  return matrix_bytes(1.0, n + size.dimension, 1) + static_cast<double>(n) +
         small_problem_bytes(n, n) + matrix_bytes(1.0, size.dimension, counted_candidates(n, n));
}

double bytes_without_gram(const WalkSize& size, const Context& context) {
  const double workers = std::min<double>(
      resolve_threads(context), static_cast<double>((size.num_paths + kTile - 1) / kTile));
  return matrix_bytes(size.copies, size.dimension, size.num_points) +
         workers * workspace_bytes(size) + 2.0 * walked_bytes(size);
}

/// It is passed over where it does not fit beside the rest.
bool gram_is_stored(const WalkSize& size, const Context& context) {
  const Index n = size.num_points;
  return size.num_paths * size.num_gammas >= n / kGramPays && gram_fits(n, context) &&
         bytes_without_gram(size, with_nominal_threads(context)) + matrix_bytes(1.0, n, n) <=
             allowed_memory(context);
}

WalkSize size_of(const ElasticNetWalk& job) {
  return {.dimension = job.X.rows(),
          .num_points = job.X.cols(),
          .num_paths = static_cast<Index>(job.points.size()),
          .num_gammas = static_cast<Index>(job.gammas.size()),
          .copies = job.copies};
}

Matrix stored_gram(const ElasticNetWalk& job) {
  if (!gram_is_stored(size_of(job), job.context)) return {};
  return linalg::gram(job.X, job.context);
}

}  // namespace

double walked_bytes(const WalkSize& size) {
  const double support = std::min(kUsualSupport, static_cast<double>(size.num_points));
  const double of_solution = support * (sizeof(double) + sizeof(int)) + sizeof(int) +
                             sizeof(SolveInfo) + sizeof(double);  // its place and its fit error
  return of_solution * static_cast<double>(size.num_paths) * static_cast<double>(size.num_gammas);
}

double walk_bytes(const WalkSize& size, const Context& context) {
  const double gram =
      gram_is_stored(size, context) ? matrix_bytes(1.0, size.num_points, size.num_points) : 0.0;
  return bytes_without_gram(size, context) + gram;
}

WalkResult walk(const ElasticNetWalk& job) {
  const auto count = static_cast<Index>(job.points.size());
  check_memory(job.function, walk_bytes(size_of(job), job.context), allowed_memory(job.context),
               "ask for fewer gammas or points, give fewer samples or use fewer threads");
  Walkers all{.job = job, .source = {.X = job.X, .gram = stored_gram(job)}};
  all.blocks.assign(job.gammas.size(), std::vector<ColumnBlock>(at((count + kTile - 1) / kTile)));
  all.result.steps.resize(job.gammas.size());
  for (SelfExpression& step : all.result.steps) step.solves.resize(at(count));
  all.result.fit_errors.resize(static_cast<Index>(job.gammas.size()), count);
  std::vector<Workspace> workspaces(at(resolve_threads(job.context)));
  for_tiles(
      job.context, count, kTile,
      [&](const Tile& tile) {
        for (Index column = tile.begin; column < tile.end; ++column) {
          walk_point(all, column, tile.index, workspaces[at(tile.worker)]);
        }
      },
      "self-expression");
  for (std::size_t step = 0; step < all.blocks.size(); ++step) {
    all.result.steps[step].coefficients =
        assemble(all.blocks[step], job.X.cols(), count, job.function, "ask for fewer points");
    all.blocks[step].clear();
  }
  return std::move(all.result);
}

}  // namespace subspace
