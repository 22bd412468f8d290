// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_engine.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/elastic_net_products.h"
#include "self_expression/gram_budget.h"

namespace subspace {
namespace {

// Points of one work item. With a stored Gram matrix a point needs nothing of its neighbours.
constexpr Index kTileWithGram = 16;
// Without one, up to kOpenAtOnce points of an item share one GEMM with the whole data set in every
// round. Whoever is done makes room for the next, since a narrow product costs as much as a wide
// one: it reads all points.
constexpr Index kTileStreamed = 256;
constexpr Index kOpenAtOnce = 64;
// With other atoms than points, any of which may be in a support, the small problems are large.
constexpr Index kOpenWithOtherAtoms = 16;
const char* const kPhase = "self-expression";

Index open_at_once(Index num_atoms, Index num_points) {
  return num_atoms > num_points ? kOpenWithOtherAtoms : kOpenAtOnce;
}

/// Appends the part of a solution that lies on points, by increasing row.
void append(const ElasticNetPoint& solver, Index num_points, std::vector<int>& order,
            ColumnBlock& block) {
  const std::vector<int>& support = solver.support();
  order.clear();
  for (std::size_t k = 0; k < support.size(); ++k) {
    if (support[k] < num_points) order.push_back(static_cast<int>(k));
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return support[static_cast<std::size_t>(a)] < support[static_cast<std::size_t>(b)];
  });
  for (const int k : order) {
    block.rows.push_back(support[static_cast<std::size_t>(k)]);
    block.values.push_back(solver.coefficients()[static_cast<std::size_t>(k)]);
  }
  block.sizes.push_back(static_cast<Index>(order.size()));
}

/// What the two ways share: the job, and where results go.
struct Results {
  const ElasticNetJob& job;
  Index num_points;
  std::vector<ColumnBlock> blocks = {};
  std::vector<SolveInfo> solves = {};

  Results(const ElasticNetJob& of_job, Index points, Index tile_size)
      : job(of_job),
        num_points(points),
        blocks(static_cast<std::size_t>((points + tile_size - 1) / tile_size)),
        solves(static_cast<std::size_t>(points)) {}
  SelfExpression finish() {
    return {assemble(blocks, num_points, num_points, job.function, job.sparser), std::move(solves)};
  }
};

// ---- with a stored Gram matrix: q = g_j - G c costs N x support
// -----------------------------------

struct GramWorkspace {
  ElasticNetPoint solver = {};
  std::vector<double> correlations = {};
  std::vector<double> targets = {};
  std::vector<int> order = {};
};

SolveInfo solve_point(const Matrix& G, int point, const Results& results, GramWorkspace& work) {
  ElasticNetPoint& solver = work.solver;
  const Index n = results.num_points;
  solver.start(point, results.job.rule, G.col(point).data(), G.rows(), n,
               results.job.context.cancel);
  correlate(G, n, solver, work.correlations.data());
  while (solver.choose_candidates(work.correlations.data())) {
    fill_chosen(G, n, solver, work.targets);
    solver.solve();
    correlate(G, n, solver, work.correlations.data());
  }
  return solver.certify(work.correlations.data());
}

// ---- without one: open points advance together, q = X'R for their residuals R by one GEMM ------
// X are all atoms, of which the points are the first

/// A point under way, and whether its correlations are those of the empty support.
struct OpenPoint {
  ElasticNetPoint* solver = nullptr;
  int point = 0;
  bool fresh = true;
};

struct StreamedWorkspace {
  std::vector<ElasticNetPoint> solvers = {};
  std::vector<ElasticNetPoint*> idle = {};
  std::vector<OpenPoint> open = {};
  std::vector<ColumnBlock> columns = {};  // of the points of the tile, in whatever order they end
  Matrix residuals = {};                  // D x open
  Matrix correlations = {};               // atoms x open
  Matrix candidates = {};                 // D x candidates of one point
  std::vector<double> targets = {};
  std::vector<int> order = {};
};

void prepare_tile(const ConstMatrixRef& X, Index num_points, const Tile& tile,
                  StreamedWorkspace& work) {
  const Index open = open_at_once(X.cols(), num_points);
  work.solvers.resize(static_cast<std::size_t>(open));
  work.residuals.resize(X.rows(), open);
  work.correlations.resize(X.cols(), open);
  work.idle.clear();
  for (ElasticNetPoint& solver : work.solvers) work.idle.push_back(&solver);
  work.columns.assign(static_cast<std::size_t>(tile.size()), {});
}

/// Lets the next points in, as long as there is room.
void open_points(const ConstMatrixRef& X, const Tile& tile, Index& next, StreamedWorkspace& work) {
  for (; next < tile.end && !work.idle.empty(); ++next) {
    work.residuals.col(static_cast<Index>(work.open.size())) = X.col(next);
    work.open.push_back({.solver = work.idle.back(), .point = static_cast<int>(next)});
    work.idle.pop_back();
  }
}

void correlate_open(const ConstMatrixRef& X, StreamedWorkspace& work) {
  linalg::gemm({.transpose_a = true,
                .m = X.cols(),
                .n = static_cast<Index>(work.open.size()),
                .k = X.rows(),
                .a = X.data(),
                .lda = X.outerStride(),
                .b = work.residuals.data(),
                .ldb = work.residuals.outerStride(),
                .c = work.correlations.data(),
                .ldc = work.correlations.outerStride()});
}

/// One round of the open points; those that are done leave their solution and make room.
void advance_open(const ConstMatrixRef& X, const Tile& tile, Results& results,
                  StreamedWorkspace& work) {
  std::size_t kept = 0;
  for (std::size_t slot = 0; slot < work.open.size(); ++slot) {
    OpenPoint& open = work.open[slot];
    ElasticNetPoint& solver = *open.solver;
    double* correlations = work.correlations.col(static_cast<Index>(slot)).data();
    if (open.fresh) {
      solver.start(open.point, results.job.rule, correlations, X.cols(), results.num_points,
                   results.job.context.cancel);
      open.fresh = false;
    }
    if (!solver.choose_candidates(correlations)) {
      results.solves[static_cast<std::size_t>(open.point)] = solver.certify(correlations);
      append(solver, results.num_points, work.order,
             work.columns[static_cast<std::size_t>(open.point - tile.begin)]);
      work.idle.push_back(&solver);
      continue;
    }
    fill_chosen(X, results.num_points, solver, work.candidates, work.targets);
    solver.solve();
    set_residual(X, solver, work.residuals.col(static_cast<Index>(kept)).data());
    work.open[kept++] = open;
  }
  work.open.resize(kept);
}

void solve_tile(const ConstMatrixRef& X, const Tile& tile, Results& results,
                StreamedWorkspace& work) {
  prepare_tile(X, results.num_points, tile, work);
  for (Index next = tile.begin;;) {
    open_points(X, tile, next, work);
    if (work.open.empty()) break;
    results.job.context.throw_if_cancelled();
    correlate_open(X, work);
    advance_open(X, tile, results, work);
  }
  ColumnBlock& block = results.blocks[static_cast<std::size_t>(tile.index)];
  for (const ColumnBlock& column : work.columns) block.append(column);
}

}  // namespace

Index counted_candidates(Index num_atoms, Index num_points) {
  constexpr Index kMostCounted = 256;
  return std::min(kMostCounted, num_points / 20) + num_atoms - num_points;
}

double small_problem_bytes(Index num_atoms, Index num_points) {
  const Index candidates = counted_candidates(num_atoms, num_points);
  return matrix_bytes(2.0, candidates, candidates);
}

// The workspaces: correlations, marks and residuals of the open points, and their small problems.
double elastic_net_streamed_bytes(Index dimension, Index num_atoms, Index num_points,
                                  const Context& context) {
  const Index n = num_atoms;
  const Index tiles = (num_points + kTileStreamed - 1) / kTileStreamed;
  const Index workers = std::min<Index>(resolve_threads(context), tiles);
  const double point = matrix_bytes(1.0, n + dimension, 1) + static_cast<double>(n) +
                       small_problem_bytes(n, num_points);
  return matrix_bytes(1.0, dimension, n) +
         static_cast<double>(workers * open_at_once(n, num_points)) * point;
}

double elastic_net_gram_bytes(Index num_atoms, Index num_points, const Context& context) {
  const Index tiles = (num_points + kTileWithGram - 1) / kTileWithGram;
  const Index workers = std::min<Index>(resolve_threads(context), tiles);
  return matrix_bytes(1.0, num_atoms, num_atoms) +
         static_cast<double>(workers) * small_problem_bytes(num_atoms, num_points);
}

double elastic_net_bytes(Index dimension, Index num_points, const Context& context) {
  if (!stores_gram(dimension, num_points, context)) {
    return elastic_net_streamed_bytes(dimension, num_points, num_points, context);
  }
  return matrix_bytes(1.0, dimension + num_points, num_points);
}

SelfExpression elastic_net_from_gram(const Matrix& G, Index num_points, const ElasticNetJob& job) {
  Results results(job, num_points, kTileWithGram);
  std::vector<GramWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(job.context)));
  for_tiles(
      job.context, num_points, kTileWithGram,
      [&](const Tile& tile) {
        GramWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        work.correlations.resize(static_cast<std::size_t>(G.rows()));
        ColumnBlock& block = results.blocks[static_cast<std::size_t>(tile.index)];
        for (Index point = tile.begin; point < tile.end; ++point) {
          results.solves[static_cast<std::size_t>(point)] =
              solve_point(G, static_cast<int>(point), results, work);
          append(work.solver, num_points, work.order, block);
        }
      },
      kPhase);
  return results.finish();
}

SelfExpression elastic_net_streamed(const ConstMatrixRef& atoms, Index num_points,
                                    const ElasticNetJob& job) {
  check_memory(job.function,
               elastic_net_streamed_bytes(atoms.rows(), atoms.cols(), num_points, job.context),
               allowed_memory(job.context), "use fewer threads or give fewer samples");
  Results results(job, num_points, kTileStreamed);
  std::vector<StreamedWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(job.context)));
  for_tiles(
      job.context, num_points, kTileStreamed,
      [&](const Tile& tile) {
        StreamedWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        solve_tile(atoms, tile, results, work);
      },
      kPhase);
  return results.finish();
}

}  // namespace subspace
