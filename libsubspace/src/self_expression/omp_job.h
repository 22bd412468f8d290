// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <vector>

#include <subspace/core/parallel.h>
#include <subspace/core/solve_info.h>
#include <subspace/self_expression/omp.h>

#include "self_expression/column_blocks.h"
#include "self_expression/omp_path.h"

namespace subspace {

inline constexpr char kOmpPhase[] = "self-expression";

/// No more points than these can be independent.
inline Index longest_omp_path(const OmpOptions& options, Index dimension, Index num_points) {
  return std::min({Index{options.max_nonzeros}, dimension, num_points - 1});
}

/// How many threads find a tile of so many points to work on.
inline Index omp_workers(Index tile_size, Index num_points, const Context& context) {
  return std::min<Index>(resolve_threads(context), (num_points + tile_size - 1) / tile_size);
}

/// What the ways with and without a stored Gram matrix share: the data and where results go.
struct OmpJob {
  const ConstMatrixRef& X;
  const OmpOptions& options;
  const Context& context;
  Vector squared_lengths = {};
  std::vector<ColumnBlock> blocks = {};
  std::vector<SolveInfo> solves = {};

  Index num_points() const { return X.cols(); }
  Index longest_path() const { return longest_omp_path(options, X.rows(), X.cols()); }
  void reserve_tiles(Index tile_size) {
    blocks.resize(static_cast<std::size_t>((num_points() + tile_size - 1) / tile_size));
    solves.resize(static_cast<std::size_t>(num_points()));
  }
};

/// Squared lengths of all points; those lost to underflow beside the largest are zero.
void measure_lengths(OmpJob& job);

struct OmpFitWorkspace {
  std::vector<double> residual = {};
  std::vector<double> products = {};  // of the support and the residual
  std::vector<int> order = {};
};

/// Solves for the coefficients of a path at its end, and keeps them with their certificate, which
/// is computed from the data alone.
void conclude(OmpJob& job, OmpPath& path, OmpFitWorkspace& work, ColumnBlock& block);

/// The data and, for each point in work, its correlations, its residual twice and its directions.
double omp_streamed_bytes(const OmpOptions& options, Index dimension, Index num_points,
                          const Context& context);

/// Without a Gram matrix: the points of a tile advance together.
void solve_streamed(OmpJob& job);

}  // namespace subspace
