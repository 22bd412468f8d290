// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ssc_osqp.h"

#include <algorithm>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/osqp_column.h"
#include "self_expression/ssc_violation.h"

namespace subspace {
namespace {

// A column is seconds of work where there are many points: tiles are small.
constexpr Index kTile = 4;
// A column whose certificate misses the tolerance is solved again to more digits.
constexpr double kTolerances[] = {1e-8, 1e-10, 1e-12};

/// What all columns share.
struct Run {
  const Matrix& G;
  Index num_points;
  double weight;
  const SscCall& call;

  Index summed() const { return call.options.affine ? num_points : 0; }
};

struct Workspace {
  Matrix H = {};  // of all atoms but the point
  Matrix C = {};  // atoms x 1
  Matrix Q = {};
  Matrix residuals = {};
};

/// The size of the coefficients of a point: that of the best single one of an atom of the largest
/// norm, or, where they sum to one, one.
double coefficient_scale(const Run& run, Index point) {
  if (run.summed() > 0) return 1.0;
  const Index behind = run.G.cols() - 1 - point;
  const auto products = run.G.col(point).cwiseAbs();
  const double largest = std::max(point > 0 ? products.head(point).maxCoeff() : 0.0,
                                  behind > 0 ? products.tail(behind).maxCoeff() : 0.0);
  return largest > 0.0 ? largest / run.G.diagonal().maxCoeff() : 1.0;
}

/// (|c|_1 + weight/2 (g_jj - 2 g_j'c + c'Gc)) / scale over the atoms beside j, in c / scale: the
/// unknowns are near one, and the violations OSQP looks at are those of the certificate.
LassoColumn column_problem(const Run& run, Index point, double scale, Matrix& H) {
  const Index others = run.G.cols() - 1;
  const Index behind = others - point;
  const double factor = run.weight * scale;
  H.resize(others, others);
  H.topLeftCorner(point, point) = factor * run.G.topLeftCorner(point, point);
  H.topRightCorner(point, behind) = factor * run.G.topRightCorner(point, behind);
  H.bottomLeftCorner(behind, point) = factor * run.G.bottomLeftCorner(behind, point);
  H.bottomRightCorner(behind, behind) = factor * run.G.bottomRightCorner(behind, behind);
  LassoColumn problem{.H = H, .linear = Vector(others), .penalty = Vector::Ones(others)};
  problem.linear.head(point) = run.weight * run.G.col(point).head(point);
  problem.linear.tail(behind) = run.weight * run.G.col(point).tail(behind);
  if (run.summed() > 0) {
    problem.sum = 1.0;
    problem.summed = run.num_points - 1;
  }
  return problem;
}

/// Writes down what the coefficients in work.C are worth.
void certify(const Run& run, Index point, Workspace& work, SolveInfo& info) {
  const Products products{.gram = &run.G};
  products.correlate({.begin = point, .end = point + 1}, work.C, work.Q, work.residuals);
  info.residual =
      ssc_violation(work.Q.data(), work.C.data(), run.G.cols(), point, run.weight, run.summed());
  const bool solved = info.residual <= run.call.options.tolerance;
  info.termination = solved ? Termination::kConverged : Termination::kStalled;
}

SolveInfo solve_column(const Run& run, Index point, Workspace& work) {
  SolveInfo info;
  work.C = Matrix::Zero(run.G.cols(), 1);
  // The coefficients of no point sum to nothing: there is no solution, as the certificate says.
  const bool possible = run.num_points > 1 || run.summed() == 0;
  if (run.G.cols() == 1 || !possible) {
    certify(run, point, work, info);
    return info;
  }
  const double scale = coefficient_scale(run, point);
  const LassoColumn problem = column_problem(run, point, scale, work.H);
  for (const double tolerance : kTolerances) {
    const OsqpColumn column =
        osqp_column(problem, {.tolerance = tolerance, .cancel = run.call.context.cancel});
    const Index behind = run.G.cols() - 1 - point;
    work.C.col(0).head(point) = scale * column.coefficients.head(point);
    work.C.col(0).tail(behind) = scale * column.coefficients.tail(behind);
    info.iterations += column.iterations;
    certify(run, point, work, info);
    if (info.converged()) break;
  }
  return info;
}

}  // namespace

double ssc_osqp_bytes(Index num_atoms, Index num_points, const Context& context) {
  const Index workers = std::min<Index>(resolve_threads(context), (num_points + kTile - 1) / kTile);
  return static_cast<double>(workers) *
         (matrix_bytes(1.0, num_atoms, num_atoms) + osqp_column_bytes(num_atoms));
}

SelfExpression ssc_osqp(const Matrix& G, Index num_points, double weight, const SscCall& call) {
  const Run run{.G = G, .num_points = num_points, .weight = weight, .call = call};
  std::vector<ColumnBlock> blocks(static_cast<std::size_t>((num_points + kTile - 1) / kTile));
  std::vector<SolveInfo> solves(static_cast<std::size_t>(num_points));
  std::vector<Workspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  for_tiles(
      call.context, num_points, kTile,
      [&](const Tile& tile) {
        Workspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        for (Index point = tile.begin; point < tile.end; ++point) {
          call.context.throw_if_cancelled();
          solves[static_cast<std::size_t>(point)] = solve_column(run, point, work);
          blocks[static_cast<std::size_t>(tile.index)].append(work.C.data(), num_points);
        }
      },
      "self-expression");
  return {assemble(blocks, num_points, num_points, call.function, "lower alpha"),
          std::move(solves)};
}

}  // namespace subspace
