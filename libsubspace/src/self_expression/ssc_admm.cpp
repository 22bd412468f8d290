// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ssc_admm.h"

#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/ssc_admm_step.h"

namespace subspace {
namespace {

const char* const kPhase = "self-expression";
// Usual in the literature; a third fewer iterations than without.
constexpr double kRelaxation = 1.6;
// Iterations between two looks at the optimality conditions, which cost about one.
constexpr int kBetweenChecks = 20;

struct TileWorkspace {
  AdmmWorkspace step = {};
  Matrix V = {};
  Matrix C = {};
  Matrix Q = {};
  Matrix residuals = {};
  Vector multipliers = {};
};

/// What all tiles share.
struct Run {
  const Products& products;
  const RidgeInverse& ridge;
  AdmmColumns columns;
  double weight;
  const SscCall& call;
};

/// Writes down how far the columns of a tile have come; true when all are solved.
bool check(const Run& run, const Tile& tile, int iterations, TileWorkspace& work,
           std::vector<SolveInfo>& solves) {
  const Index n = run.products.num_atoms();
  for (Index k = 0; k < tile.size(); ++k) {
    run.columns.shrink(work.V.col(k).data(), n, tile.begin + k, work.C.col(k).data());
  }
  run.products.correlate(tile, work.C, work.Q, work.residuals);
  bool all = true;
  for (Index k = 0; k < tile.size(); ++k) {
    SolveInfo& info = solves[static_cast<std::size_t>(tile.begin + k)];
    info.iterations = iterations;
    info.residual = ssc_violation(work.Q.col(k).data(), work.C.col(k).data(), n, tile.begin + k,
                                  run.weight, run.columns.summed);
    const bool solved = info.residual <= run.call.options.tolerance;
    info.termination = solved ? Termination::kConverged : Termination::kIterationLimit;
    all = all && solved;
  }
  return all;
}

void solve_tile(const Run& run, const Tile& tile, TileWorkspace& work,
                std::vector<SolveInfo>& solves) {
  const Index n = run.products.num_atoms();
  const int limit = run.call.options.max_iterations;
  work.V = Matrix::Zero(n, kAdmmTile);
  work.C.resize(n, kAdmmTile);
  work.multipliers = Vector::Zero(kAdmmTile);
  for (int iteration = 1; iteration <= limit; ++iteration) {
    run.call.context.throw_if_cancelled();
    admm_step(run.columns, run.ridge, tile, work.V.data(), n, work.multipliers.data(), work.step);
    if (iteration % kBetweenChecks != 0 && iteration != limit) continue;
    if (check(run, tile, iteration, work, solves)) return;
  }
}

}  // namespace

double ssc_admm_bytes(Index dimension, Index num_atoms, const Context& context) {
  return resolve_threads(context) * matrix_bytes(1.0, 5 * num_atoms + dimension, kAdmmTile);
}

SelfExpression ssc_admm(const Products& products, Index num_points, const RidgeInverse& ridge,
                        double weight, const SscCall& call) {
  const Index n = num_points;
  const Run run{.products = products,
                .ridge = ridge,
                .columns = {.threshold = 1.0 / (kAdmmPenalty * call.options.alpha),
                            .summed = call.options.affine ? n : 0,
                            .relaxation = kRelaxation},
                .weight = weight,
                .call = call};
  std::vector<ColumnBlock> blocks(static_cast<std::size_t>((n + kAdmmTile - 1) / kAdmmTile));
  std::vector<SolveInfo> solves(static_cast<std::size_t>(n));
  std::vector<TileWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  for_tiles(
      call.context, n, kAdmmTile,
      [&](const Tile& tile) {
        TileWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        solve_tile(run, tile, work, solves);
        for (Index k = 0; k < tile.size(); ++k) {
          blocks[static_cast<std::size_t>(tile.index)].append(work.C.col(k).data(), n);
        }
      },
      kPhase);
  return {assemble(blocks, n, n, call.function, "lower alpha"), std::move(solves)};
}

}  // namespace subspace
