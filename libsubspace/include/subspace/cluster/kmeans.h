// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/solve_info.h>
#include <subspace/core/types.h>

namespace subspace {

/// Where the centres of a start come from.
enum class KMeansInit {
  kPlusPlus,  ///< greedy k-means++
  kRows,      ///< k different samples (rows of a file), all sets of them equally likely
};

struct KMeansOptions {
  KMeansInit init = KMeansInit::kPlusPlus;
  int restarts = 20;         ///< independent starts; the lowest inertia wins
  int max_iterations = 300;  ///< Lloyd iterations of one start
  /// Stop when the centres move less than this times the mean variance of the features
  /// (sum of squared moves); or when no label changes.
  double tolerance = 1e-4;
};
SUBSPACE_API Parameters describe(KMeansOptions& options);

struct KMeansResult {
  Labels labels = {};    ///< every cluster 0 .. k-1 is used when the data has k distinct points
  Matrix centers = {};   ///< D x k
  double inertia = 0.0;  ///< sum of squared distances to the own centre
  int best_restart = 0;
  SolveInfo info = {};  ///< of the winning start; residual: the last squared move of the centres
};

/// Lloyd's k-means, seeded as `init` says; distances by GEMM; an empty cluster is re-seeded
/// with the point farthest from its centre. Start r draws from stream (seed, r) and reductions have
/// a fixed order, so the result does not depend on the number of threads. Labels are numbered by
/// first appearance. 1 <= k <= N.
SUBSPACE_API KMeansResult kmeans(const ConstMatrixRef& X, int num_clusters,
                                 const KMeansOptions& options = {}, std::uint64_t seed = 0,
                                 const Context& context = {});

}  // namespace subspace
