// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <numeric>

#include <subspace/core/memory.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/omp_job.h"

namespace subspace {
namespace {

// Points of one work item, which share one GEMM with the whole data set in every step.
constexpr Index kTile = 32;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The directions d_l as they are, and X'R for the residuals R of a tile by one GEMM.
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
  OmpFitWorkspace fit = {};
};

void correlate_open(const OmpJob& job, StreamedWorkspace& work) {
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
bool extend(const OmpJob& job, StreamedPoint& point, double* correlations,
            StreamedWorkspace& work) {
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

void walk_tile(OmpJob& job, const Tile& tile, StreamedWorkspace& work) {
  const Index most = job.longest_path();
  work.points.resize(kTile);
  work.residuals.resize(job.X.rows(), kTile);
  work.correlations.resize(job.num_points(), kTile);
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

}  // namespace

double omp_streamed_bytes(const OmpOptions& options, Index dimension, Index num_points,
                          const Context& context) {
  const Index in_work = omp_workers(kTile, num_points, context) * kTile;
  const Index vectors = longest_omp_path(options, dimension, num_points) + 2;
  const double point = matrix_bytes(1.0, num_points, 1) + matrix_bytes(1.0, dimension, vectors);
  return matrix_bytes(1.0, dimension, num_points) + static_cast<double>(in_work) * point;
}

void solve_streamed(OmpJob& job) {
  std::vector<StreamedWorkspace> workspaces(at(resolve_threads(job.context)));
  job.reserve_tiles(kTile);
  for_tiles(
      job.context, job.num_points(), kTile,
      [&](const Tile& tile) {
        StreamedWorkspace& work = workspaces[at(tile.worker)];
        walk_tile(job, tile, work);
        for (Index p = 0; p < tile.size(); ++p) {
          conclude(job, work.points[at(p)].path, work.fit, job.blocks[at(tile.index)]);
        }
      },
      kOmpPhase);
}

}  // namespace subspace
