// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/kernels.h"
#include "linalg/largest.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/ssc_official.h"

namespace subspace {
namespace {

constexpr int kMostIterations = 149;
/// Many columns, for the product packs all of X anew for each tile.
constexpr Index kTile = 256;
/// Numbers of X' that are read again and again by the columns of a tile: half of a usual L2 cache.
constexpr Index kBlockNumbers = 32768;
constexpr Index kMostRows = 256;

/// The iteration alternates between Z and C of N + D rows, points over coordinates, with
/// multipliers of Z = C (the sum of C and it is v) and of X z1 + z2/g = x_j, over mu_1: u. With
/// kappa = mu_1 / mu_2 its linear system is
///     (I + kappa G + 11') z1 + kappa/g X' z2 = w1,    kappa/g X z1 + q z2 = w2,
/// q = 1 + kappa/g^2, from which z2 is eliminated:
///     (I + kappa/q G + 11') z1 = w1 - kappa/(g q) X' w2.
///
/// By the second equation u need not be kept: with r = kappa/g and d the diagonal entry of z1 that
/// the iteration takes away, r u = v2 - c2 + r d x_j with v2 after and c2 before a step, so that
///     w2 = 2 c2 - c2' + r d x_j,
/// c2' being the c2 of the step before. Of products with X' only that with c2 remains, which is
/// sparse; h = X' v2 follows from it and from G z1 = q/kappa (w - z1 - 1 1'z1), w being the right
/// side of the reduced system. A step is then one product with X, one with an N x N matrix, and
/// N multiply-adds for each outlier.
struct OutlierState {
  const ConstMatrixRef& X;
  AdmmColumns columns;
  double kappa;
  double inverse_weight;  // 1/g
  RidgeInverse ridge;
  Matrix gram = {};
  Matrix transposed = {};   // X', N x D
  Matrix V = {};            // N x N, of the points
  Matrix coordinates = {};  // v2, D x N
  Matrix before = {};       // c2', D x N
  Matrix h = {};            // X' v2, N x N
  Matrix s = {};            // X' c2', N x N
  Vector diagonal = {};     // d
  Vector sum_multipliers = {};

  double pivot() const { return 1.0 + kappa * inverse_weight * inverse_weight; }
  double ratio() const { return kappa * inverse_weight; }
};

struct OutlierWorkspace {
  AdmmWorkspace step = {};
  Matrix s = {};        // X' c2, N x tile
  Matrix t = {};        // X' w2, N x tile
  Matrix product = {};  // X (z1 - e_j), D x tile
  Vector gap = {};      // of one column: z2 - c2
  Vector point = {};    // the point without its outliers
};

/// y -= X' c2 for the rows [begin, end) of c2 = S(v).
void subtract_sparse(const OutlierState& state, const double* v, Index begin, Index end,
                     double* y) {
  std::array<int, kMostRows + 4> rows;
  std::array<double, kMostRows + 4> values;
  const double threshold = state.columns.threshold;
  std::size_t count = 0;
  for (Index i = begin; i < end; ++i) {
    const double size = std::fabs(v[i]) - threshold;
    rows[count] = static_cast<int>(i);
    values[count] = std::copysign(size, v[i]);
    count += size > 0.0 ? 1 : 0;
  }
  for (; count % 4 != 0; ++count) {  // the kernel takes four at a time
    rows[count] = static_cast<int>(begin);
    values[count] = 0.0;
  }
  const Index n = state.transposed.rows();
  linalg::subtract_columns(state.transposed.data(), n, rows.data(), values.data(),
                           static_cast<Index>(count), y, n);
}

/// s = X' c2 of the tile's columns, by blocks of rows that stay in the cache for all of them.
void multiply_outliers(const OutlierState& state, const Tile& tile, Matrix& s) {
  const Index n = state.X.cols();
  const Index d = state.X.rows();
  const Index rows = std::clamp<Index>(kBlockNumbers / n, 16, kMostRows);
  s.setZero();
  for (Index begin = 0; begin < d; begin += rows) {
    for (Index k = 0; k < tile.size(); ++k) {
      subtract_sparse(state, state.coordinates.col(tile.begin + k).data(), begin,
                      std::min(d, begin + rows), s.col(k).data());
    }
  }
  s = -s;
}

/// w = 2 c1 - v1 - e - u 1 + X'(kappa u1 - kappa/(g q) w2)
void set_right_side(OutlierState& state, const Tile& tile, OutlierWorkspace& work) {
  const double weight = 1.0 / state.inverse_weight;
  multiply_outliers(state, tile, work.s);
  for (Index k = 0; k < tile.size(); ++k) {
    const Index j = tile.begin + k;
    state.columns.prepare(state.V.col(j).data(), state.X.cols(), j, state.sum_multipliers(j),
                          work.step.W.col(k).data());
    const double own = state.ratio() * state.diagonal(j);
    work.t.col(k) = 2.0 * work.s.col(k) - state.s.col(j) + own * state.gram.col(j);
    work.step.W.col(k) += weight * (state.h.col(j) - state.s.col(j) + own * state.gram.col(j)) -
                          state.ratio() / state.pivot() * work.t.col(k);
  }
}

/// h = X' v2 of the next step, given z1 - e_j of this one.
void move_products(OutlierState& state, Index j, Index k, OutlierWorkspace& work) {
  const auto z = work.step.Z.col(k);
  const double sum = state.columns.summed > 0 ? z.sum() : 0.0;
  state.h.col(j) += work.t.col(k) / state.pivot() - work.s.col(k) -
                    state.inverse_weight * (work.step.W.col(k) - z);
  if (state.columns.summed > 0) state.h.col(j).array() += state.inverse_weight * sum;
  state.s.col(j) = work.s.col(k);
}

/// Completes column j of Z, given z1 - e_j and X (z1 - e_j), and moves all multipliers on.
AdmmErrors finish_column(OutlierState& state, Index j, Index k, OutlierWorkspace& work) {
  const Index d = state.X.rows();
  move_products(state, j, k, work);
  auto z1 = work.step.Z.col(k);
  double* product = work.product.col(k).data();
  const linalg::OutlierStep step = {.threshold = state.columns.threshold,
                                    .ratio = state.ratio(),
                                    .inverse_pivot = 1.0 / state.pivot(),
                                    .inverse_weight = state.inverse_weight,
                                    .own = state.ratio() * state.diagonal(j),
                                    .removed = z1(j)};
  linalg::outlier_step(step, state.X.col(j).data(), d, product, state.coordinates.col(j).data(),
                       state.before.col(j).data(), work.gap.data(), work.point.data());
  state.diagonal(j) = z1(j) + 1.0;
  AdmmErrors errors = state.columns.finish(z1.data(), z1.size(), j, state.V.col(j).data(),
                                           state.sum_multipliers(j));
  const double misfit = std::sqrt(linalg::dot(product, product, d));
  const double norm = std::sqrt(linalg::dot(work.point.data(), work.point.data(), d));
  errors.include({.coefficients = linalg::max_abs(work.gap.data(), d),
                  .fit = misfit == 0.0 ? 0.0 : misfit / norm});
  return errors;
}

AdmmErrors step_with_outliers(OutlierState& state, const Tile& tile, OutlierWorkspace& work) {
  const Index n = state.X.cols();
  const Index d = state.X.rows();
  for (Matrix* each : {&work.step.W, &work.step.Z, &work.s, &work.t}) each->resize(n, tile.size());
  work.product.resize(d, tile.size());
  work.gap.resize(d);
  work.point.resize(d);
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

// ---- the certificate: conditions of min |c|_1 + g |e|_1, X c + e = x_j, 1'c = 1 where affine

struct CertificateWorkspace {
  Matrix C = {};       // N x tile
  Matrix Y = {};       // multipliers of X c + e = x_j, D x tile
  Matrix misfit = {};  // x_j - X c - e, D x tile
  Matrix Q = {};       // X' Y, N x tile
};

/// c = S(v1), e = S(v2)/g and y = g/t clip(v2, t), t the threshold: y_i = g sign(e_i) where e_i is
/// not zero, |y_i| <= g where it is. The fixed points of the iteration have X'y in the same
/// relation to c.
void split_columns(const OutlierState& state, const Tile& tile, CertificateWorkspace& work) {
  const double t = state.columns.threshold;
  const double weight = 1.0 / state.inverse_weight;
  for (Index k = 0; k < tile.size(); ++k) {
    const Index j = tile.begin + k;
    state.columns.shrink(state.V.col(j).data(), state.V.rows(), j, work.C.col(k).data());
    const auto v = state.coordinates.col(j).array();
    const auto taken = v.max(-t).min(t);
    work.Y.col(k) = weight / t * taken;
    work.misfit.col(k) = state.X.col(j).array() - state.inverse_weight * (v - taken);
  }
}

double tile_violation(const OutlierState& state, double scale, const Tile& tile,
                      CertificateWorkspace& work) {
  const Index n = state.X.cols();
  const Index d = state.X.rows();
  work.C.resize(n, tile.size());
  work.Q.resize(n, tile.size());
  work.Y.resize(d, tile.size());
  work.misfit.resize(d, tile.size());
  split_columns(state, tile, work);
  linalg::gemm({.m = d,
                .n = tile.size(),
                .k = n,
                .a = state.X.data(),
                .lda = state.X.outerStride(),
                .b = work.C.data(),
                .ldb = n,
                .c = work.misfit.data(),
                .ldc = d,
                .alpha = -1.0,
                .beta = 1.0});
  linalg::gemm({.transpose_a = true,
                .m = n,
                .n = tile.size(),
                .k = d,
                .a = state.X.data(),
                .lda = state.X.outerStride(),
                .b = work.Y.data(),
                .ldb = d,
                .c = work.Q.data(),
                .ldc = n});
  double largest = 0.0;
  for (Index k = 0; k < tile.size(); ++k) {
    const double of_c = ssc_violation(work.Q.col(k).data(), work.C.col(k).data(), n, tile.begin + k,
                                      1.0, state.columns.summed);
    const double of_fit = linalg::max_abs(work.misfit.col(k).data(), d) / scale;
    for (const double each : {of_c, of_fit}) {
      keep_largest(each, largest);
    }
  }
  return largest;
}

double violation_of(const OutlierState& state, const Context& context) {
  const double largest = state.X.cwiseAbs().maxCoeff();
  const double scale = largest > 0.0 ? largest : 1.0;
  std::vector<CertificateWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(context)));
  return largest_violation(state.X.cols(), kTile, context, [&](const Tile& tile) {
    return tile_violation(state, scale, tile, workspaces[static_cast<std::size_t>(tile.worker)]);
  });
}

}  // namespace

double ssc_official_outliers_bytes(Index dimension, Index num_points, const Context& context) {
  const double threads = resolve_threads(context);
  return matrix_bytes(1.0, 4 * num_points + 3 * dimension, num_points) +
         threads * matrix_bytes(1.0, 4 * num_points + 2 * dimension, std::min(kTile, num_points));
}

SelfExpression ssc_official_outliers(const ConstMatrixRef& X, double weight, double outlier_weight,
                                     const SscCall& call) {
  const Index n = X.cols();
  const Index d = X.rows();
  const double kappa = weight / call.options.alpha;
  const double inverse = 1.0 / outlier_weight;
  OutlierState state{.X = X,
                     .columns = published_columns(call, n),
                     .kappa = kappa,
                     .inverse_weight = inverse,
                     .ridge = RidgeInverse::of_points(X, kappa / (1.0 + kappa * inverse * inverse),
                                                      call.options.affine ? n : 0, call.context),
                     .gram = linalg::gram(X, call.context),
                     .transposed = X.transpose(),
                     .V = Matrix::Zero(n, n),
                     .coordinates = Matrix::Zero(d, n),
                     .before = Matrix::Zero(d, n),
                     .h = Matrix::Zero(n, n),
                     .s = Matrix::Zero(n, n),
                     .diagonal = Vector::Zero(n),
                     .sum_multipliers = Vector::Zero(n)};
  std::vector<OutlierWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(call.context)));
  SolveInfo info =
      iterate_published(n, kTile, kMostIterations, call.context, [&](const Tile& tile) {
        return step_with_outliers(state, tile, workspaces[static_cast<std::size_t>(tile.worker)]);
      });
  workspaces.clear();
  info.residual = violation_of(state, call.context);
  return collect_published(state.V, state.columns, info, call);
}

}  // namespace subspace
