// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_engine.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/elastic_net_products.h"

namespace subspace {
namespace {

// Points of one work item. With a stored Gram matrix a point needs nothing of its neighbours;
// without one, the points of a tile share one GEMM with the whole data set in every round.
constexpr Index kTileWithGram = 16;
constexpr Index kTileStreamed = 32;
// The Gram matrix is stored when it takes at most this share of the memory allowed.
constexpr double kGramShare = 0.25;
const char* const kPhase = "self-expression";

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

// ---- without one: the points of a tile advance together, q = X'R for their residuals R by one
// GEMM -

struct StreamedWorkspace {
  std::vector<ElasticNetPoint> solvers = {};
  std::vector<Index> open = {};  // solvers of the tile that go on
  Matrix residuals = {};         // D x open
  Matrix correlations = {};      // N x open
  Matrix candidates = {};        // D x candidates of one point
  std::vector<double> targets = {};
  std::vector<int> order = {};
};

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

void start_tile(const ConstMatrixRef& X, const ElasticNetJob& job, const Tile& tile,
                StreamedWorkspace& work) {
  work.solvers.resize(kTileStreamed);
  work.residuals.resize(X.rows(), kTileStreamed);
  work.correlations.resize(X.cols(), kTileStreamed);
  work.open.resize(static_cast<std::size_t>(tile.size()));
  std::iota(work.open.begin(), work.open.end(), Index{0});
  work.residuals.leftCols(tile.size()) = X.middleCols(tile.begin, tile.size());
  correlate_open(X, work);
  for (Index k = 0; k < tile.size(); ++k) {
    work.solvers[static_cast<std::size_t>(k)].start(static_cast<int>(tile.begin + k), job.rule,
                                                    work.correlations.col(k).data(), X.cols(),
                                                    job.context.cancel);
  }
}

/// One round of the open points; those that are done leave their certificate and drop out.
void advance_tile(const ConstMatrixRef& X, Results& results, StreamedWorkspace& work) {
  std::size_t kept = 0;
  for (std::size_t slot = 0; slot < work.open.size(); ++slot) {
    ElasticNetPoint& solver = work.solvers[static_cast<std::size_t>(work.open[slot])];
    double* correlations = work.correlations.col(static_cast<Index>(slot)).data();
    if (!solver.choose_candidates(correlations)) {
      results.solves[static_cast<std::size_t>(solver.point())] = solver.certify(correlations);
      continue;
    }
    fill_chosen(X, solver, work.candidates, work.targets);
    solver.solve();
    set_residual(X, solver, work.residuals.col(static_cast<Index>(kept)).data());
    work.open[kept++] = work.open[slot];
  }
  work.open.resize(kept);
  correlate_open(X, work);
}

/// The data and the workspaces of all threads: correlations, marks and residuals of a tile's
/// points, and their small problems (a Gram matrix and its factor), whose final size only the
/// solution tells; supports of this many points are counted.
double streamed_bytes(const ConstMatrixRef& X, const Context& context) {
  constexpr Index kCountedCandidates = 256;
  const Index n = X.cols();
  const Index tiles = (n + kTileStreamed - 1) / kTileStreamed;
  const Index workers = std::min<Index>(resolve_threads(context), tiles);
  const Index candidates = std::min(kCountedCandidates, n / 64);
  const double point = matrix_bytes(1.0, n + X.rows(), 1) + static_cast<double>(n) +
                       matrix_bytes(2.0, candidates, candidates);
  return matrix_bytes(1.0, X.rows(), n) + static_cast<double>(workers * kTileStreamed) * point;
}

}  // namespace

bool gram_fits(Index num_atoms, const Context& context) {
  return matrix_bytes(1.0, num_atoms, num_atoms) <= kGramShare * allowed_memory(context);
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

SelfExpression elastic_net_streamed(const ConstMatrixRef& X, const ElasticNetJob& job) {
  check_memory(job.function, streamed_bytes(X, job.context), allowed_memory(job.context),
               "use fewer threads or give fewer samples");
  Results results(job, X.cols(), kTileStreamed);
  std::vector<StreamedWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(job.context)));
  for_tiles(
      job.context, X.cols(), kTileStreamed,
      [&](const Tile& tile) {
        StreamedWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        start_tile(X, job, tile, work);
        while (!work.open.empty()) {
          job.context.throw_if_cancelled();
          advance_tile(X, results, work);
        }
        ColumnBlock& block = results.blocks[static_cast<std::size_t>(tile.index)];
        for (Index k = 0; k < tile.size(); ++k) {
          append(work.solvers[static_cast<std::size_t>(k)], X.cols(), work.order, block);
        }
      },
      kPhase);
  return results.finish();
}

}  // namespace subspace
