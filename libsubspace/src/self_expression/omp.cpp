// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/omp.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/kernels.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/scaled_points.h"
#include "self_expression/gram_budget.h"
#include "self_expression/omp_job.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

// Points of one work item.
constexpr Index kTile = 16;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// With a stored Gram matrix: directions d_l by their inner products X'd_l with all points.
struct GramWorkspace {
  OmpPath path = {};
  Vector correlations = {};
  Matrix directions = {};                // columns X'd_l times the pivot L_ll
  std::vector<double> pivots = {};       // L_ll
  std::vector<double> weights = {};      // L_kl / L_ll
  std::vector<int> all_directions = {};  // 0, 1, 2, ..
  OmpFitWorkspace fit = {};
};

/// The Gram column of the point taken last, less its components along the earlier directions, is
/// X'd_k L_kk; along d_k the residual loses y_k.
void follow_direction(const Matrix& G, GramWorkspace& work) {
  const OmpPath& path = work.path;
  const Index n = G.rows();
  const Index k = path.size() - 1;
  double* direction = work.directions.col(k).data();
  std::copy_n(G.col(path.chosen()).data(), n, direction);
  linalg::subtract_columns(work.directions.data(), n, work.all_directions.data(),
                           work.weights.data(), k, direction, n);
  work.pivots[at(k)] = path.pivot();
  const int column = static_cast<int>(k);
  const double weight = path.reduced() / path.pivot();
  linalg::subtract_columns(work.directions.data(), n, &column, &weight, 1, work.correlations.data(),
                           n);
}

void walk_with_gram(const Matrix& G, GramWorkspace& work) {
  OmpPath& path = work.path;
  while (path.choose(work.correlations.data())) {
    const int i = path.chosen();
    double squared_pivot = G(i, i);
    for (Index l = 0; l < path.size(); ++l) {
      const double inner = work.directions(i, l) / work.pivots[at(l)];
      path.row()[at(l)] = inner;
      work.weights[at(l)] = inner / work.pivots[at(l)];
      squared_pivot -= inner * inner;
    }
    if (!path.enter(squared_pivot, work.correlations[i])) continue;
    if (!path.is_finished()) follow_direction(G, work);
  }
}

/// The data, their Gram matrix and the directions of a point in every thread.
double gram_bytes(const OmpOptions& options, Index dimension, Index num_points,
                  const Context& context) {
  const Index directions =
      omp_workers(kTile, num_points, context) * longest_omp_path(options, dimension, num_points);
  return matrix_bytes(1.0, dimension + num_points + directions, num_points);
}

bool stores_products(const OmpOptions& options, Index dimension, Index num_points,
                     const Context& context) {
  return gram_fits(num_points, context) &&
         gram_bytes(options, dimension, num_points, with_nominal_threads(context)) <=
             allowed_memory(context);
}

void solve_with_gram(OmpJob& job) {
  const Matrix G = linalg::gram(job.X, job.context);
  std::vector<GramWorkspace> workspaces(at(resolve_threads(job.context)));
  job.reserve_tiles(kTile);
  const Index most = job.longest_path();
  for_tiles(
      job.context, job.num_points(), kTile,
      [&](const Tile& tile) {
        GramWorkspace& work = workspaces[at(tile.worker)];
        work.directions.resize(job.num_points(), std::max<Index>(most - 1, 0));
        work.pivots.resize(at(most));
        work.weights.resize(at(most));
        work.all_directions.resize(at(most));
        std::iota(work.all_directions.begin(), work.all_directions.end(), 0);
        for (Index j = tile.begin; j < tile.end; ++j) {
          job.context.throw_if_cancelled();
          work.path.start(static_cast<int>(j), job.squared_lengths, job.options, most);
          work.correlations = G.col(j);
          walk_with_gram(G, work);
          conclude(job, work.path, work.fit, job.blocks[at(tile.index)]);
        }
      },
      kOmpPhase);
}

}  // namespace

Parameters describe(OmpOptions& options) {
  return {
      parameter("max_nonzeros", options.max_nonzeros, "points that represent a point, at most")
          .at_least(1)
          .written("k"),
      parameter("tolerance", options.tolerance,
                "stop once the squared residual is this share of the point's squared length")
          .at_least(0)
          .written("epsilon"),
  };
}

double solver_bytes(const OmpOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  return stores_products(options, dimension, num_points, context)
             ? gram_bytes(options, dimension, num_points, context)
             : omp_streamed_bytes(options, dimension, num_points, context);
}

SelfExpression omp(const ConstMatrixRef& X, const OmpOptions& options, const Context& context) {
  OmpOptions checked = options;
  check(describe(checked), "omp");
  require_finite(X, "omp");
  check_memory("omp", solver_bytes(options, X.rows(), X.cols(), context), allowed_memory(context),
               "use fewer threads, lower max_nonzeros or give fewer samples");
  // C does not change when all points are scaled alike.
  const ScaledPoints scaled(X);
  OmpJob job{.X = scaled.points, .options = options, .context = context};
  measure_lengths(job);
  if (stores_products(options, X.rows(), X.cols(), context)) {
    solve_with_gram(job);
  } else {
    solve_streamed(job);
  }
  return {assemble(job.blocks, X.cols(), X.cols(), "omp", "lower max_nonzeros"),
          std::move(job.solves)};
}

}  // namespace subspace
