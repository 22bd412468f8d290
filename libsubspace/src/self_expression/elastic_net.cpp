// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/elastic_net.h>

#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "self_expression/elastic_net_engine.h"

namespace subspace {
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"
#include "self_expression/elastic_net_point.h"
#include "self_expression/gram_budget.h"
namespace {
// Points of one work item. With a stored Gram matrix a point needs nothing of its neighbours;
// without one, the points of a tile share one GEMM with the whole data set in every round.
constexpr Index kTileWithGram = 16;
constexpr Index kTileStreamed = 32;
const char* const kPhase = "self-expression";
/// What the two ways share: the data, where results go, and the workspaces of a thread.
struct Job {
  const ConstMatrixRef& X;
  const ElasticNetOptions& options;
  const Context& context;
  std::vector<ColumnBlock> blocks = {};
  std::vector<SolveInfo> solves = {};
  Index num_points() const { return X.cols(); }
  void reserve_tiles(Index tile_size) {
    blocks.resize(static_cast<std::size_t>((num_points() + tile_size - 1) / tile_size));
    solves.resize(static_cast<std::size_t>(num_points()));
  }
};
// ---- with a stored Gram matrix: q = g_j - G c costs N x support
// -----------------------------------
struct GramWorkspace {
  ElasticNetPoint solver = {};
  std::vector<double> correlations = {};
  std::vector<double> targets = {};
  std::vector<int> order = {};
void correlate(const Matrix& G, const ElasticNetPoint& solver, std::vector<double>& correlations) {
  const Index n = G.rows();
  std::copy_n(G.col(solver.point()).data(), n, correlations.data());
  linalg::subtract_columns(G.data(), n, solver.support().data(), solver.coefficients().data(),
                           static_cast<Index>(solver.support().size()), correlations.data(), n);
}
void gather_gram(const Matrix& G, GramWorkspace& work) {
  const std::vector<int>& chosen = work.solver.chosen();
  work.targets.resize(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    work.targets[k] = G(chosen[k], work.solver.point());
  auto block = work.solver.enter_chosen(work.targets.data());
  const std::vector<int>& candidates = work.solver.candidates();
  for (Index k = 0; k < block.cols(); ++k) {
    const double* column = G.col(chosen[static_cast<std::size_t>(k)]).data();
    for (Index i = 0; i < block.rows(); ++i)
      block(i, k) = column[candidates[static_cast<std::size_t>(i)]];
SolveInfo solve_point(const Matrix& G, int point, const Job& job, GramWorkspace& work) {
  ElasticNetPoint& solver = work.solver;
  solver.start(point, job.options, G.col(point).data(), G.rows(), job.context.cancel);
  correlate(G, solver, work.correlations);
  while (solver.choose_candidates(work.correlations.data())) {
    gather_gram(G, work);
    solver.solve();
    correlate(G, solver, work.correlations);
  return solver.certify(work.correlations.data());
void solve_with_gram(Job& job) {
  const Matrix G = linalg::gram(job.X, job.context);
  std::vector<GramWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(job.context)));
  job.reserve_tiles(kTileWithGram);
  for_tiles(
      job.context, job.num_points(), kTileWithGram,
      [&](const Tile& tile) {
        GramWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        work.correlations.resize(static_cast<std::size_t>(job.num_points()));
        ColumnBlock& block = job.blocks[static_cast<std::size_t>(tile.index)];
        for (Index point = tile.begin; point < tile.end; ++point) {
          job.solves[static_cast<std::size_t>(point)] =
              solve_point(G, static_cast<int>(point), job, work);
          block.append(work.solver.support(), work.solver.coefficients(), work.order);
        }
      },
      kPhase);
// ---- without one: the points of a tile advance together, q = X'R for their residuals R by one
// GEMM -
struct StreamedWorkspace {
  std::vector<ElasticNetPoint> solvers = {};
  std::vector<Index> open = {};  // solvers of the tile that go on
  Matrix residuals = {};         // D x open
  Matrix correlations = {};      // N x open
  Matrix candidates = {};        // D x candidates of one point
void correlate_open(const Job& job, StreamedWorkspace& work) {
  linalg::gemm({.transpose_a = true,
                .m = job.num_points(),
                .n = static_cast<Index>(work.open.size()),
                .k = job.X.rows(),
                .a = job.X.data(),
                .lda = job.X.outerStride(),
                .b = work.residuals.data(),
                .ldb = work.residuals.outerStride(),
                .c = work.correlations.data(),
                .ldc = work.correlations.outerStride()});
void gather_streamed(const Job& job, ElasticNetPoint& solver, StreamedWorkspace& work) {
  const std::vector<int>& chosen = solver.chosen();
  const double* target = job.X.col(solver.point()).data();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    work.targets[k] = linalg::dot(job.X.col(chosen[k]).data(), target, job.X.rows());
  auto block = solver.enter_chosen(work.targets.data());
  const Index count = block.rows();
  if (work.candidates.cols() < count) work.candidates.resize(job.X.rows(), 2 * count);
  for (Index i = 0; i < count; ++i) {
    work.candidates.col(i) = job.X.col(solver.candidates()[static_cast<std::size_t>(i)]);
                .m = count,
                .n = block.cols(),
                .a = work.candidates.data(),
                .lda = work.candidates.outerStride(),
                .b = work.candidates.col(count - block.cols()).data(),
                .ldb = work.candidates.outerStride(),
                .c = block.data(),
                .ldc = block.outerStride()});
void set_residual(const Job& job, const ElasticNetPoint& solver, double* residual) {
  std::copy_n(job.X.col(solver.point()).data(), job.X.rows(), residual);
  linalg::subtract_columns(job.X.data(), job.X.outerStride(), solver.support().data(),
                           solver.coefficients().data(),
                           static_cast<Index>(solver.support().size()), residual, job.X.rows());
void start_tile(Job& job, const Tile& tile, StreamedWorkspace& work) {
  work.solvers.resize(kTileStreamed);
  work.residuals.resize(job.X.rows(), kTileStreamed);
  work.correlations.resize(job.num_points(), kTileStreamed);
  work.open.resize(static_cast<std::size_t>(tile.size()));
  std::iota(work.open.begin(), work.open.end(), Index{0});
  work.residuals.leftCols(tile.size()) = job.X.middleCols(tile.begin, tile.size());
  correlate_open(job, work);
  for (Index k = 0; k < tile.size(); ++k) {
    work.solvers[static_cast<std::size_t>(k)].start(static_cast<int>(tile.begin + k), job.options,
                                                    work.correlations.col(k).data(),
                                                    job.num_points(), job.context.cancel);
/// One round of the open points; those that are done leave their certificate and drop out.
void advance_tile(Job& job, StreamedWorkspace& work) {
  std::size_t kept = 0;
  for (std::size_t slot = 0; slot < work.open.size(); ++slot) {
    ElasticNetPoint& solver = work.solvers[static_cast<std::size_t>(work.open[slot])];
    double* correlations = work.correlations.col(static_cast<Index>(slot)).data();
    if (!solver.choose_candidates(correlations)) {
      job.solves[static_cast<std::size_t>(solver.point())] = solver.certify(correlations);
      continue;
    }
    gather_streamed(job, solver, work);
    set_residual(job, solver, work.residuals.col(static_cast<Index>(kept)).data());
    work.open[kept++] = work.open[slot];
  work.open.resize(kept);
/// The data and the workspaces of all threads: correlations, marks and residuals of a tile's
/// points, and their small problems (a Gram matrix and its factor), whose final size only the
/// solution tells; supports of this many points are counted.
double streamed_bytes(const Job& job) {
  constexpr Index kCountedCandidates = 256;
  const Index n = job.num_points();
  const Index tiles = (n + kTileStreamed - 1) / kTileStreamed;
  const Index workers = std::min<Index>(resolve_threads(job.context), tiles);
  const Index candidates = std::min(kCountedCandidates, n / 64);
  const double point = matrix_bytes(1.0, n + job.X.rows(), 1) + static_cast<double>(n) +
                       matrix_bytes(2.0, candidates, candidates);
  return matrix_bytes(1.0, job.X.rows(), n) + static_cast<double>(workers * kTileStreamed) * point;
void solve_streamed(Job& job) {
  check_memory("elastic_net", streamed_bytes(job), allowed_memory(job.context),
               "use fewer threads or give fewer samples");
  std::vector<StreamedWorkspace> workspaces(static_cast<std::size_t>(resolve_threads(job.context)));
  job.reserve_tiles(kTileStreamed);
      job.context, job.num_points(), kTileStreamed,
        StreamedWorkspace& work = workspaces[static_cast<std::size_t>(tile.worker)];
        start_tile(job, tile, work);
        while (!work.open.empty()) {
          job.context.throw_if_cancelled();
          advance_tile(job, work);
        for (Index k = 0; k < tile.size(); ++k) {
          const ElasticNetPoint& solver = work.solvers[static_cast<std::size_t>(k)];
          block.append(solver.support(), solver.coefficients(), work.order);
}  // namespace

Parameters describe(ElasticNetOptions& options) {
  return {
      parameter("gamma", options.gamma,
                "fit weight, as a multiple of the smallest weight with a nonzero solution")
          .above(0)
          .written("gamma"),
      parameter("tau", options.tau, "balance of sparsity (1) against connectivity (towards 0)")
          .above(0)
          .at_most(1)
          .written("tau"),
      parameter("max_rounds", options.max_rounds, "rounds of the active set per point").at_least(1),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

SelfExpression elastic_net(const ConstMatrixRef& X, const ElasticNetOptions& options,
                           const Context& context) {
  ElasticNetOptions checked = options;
  check(describe(checked), "elastic_net");
  require_finite(X, "elastic_net");
  // C does not change when all points are scaled alike; at unit scale no inner product overflows.
  const double largest = X.cwiseAbs().maxCoeff();
  Matrix scaled;
  if (largest > 0.0 && (largest < 1e-50 || largest > 1e50)) scaled = X / largest;
  const ConstMatrixRef points = scaled.size() > 0 ? ConstMatrixRef(scaled) : X;

  const ElasticNetJob job{.function = "elastic_net",
                          .sparser = "raise tau or lower gamma",
                          .rule = {.tau = options.tau,
                                   .gamma = options.gamma,
                                   .max_rounds = options.max_rounds,
                                   .tolerance = options.tolerance},
                          .context = context};
  if (!gram_fits(X.cols(), context)) return elastic_net_streamed(points, job);
  return elastic_net_from_gram(linalg::gram(points, context), X.cols(), job);
  Job job{.X = points, .options = options, .context = context};
  if (gram_fits(X.cols(), context)) {
    solve_with_gram(job);
  } else {
    solve_streamed(job);
  }
  return {assemble(job.blocks, X.cols(), X.cols(), "elastic_net", "raise tau or lower gamma"),
          std::move(job.solves)};
}

}  // namespace subspace
