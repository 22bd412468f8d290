// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <vector>

#include <subspace/core/parallel.h>

#include "self_expression/column_blocks.h"
#include "self_expression/ssc_official.h"

namespace subspace {
namespace {

const char* const kPhase = "self-expression";
// The published stopping rule.
constexpr double kThreshold = 2e-4;
constexpr int kMostIterations = 199;

}  // namespace

AdmmColumns published_columns(const SscCall& call) {
  return {
      .threshold = 1.0 / call.options.alpha, .affine = call.options.affine, .zero_diagonal = true};
}

SolveInfo iterate_published(Index num_points, Index tile_size, int limit, const Context& context,
                            const std::function<AdmmErrors(const Tile&)>& step) {
  std::vector<AdmmErrors> errors(
      static_cast<std::size_t>((num_points + tile_size - 1) / tile_size));
  SolveInfo info;
  info.termination = Termination::kIterationLimit;
  while (info.iterations < limit) {
    for_tiles(context, num_points, tile_size,
              [&](const Tile& tile) { errors[static_cast<std::size_t>(tile.index)] = step(tile); });
    ++info.iterations;
    context.report(kPhase, info.iterations, limit);
    AdmmErrors all;
    for (const AdmmErrors& of_tile : errors) all.include(of_tile);
    info.residual = all.largest();
    if (info.residual <= kThreshold) {
      info.termination = Termination::kConverged;
      break;
    }
  }
  return info;
}

SelfExpression collect_published(const Matrix& V, const AdmmColumns& columns, const SolveInfo& info,
                                 const SscCall& call) {
  const Index n = V.cols();
  std::vector<ColumnBlock> blocks(1);
  Vector c(n);
  for (Index j = 0; j < n; ++j) {
    columns.shrink(V.col(j).data(), n, j, c.data());
    blocks[0].append(c.data(), n);
  }
  return {assemble(blocks, n, n, call.function, "lower alpha"), {info}};
}

SelfExpression ssc_official(Index num_points, const RidgeInverse& ridge, const SscCall& call) {
  const AdmmColumns columns = published_columns(call);
  const Index n = num_points;
  Matrix V = Matrix::Zero(n, n);
  Vector multipliers = Vector::Zero(n);
  std::vector<AdmmWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  const SolveInfo info =
      iterate_published(n, kAdmmTile, kMostIterations, call.context, [&](const Tile& tile) {
        return admm_step(columns, ridge, tile, V.col(tile.begin).data(), n,
                         multipliers.data() + tile.begin,
                         workspaces[static_cast<std::size_t>(tile.worker)]);
      });
  return collect_published(V, columns, info, call);
}

}  // namespace subspace
