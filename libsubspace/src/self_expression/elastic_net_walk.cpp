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
#include "self_expression/gram_budget.h"
#include "self_expression/elastic_net_products.h"

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
      subspace::fill_chosen(X, work.solver, work.candidates, work.targets);
    }
  }
};

struct Walkers {
  const ElasticNetWalk& job;
  Source source;
  std::vector<std::vector<ColumnBlock>> blocks = {};  // of a gamma and a tile
  WalkResult result = {};
};

void start(const Walkers& all, Index column, Workspace& work) {
  const ConstMatrixRef& X = all.source.X;
  const auto point = static_cast<int>(all.job.points[at(column)]);
  PointRule rule = all.job.rule;
  rule.gamma = all.job.gammas.front();
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
      work.solver.move_to(all.job.gammas[step]);
      all.source.correlate(work);
    }
    all.result.steps[step].solves[at(column)] = finish(all, work);
    all.result.fit_errors(static_cast<Index>(step), column) = fit_error(all, work);
    all.blocks[step][at(tile)].append(work.solver.support(), work.solver.coefficients(),
                                      work.order);
  }
}

Matrix stored_gram(const ElasticNetWalk& job) {
  const Index n = job.X.cols();
  const auto products = static_cast<Index>(job.points.size() * job.gammas.size());
  if (products < n / kGramPays || !gram_fits(n, job.context)) return {};
  return linalg::gram(job.X, job.context);
}

}  // namespace

WalkResult walk(const ElasticNetWalk& job) {
  const auto count = static_cast<Index>(job.points.size());
  check_memory(job.function,
               matrix_bytes(1.0, job.X.rows() + 2 * resolve_threads(job.context), job.X.cols()),
               allowed_memory(job.context), "give fewer samples or use fewer threads");
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
