// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/kernels.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"
#include "self_expression/column_blocks.h"
#include "self_expression/gram_budget.h"
#include "self_expression/omp_path.h"

namespace subspace {
namespace {

// Points of one work item. With a stored Gram matrix a point needs nothing of its neighbours;
// without one, the points of a tile share one GEMM with the whole data set in every step.
constexpr Index kTileWithGram = 16;
constexpr Index kTileStreamed = 32;
// The orthogonality of residual and support that counts as solved.
constexpr double kOrthogonality = 1e-8;
// Beyond this the factor has lost digits that a step of refinement brings back.
constexpr double kRefineAbove = 1e-13;
// Squared lengths this small beside the largest are lost to underflow.
constexpr double kShortest = 1e-280;
const char* const kPhase = "self-expression";

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What the two ways share: the data and where results go.
struct Job {
  const ConstMatrixRef& X;
  const OmpOptions& options;
  const Context& context;
  Vector squared_lengths = {};
  std::vector<ColumnBlock> blocks = {};
  std::vector<SolveInfo> solves = {};

  Index num_points() const { return X.cols(); }
  /// No more points than these can be independent.
  Index longest_path() const {
    return std::min({Index{options.max_nonzeros}, X.rows(), X.cols() - 1});
  }
  Index num_workers(Index tile_size) const {
    return std::min<Index>(resolve_threads(context), (num_points() + tile_size - 1) / tile_size);
  }
  void reserve_tiles(Index tile_size) {
    blocks.resize(at((num_points() + tile_size - 1) / tile_size));
    solves.resize(at(num_points()));
  }
};

void measure_lengths(Job& job) {
  job.squared_lengths.resize(job.num_points());
  for (Index j = 0; j < job.num_points(); ++j) {
    const double* point = job.X.col(j).data();
    job.squared_lengths[j] = linalg::dot(point, point, job.X.rows());
  }
  const double shortest = kShortest * job.squared_lengths.maxCoeff();
  for (double& length : job.squared_lengths) {
    if (length < shortest) length = 0.0;
  }
}

// ---- the fit, from the data alone ---------------------------------------------------------------

struct FitWorkspace {
  std::vector<double> residual = {};
  std::vector<double> products = {};  // of the support and the residual
  std::vector<int> order = {};
};

/// max |x_i'r| / (|x_i| |x_j|) over the support, with r = x_j - X c.
double orthogonality(const Job& job, OmpPath& path, FitWorkspace& work) {
  const Index d = job.X.rows();
  work.residual.resize(at(d));
  work.products.resize(path.support().size());
  std::copy_n(job.X.col(path.point()).data(), d, work.residual.data());
  linalg::subtract_columns(job.X.data(), job.X.outerStride(), path.support().data(),
                           path.coefficients().data(), path.size(), work.residual.data(), d);
  double largest = 0.0;
  for (std::size_t k = 0; k < work.products.size(); ++k) {
    const int i = path.support()[k];
    work.products[k] = linalg::dot(job.X.col(i).data(), work.residual.data(), d);
    const double lengths =
        std::sqrt(job.squared_lengths[i]) * std::sqrt(job.squared_lengths[path.point()]);
    const double relative = std::fabs(work.products[k]) / lengths;
    if (!(relative <= largest)) largest = relative;  // NaN is no small one
  }
  return largest;
}

/// Solves for the coefficients of a path at its end, and keeps them with their certificate.
void conclude(Job& job, OmpPath& path, FitWorkspace& work, ColumnBlock& block) {
  path.solve();
  SolveInfo info;
  info.iterations = static_cast<int>(path.size());
  info.residual = orthogonality(job, path, work);
  if (info.residual > kRefineAbove) {
    path.refine(work.products);
    info.residual = orthogonality(job, path, work);
  }
  info.termination =
      info.residual <= kOrthogonality ? Termination::kConverged : Termination::kStalled;
  job.solves[at(path.point())] = info;
  block.append(path.support(), path.coefficients(), work.order);
}

// ---- with a stored Gram matrix: directions d_l by their inner products X'd_l with all points ----

struct GramWorkspace {
  OmpPath path = {};
  Vector correlations = {};
  Matrix directions = {};                // columns X'd_l times the pivot L_ll
  std::vector<double> pivots = {};       // L_ll
  std::vector<double> weights = {};      // L_kl / L_ll
  std::vector<int> all_directions = {};  // 0, 1, 2, ..
  FitWorkspace fit = {};
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

double gram_bytes(const Job& job) {
  const Index columns = job.num_points() + job.num_workers(kTileWithGram) * job.longest_path();
  return matrix_bytes(1.0, job.X.rows() + columns, job.num_points());
}

void solve_with_gram(Job& job) {
  const Matrix G = linalg::gram(job.X, job.context);
  std::vector<GramWorkspace> workspaces(at(resolve_threads(job.context)));
  job.reserve_tiles(kTileWithGram);
  const Index most = job.longest_path();
  for_tiles(
      job.context, job.num_points(), kTileWithGram,
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
      kPhase);
}

// ---- without one: directions as they are, and X'R for the residuals R of a tile by one GEMM -----

struct StreamedPoint {
  OmpPath path = {};
  Matrix directions = {};  // columns d_l
  Vector residual = {};
};

struct StreamedWorkspace {
  std::vector<StreamedPoint> points = {};
  std::vector<Index> open = {};  // points of the tile that go on
  Matrix residuals = {};         // of these
  Matrix correlations = {};      // N x open
  Vector remainder = {};         // part of a point orthogonal to the directions
  Vector components = {};
  FitWorkspace fit = {};
};

void correlate_open(const Job& job, StreamedWorkspace& work) {
  const Index count = static_cast<Index>(work.open.size());
  for (Index slot = 0; slot < count; ++slot) {
    work.residuals.col(slot) = work.points[at(work.open[at(slot)])].residual;
  }
  linalg::gemm({.transpose_a = true,
                .m = job.num_points(),
                .n = count,
                .k = job.X.rows(),
                .a = job.X.data(),
                .lda = job.X.outerStride(),
                .b = work.residuals.data(),
                .ldb = work.residuals.outerStride(),
                .c = work.correlations.data(),
                .ldc = work.correlations.outerStride()});
}

/// Takes the components along the directions out of work.remainder and adds them to the row. Done
/// twice it leaves no component but rounding, however small the remainder is.
void orthogonalize(StreamedPoint& point, StreamedWorkspace& work) {
  const Index k = point.path.size();
  if (k == 0) return;
  const Matrix& Q = point.directions;
  work.components.resize(k);
  linalg::gemv(true, Q.rows(), k, 1.0, Q.data(), Q.outerStride(), work.remainder.data(), 0.0,
               work.components.data());
  linalg::gemv(false, Q.rows(), k, -1.0, Q.data(), Q.outerStride(), work.components.data(), 1.0,
               work.remainder.data());
  for (Index l = 0; l < k; ++l) point.path.row()[at(l)] += work.components[l];
}

/// Takes one more point; false at the end of the path.
bool extend(const Job& job, StreamedPoint& point, double* correlations, StreamedWorkspace& work) {
  while (point.path.choose(correlations)) {
    work.remainder = job.X.col(point.path.chosen());
    std::fill(point.path.row().begin(), point.path.row().end(), 0.0);
    orthogonalize(point, work);
    orthogonalize(point, work);
    const double correlation = work.remainder.dot(point.residual);
    if (!point.path.enter(work.remainder.squaredNorm(), correlation)) continue;
    const Vector direction = work.remainder / point.path.pivot();
    point.residual -= point.path.reduced() * direction;
    if (point.path.is_finished()) return false;
    point.directions.col(point.path.size() - 1) = direction;
    return true;
  }
  return false;
}

void walk_tile(Job& job, const Tile& tile, StreamedWorkspace& work) {
  const Index most = job.longest_path();
  work.points.resize(kTileStreamed);
  work.residuals.resize(job.X.rows(), kTileStreamed);
  work.correlations.resize(job.num_points(), kTileStreamed);
  work.open.resize(at(tile.size()));
  std::iota(work.open.begin(), work.open.end(), Index{0});
  for (const Index p : work.open) {
    StreamedPoint& point = work.points[at(p)];
    point.path.start(static_cast<int>(tile.begin + p), job.squared_lengths, job.options, most);
    point.directions.resize(job.X.rows(), std::max<Index>(most - 1, 0));
    point.residual = job.X.col(tile.begin + p);
  }
  while (!work.open.empty()) {
    job.context.throw_if_cancelled();
    correlate_open(job, work);
    std::size_t kept = 0;
    for (std::size_t slot = 0; slot < work.open.size(); ++slot) {
      const Index p = work.open[slot];
      double* correlations = work.correlations.col(static_cast<Index>(slot)).data();
      if (extend(job, work.points[at(p)], correlations, work)) work.open[kept++] = p;
    }
    work.open.resize(kept);
  }
}

/// The data and, for each point in work, its correlations, its residual twice and its directions.
double streamed_bytes(const Job& job) {
  const Index in_work = job.num_workers(kTileStreamed) * kTileStreamed;
  const double point = matrix_bytes(1.0, job.num_points(), 1) +
                       matrix_bytes(1.0, job.X.rows(), job.longest_path() + 2);
  return matrix_bytes(1.0, job.X.rows(), job.num_points()) + static_cast<double>(in_work) * point;
}

void solve_streamed(Job& job) {
  check_memory("omp", streamed_bytes(job), allowed_memory(job.context),
               "use fewer threads, lower max_nonzeros or give fewer samples");
  std::vector<StreamedWorkspace> workspaces(at(resolve_threads(job.context)));
  job.reserve_tiles(kTileStreamed);
  for_tiles(
      job.context, job.num_points(), kTileStreamed,
      [&](const Tile& tile) {
        StreamedWorkspace& work = workspaces[at(tile.worker)];
        walk_tile(job, tile, work);
        for (Index p = 0; p < tile.size(); ++p) {
          conclude(job, work.points[at(p)].path, work.fit, job.blocks[at(tile.index)]);
        }
      },
      kPhase);
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

SelfExpression omp(const ConstMatrixRef& X, const OmpOptions& options, const Context& context) {
  OmpOptions checked = options;
  check(describe(checked), "omp");
  require_finite(X, "omp");
  // C does not change when all points are scaled alike; at unit scale no inner product overflows.
  const double largest = X.cwiseAbs().maxCoeff();
  Matrix scaled;
  if (largest > 0.0 && (largest < 1e-50 || largest > 1e50)) {
    scaled = X;
    scale_by_power_of_two(scaled, -binary_exponent(scaled));
  }
  const ConstMatrixRef points = scaled.size() > 0 ? ConstMatrixRef(scaled) : X;

  Job job{.X = points, .options = options, .context = context};
  measure_lengths(job);
  if (gram_fits(X.cols(), context) && gram_bytes(job) <= allowed_memory(context)) {
    solve_with_gram(job);
  } else {
    solve_streamed(job);
  }
  return {assemble(job.blocks, X.cols(), X.cols(), "omp", "lower max_nonzeros"),
          std::move(job.solves)};
}

}  // namespace subspace
