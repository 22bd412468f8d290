// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <functional>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/linalg.h"
#include "self_expression/column_blocks.h"
#include "self_expression/ssc_admm.h"
#include "self_expression/ssc_admm_step.h"

namespace subspace {
namespace {

const char* const kPhase = "self-expression";
// The published stopping rule.
constexpr double kThreshold = 2e-4;
constexpr int kMostIterations = 199;
constexpr int kMostIterationsWithOutliers = 149;

AdmmColumns published_columns(const SscCall& call) {
  return {
      .threshold = 1.0 / call.options.alpha, .affine = call.options.affine, .zero_diagonal = true};
}

/// Steps of all columns, tile by tile, until all errors are small.
SolveInfo iterate(Index num_points, int limit, const Context& context,
                  const std::function<AdmmErrors(const Tile&)>& step) {
  std::vector<AdmmErrors> errors(
      static_cast<std::size_t>((num_points + kAdmmTile - 1) / kAdmmTile));
  SolveInfo info;
  info.termination = Termination::kIterationLimit;
  while (info.iterations < limit) {
    for_tiles(context, num_points, kAdmmTile,
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

/// C = S(V), from the state after the last step.
SelfExpression collect(const Matrix& V, const AdmmColumns& columns, const SolveInfo& info,
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

/// What the iteration with outliers keeps: V of points and coordinates, Lambda_1 / mu_1, and the
/// numbers of its linear system, with kappa = mu_1 / mu_2:
///     (I + kappa G + 11') z1 + kappa/g X' z2 = w1,    kappa/g X z1 + (1 + kappa/g^2) z2 = w2,
/// from which z2 is eliminated: q = 1 + kappa/g^2,
///     (I + kappa/q G + 11') z1 = w1 - kappa/(g q) X' w2.
struct OutlierState {
  const ConstMatrixRef& X;
  AdmmColumns columns;
  double kappa;
  double inverse_weight;  // 1/g
  RidgeInverse ridge;
  Matrix V = {};                // N x N
  Matrix coordinates = {};      // D x N, the rows of V of the coordinates
  Matrix fit_multipliers = {};  // D x N
  Vector sum_multipliers = {};

  double pivot() const { return 1.0 + kappa * inverse_weight * inverse_weight; }
};

struct OutlierWorkspace {
  AdmmWorkspace step = {};
  Matrix w2 = {};       // D x tile, then z2
  Matrix product = {};  // D x tile
};

/// w1 = 2 c1 - v1 - e - u 1 + X'(kappa u1 - kappa/(g q) w2),  w2 = 2 c2 - v2 + kappa/g u1
void set_right_side(const OutlierState& state, const Tile& tile, OutlierWorkspace& work) {
  const Index n = state.X.cols();
  const Index d = state.X.rows();
  const double ratio = state.kappa * state.inverse_weight;
  for (Index k = 0; k < tile.size(); ++k) {
    const Index j = tile.begin + k;
    state.columns.prepare(state.V.col(j).data(), n, j, state.sum_multipliers(j),
                          work.step.W.col(k).data());
    auto w2 = work.w2.col(k);
    reflect(state.coordinates.col(j).data(), d, state.columns.threshold, w2.data());
    w2 += ratio * state.fit_multipliers.col(j);
    work.product.col(k) = state.kappa * state.fit_multipliers.col(j) - ratio / state.pivot() * w2;
  }
  linalg::gemm({.transpose_a = true,
                .m = n,
                .n = tile.size(),
                .k = d,
                .a = state.X.data(),
                .lda = state.X.outerStride(),
                .b = work.product.data(),
                .ldb = d,
                .c = work.step.W.data(),
                .ldc = n,
                .beta = 1.0});
}

/// Completes column j of Z, given z1 - e_j, w2 and X (z1 - e_j), and moves all multipliers on.
AdmmErrors finish_column(OutlierState& state, Index j, Index k, OutlierWorkspace& work) {
  const double ratio = state.kappa * state.inverse_weight;
  auto z1 = work.step.Z.col(k);
  auto z2 = work.w2.col(k);
  auto product = work.product.col(k);
  z2 = (z2 - ratio * product) / state.pivot();
  product -= z1(j) * state.X.col(j);  // the diagonal of Z is set to zero: X z1 without x_j
  AdmmErrors errors = state.columns.finish(z1.data(), z1.size(), j, state.V.col(j).data(),
                                           state.sum_multipliers(j));
  const double moved =
      advance(z2.data(), z2.size(), state.columns.threshold, 1.0, state.coordinates.col(j).data());
  errors.include({.coefficients = moved});
  z2 = state.X.col(j) - state.inverse_weight * z2;  // the point without its outliers
  const double norm = z2.norm();
  z2 -= product;
  state.fit_multipliers.col(j) += z2;
  const double misfit = z2.norm();
  errors.fit = misfit > 0.0 ? misfit / norm : misfit;
  return errors;
}

AdmmErrors step_with_outliers(OutlierState& state, const Tile& tile, OutlierWorkspace& work) {
  const Index n = state.X.cols();
  const Index d = state.X.rows();
  work.step.W.resize(n, kAdmmTile);
  work.step.Z.resize(n, kAdmmTile);
  work.w2.resize(d, kAdmmTile);
  work.product.resize(d, kAdmmTile);
  set_right_side(state, tile, work);
  state.ridge.apply(work.step.W.data(), tile.size(), work.step.Z.data(), work.step.ridge);
  linalg::gemm({.m = d,
                .n = tile.size(),
                .k = n,
                .a = state.X.data(),
                .lda = state.X.outerStride(),
                .b = work.step.Z.data(),
                .ldb = n,
                .c = work.product.data(),
                .ldc = d});
  AdmmErrors errors;
  for (Index k = 0; k < tile.size(); ++k) {
    errors.include(finish_column(state, tile.begin + k, k, work));
  }
  return errors;
}

}  // namespace

SelfExpression ssc_official(Index num_points, const RidgeInverse& ridge, const SscCall& call) {
  const AdmmColumns columns = published_columns(call);
  const Index n = num_points;
  Matrix V = Matrix::Zero(n, n);
  Vector multipliers = Vector::Zero(n);
  std::vector<AdmmWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  const SolveInfo info = iterate(n, kMostIterations, call.context, [&](const Tile& tile) {
    return admm_step(columns, ridge, tile, V.col(tile.begin).data(), n,
                     multipliers.data() + tile.begin,
                     workspaces[static_cast<std::size_t>(tile.worker)]);
  });
  return collect(V, columns, info, call);
}

SelfExpression ssc_official_outliers(const ConstMatrixRef& X, double weight, double outlier_weight,
                                     const SscCall& call) {
  const Index n = X.cols();
  const double kappa = weight / call.options.alpha;
  const double inverse = 1.0 / outlier_weight;
  OutlierState state{.X = X,
                     .columns = published_columns(call),
                     .kappa = kappa,
                     .inverse_weight = inverse,
                     .ridge = RidgeInverse::of_points(X, kappa / (1.0 + kappa * inverse * inverse),
                                                      call.options.affine, call.context),
                     .V = Matrix::Zero(n, n),
                     .coordinates = Matrix::Zero(X.rows(), n),
                     .fit_multipliers = Matrix::Zero(X.rows(), n),
                     .sum_multipliers = Vector::Zero(n)};
  std::vector<OutlierWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  const SolveInfo info =
      iterate(n, kMostIterationsWithOutliers, call.context, [&](const Tile& tile) {
        return step_with_outliers(state, tile, workspaces[static_cast<std::size_t>(tile.worker)]);
      });
  return collect(state.V, state.columns, info, call);
}

}  // namespace subspace
