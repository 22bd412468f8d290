// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <vector>

#include <subspace/core/parallel.h>

#include "self_expression/column_blocks.h"
#include "linalg/largest.h"
#include "self_expression/ssc_official.h"

namespace subspace {
namespace {

const char* const kPhase = "self-expression";
// The published stopping rule, with kSscOfficialTolerance.
constexpr int kMostIterations = 199;

struct CertificateWorkspace {
  Matrix C = {};
  Matrix Q = {};
  Matrix residuals = {};
};

/// Of the columns of a tile, from C = S(V) and the data alone.
double tile_violation(const Products& products, const AdmmColumns& columns, const Matrix& V,
                      double weight, const Tile& tile, CertificateWorkspace& work) {
  const Index n = V.rows();
  work.C.resize(n, kAdmmTile);
  for (Index k = 0; k < tile.size(); ++k) {
    columns.shrink(V.col(tile.begin + k).data(), n, tile.begin + k, work.C.col(k).data());
  }
  products.correlate(tile, work.C, work.Q, work.residuals);
  double largest = 0.0;
  for (Index k = 0; k < tile.size(); ++k) {
    const double violation = ssc_violation(work.Q.col(k).data(), work.C.col(k).data(), n,
                                           tile.begin + k, weight, columns.summed);
    keep_largest(violation, largest);
  }
  return largest;
}

double violation_of(const Products& products, const AdmmColumns& columns, const Matrix& V,
                    double weight, const Context& context) {
  std::vector<CertificateWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(context)));
  return largest_violation(V.cols(), kAdmmTile, context, [&](const Tile& tile) {
    return tile_violation(products, columns, V, weight, tile,
                          workspaces[static_cast<std::size_t>(tile.worker)]);
  });
}

}  // namespace

double largest_violation(Index num_points, Index tile_size, const Context& context,
                         const std::function<double(const Tile&)>& violation) {
  std::vector<double> of_tiles(static_cast<std::size_t>((num_points + tile_size - 1) / tile_size));
  for_tiles(context, num_points, tile_size, [&](const Tile& tile) {
    of_tiles[static_cast<std::size_t>(tile.index)] = violation(tile);
  });
  double largest = 0.0;
  for (const double each : of_tiles) {
    keep_largest(each, largest);
  }
  return largest;
}

AdmmColumns published_columns(const SscCall& call, Index num_points) {
  return {.threshold = 1.0 / call.options.alpha,
          .summed = call.options.affine ? num_points : 0,
          .zero_diagonal = true};
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
    info.stopping_error = all.largest();
    if (info.stopping_error <= kSscOfficialTolerance) {
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

SelfExpression ssc_official(const Products& products, const RidgeInverse& ridge, double weight,
                            const SscCall& call) {
  const Index n = products.num_atoms();
  const AdmmColumns columns = published_columns(call, n);
  Matrix V = Matrix::Zero(n, n);
  Vector multipliers = Vector::Zero(n);
  std::vector<AdmmWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  SolveInfo info =
      iterate_published(n, kAdmmTile, kMostIterations, call.context, [&](const Tile& tile) {
        return admm_step(columns, ridge, tile, V.col(tile.begin).data(), n,
                         multipliers.data() + tile.begin,
                         workspaces[static_cast<std::size_t>(tile.worker)]);
      });
  workspaces.clear();
  info.residual = violation_of(products, columns, V, weight, call.context);
  return collect_published(V, columns, info, call);
}

}  // namespace subspace
