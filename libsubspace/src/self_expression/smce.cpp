// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/smce.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>

#include "labels/groups.h"
#include "linalg/sizes.h"
#include "neighbors/distinct_points.h"
#include "neighbors/neighbor_bytes.h"
#include "preprocess/power_of_two.h"
#include "self_expression/osqp_column.h"
#include "self_expression/smce_point.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 16;

/// The distinct points, at a scale at which no difference overflows.
struct Distinct {
  Matrix storage = {};  ///< empty where the data serve as they are
  DistinctPoints points = {};
};

Distinct prepare(const ConstMatrixRef& X) {
  Distinct distinct;
  const double largest = X.cwiseAbs().maxCoeff();
  if (largest > 0.0 && (largest < 1e-100 || largest > 1e100)) {
    distinct.storage = X;
    scale_by_power_of_two(distinct.storage, -binary_exponent(distinct.storage));
  }
  const bool scaled = distinct.storage.size() > 0;
  distinct.points = distinct_points(scaled ? ConstMatrixRef(distinct.storage) : X);
  if (distinct.points.count() < X.cols()) {
    distinct.storage =
        gather(scaled ? ConstMatrixRef(distinct.storage) : X, distinct.points.firsts);
  }
  return distinct;
}

Index num_others(const SmceOptions& options, Index num_points) {
  return std::min<Index>(options.neighbors - 1, num_points - 1);
}

/// The columns of all distinct points, and the workspaces of a thread.
double column_bytes(const SmceOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  const Index others = num_others(options, num_points);
  constexpr double kEntry = sizeof(int) + 2.0 * sizeof(double);
  // Twice: as columns, then as matrices.
  const double result = 2.0 * kEntry * static_cast<double>(num_points * others);
  const double solver = options.solver == SmceSolver::kOsqp ? osqp_column_bytes(others) : 0.0;
  const double point = SmcePoint::bytes(dimension, others) + solver;
  return result + resolve_threads(context) * point;
}

std::vector<SmceColumn> solve_points(const ConstMatrixRef& X, const SmceOptions& options,
                                     const Context& context, std::vector<SolveInfo>& solves) {
  const auto others = static_cast<int>(num_others(options, X.cols()));
  check_memory("smce", column_bytes(options, X.rows(), X.cols(), context), allowed_memory(context),
               "ask for fewer neighbors or use fewer threads");
  Neighbors neighbors;
  if (others > 0) neighbors = nearest_neighbors(X, others, Metric::kEuclidean, context);
  std::vector<SmcePoint> workspaces(static_cast<std::size_t>(resolve_threads(context)));
  std::vector<SmceColumn> columns(static_cast<std::size_t>(X.cols()));
  solves.resize(columns.size());
  for_tiles(
      context, X.cols(), kPointsPerTile,
      [&](const Tile& tile) {
        SmcePoint& point = workspaces[static_cast<std::size_t>(tile.worker)];
        for (Index i = tile.begin; i < tile.end; ++i) {
          context.throw_if_cancelled();
          const auto place = static_cast<std::size_t>(i);
          solves[place] =
              point.solve(X, i, neighbors.indices.data() + i * others, others, options, context);
          columns[place] = point.column();
        }
      },
      "self-expression");
  return columns;
}

/// N x N from the columns of the distinct points; every copy gets the column of its first.
SparseMatrix assemble(const std::vector<SmceColumn>& columns, const DistinctPoints& distinct,
                      const std::vector<double> SmceColumn::*values) {
  const auto n = static_cast<Index>(distinct.of.size());
  const auto column_of = [&](Index j) -> const SmceColumn& {
    return columns[static_cast<std::size_t>(distinct.of[static_cast<std::size_t>(j)])];
  };
  Index entries = 0;
  for (Index j = 0; j < n; ++j) entries += static_cast<Index>(column_of(j).points.size());
  check_sparse_size("smce", entries, "ask for fewer neighbors");
  SparseMatrix C(n, n);
  C.reserve(entries);
  for (Index j = 0; j < n; ++j) {
    const SmceColumn& column = column_of(j);
    C.startVec(j);
    for (std::size_t m = 0; m < column.points.size(); ++m) {
      C.insertBack(distinct.firsts[static_cast<std::size_t>(column.points[m])], j) =
          (column.*values)[m];
    }
  }
  C.finalize();
  return C;
}

}  // namespace

Parameters describe(SmceOptions& options) {
  return {
      parameter("lambda", options.lambda, "price of distance against fit")
          .above(0)
          .written("lambda"),
      parameter("neighbors", options.neighbors, "neighbourhood, the point itself counted")
          .at_least(2)
          .written("KMax"),
      choice("solver", options.solver,
             {{"active-set", SmceSolver::kActiveSet}, {"osqp", SmceSolver::kOsqp}},
             "how the small problems are solved; osqp is slow and independent"),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

double solver_bytes(const SmceOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  const auto others = static_cast<int>(num_others(options, num_points));
  return matrix_bytes(1.0, dimension, num_points) +
         std::max(column_bytes(options, dimension, num_points, context),
                  nearest_neighbors_bytes(dimension, num_points, others, context));
}

SmceSolution solve_smce(const ConstMatrixRef& X, const SmceOptions& options,
                        const Context& context) {
  SmceOptions checked = options;
  check(describe(checked), "smce");
  if (options.solver == SmceSolver::kOsqp) require_osqp("smce", "active-set");
  require_finite(X, "smce");
  const Distinct distinct = prepare(X);
  const ConstMatrixRef points = distinct.storage.size() > 0 ? ConstMatrixRef(distinct.storage) : X;
  std::vector<SolveInfo> own;
  const std::vector<SmceColumn> columns = solve_points(points, options, context, own);
  SmceSolution solution;
  solution.weights.coefficients = assemble(columns, distinct.points, &SmceColumn::weights);
  solution.coefficients = assemble(columns, distinct.points, &SmceColumn::coefficients);
  for (const Index place : distinct.points.of) {
    solution.weights.solves.push_back(own[static_cast<std::size_t>(place)]);
  }
  return solution;
}

SelfExpression smce(const ConstMatrixRef& X, const SmceOptions& options, const Context& context) {
  return std::move(solve_smce(X, options, context).weights);
}

}  // namespace subspace
