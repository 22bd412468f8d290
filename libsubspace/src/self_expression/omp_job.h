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

/// What the ways with and without a stored Gram matrix share: the data and where results go.
struct OmpJob {
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

/// Without a Gram matrix: the points of a tile advance together. Throws ResourceError when the
/// workspaces of all threads do not fit.
void solve_streamed(OmpJob& job);

}  // namespace subspace
