// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <benchmark/benchmark.h>

#include <algorithm>

#include <subspace/affinity/affinity.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/cluster/ksubspaces.h>
#include <subspace/self_expression/edsc.h>
#include <subspace/self_expression/elastic_net_path.h>
#include <subspace/self_expression/exemplars.h>
#include <subspace/self_expression/kssc.h>
#include <subspace/self_expression/lrr.h>
#include <subspace/self_expression/lsr.h>
#include <subspace/self_expression/omp.h>
#include <subspace/self_expression/smce.h>
#include <subspace/self_expression/ssc.h>

#include "roofline.h"
#include "worlds.h"

// Every row has the arguments (points, threads). What is counted is the arithmetic that no way of
// doing it can leave out, given in docs/benchmarks.md; what a kernel does beside it lowers its
// share.
namespace subspace::bench {
namespace {

constexpr int kDimension = 256;
constexpr double kD = kDimension;

Matrix points_of(const benchmark::State& state) {
  return noisy_subspaces(kDimension, 20, static_cast<int>(state.range(0)) / 20);
}
Context context_of(const benchmark::State& state) {
  return {.num_threads = static_cast<int>(state.range(1))};
}

/// Runs `work` and counts `operations`.
template <typename Work>
void run(benchmark::State& state, double operations, const Work& work) {
  gemm_peak();  // not inside the time of the first row
  for (auto _ : state) benchmark::DoNotOptimize(work());
  count_operations(state, operations);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

double gram_operations(double n) { return n * n * kD; }  // half the products of a GEMM

void gram(benchmark::State& state) {
  const Matrix X = points_of(state);
  const KernelOptions linear{.degree = 1, .offset = 0.0};
  run(state, gram_operations(static_cast<double>(X.cols())),
      [&] { return kernel_matrix(X, linear, context_of(state)); });
}

void omp(benchmark::State& state) {
  const Matrix X = points_of(state);
  const OmpOptions options{.max_nonzeros = 10, .tolerance = 0.0};
  const auto n = static_cast<double>(X.cols());
  run(state, gram_operations(n) + n * n * 10 * 10,
      [&] { return subspace::omp(X, options, context_of(state)); });
}

void ssc_active_set(benchmark::State& state) {
  const Matrix X = points_of(state);
  run(state, gram_operations(static_cast<double>(X.cols())),
      [&] { return ssc(X, {}, context_of(state)); });
}

/// Fifty iterations, whether they solve the problem or not. One multiplies by the D x N factor and
/// its transpose where N > 2 D.
void ssc_admm(benchmark::State& state) {
  const Matrix X = points_of(state);
  const SscOptions options{.solver = SscSolver::kAdmm, .max_iterations = 50, .tolerance = 1e-14};
  const auto n = static_cast<double>(X.cols());
  run(state, gram_operations(n) + 50 * 2 * std::min(n, 2 * kD) * n * n,
      [&] { return ssc(X, options, context_of(state)); });
}

void kssc_gaussian(benchmark::State& state) {
  const Matrix X = points_of(state);
  const KsscOptions options{.kernel = {.kernel = Kernel::kGaussian}};
  run(state, gram_operations(static_cast<double>(X.cols())),
      [&] { return kssc(X, options, context_of(state)); });
}

/// Of every twentieth point, 50 gammas.
void elastic_net_paths(benchmark::State& state) {
  const Matrix X = points_of(state);
  ElasticNetPathOptions options;
  for (Index j = 0; j < X.cols(); j += 20) options.points.push_back(j);
  run(state, gram_operations(static_cast<double>(X.cols())),
      [&] { return elastic_net_path(X, options, context_of(state)); });
}

/// X X', its factor, the solve with it and the product C: the side of D where D < N.
double ridge_operations(double n) {
  return n * kD * kD + kD * kD * kD / 3 + n * kD * kD + n * n * kD;
}

void lsr(benchmark::State& state) {
  const Matrix X = points_of(state);
  run(state, ridge_operations(static_cast<double>(X.cols())),
      [&] { return subspace::lsr(X, {}, context_of(state)); });
}

void edsc(benchmark::State& state) {
  const Matrix X = points_of(state);
  run(state, ridge_operations(static_cast<double>(X.cols())),
      [&] { return subspace::edsc(X, {}, context_of(state)); });
}

void lrr(benchmark::State& state) {
  const Matrix X = points_of(state);
  const auto n = static_cast<double>(X.cols());
  run(state, n * kD * kD + n * n * kD, [&] { return subspace::lrr(X, {}, context_of(state)); });
}

void smce(benchmark::State& state) {
  const Matrix X = points_of(state);
  run(state, gram_operations(static_cast<double>(X.cols())),
      [&] { return subspace::smce(X, {}, context_of(state)); });
}

constexpr int kFlats = 20;
constexpr int kFlatDimension = 5;

/// Distances from all subspaces, as often as there were iterations.
void ksubspaces(benchmark::State& state) {
  const Matrix X = points_of(state);
  const KSubspacesOptions options{.dimension = kFlatDimension, .restarts = 1};
  const int iterations = subspace::ksubspaces(X, kFlats, options).info.iterations;
  const auto n = static_cast<double>(X.cols());
  run(state, iterations * 2 * n * kD * kFlats * (kFlatDimension + 1),
      [&] { return subspace::ksubspaces(X, kFlats, options, 0, context_of(state)); });
}

/// Labels of new points: coordinates and what they leave, of every subspace.
void predict_nearest(benchmark::State& state) {
  const Matrix X = points_of(state);
  const Subspaces model =
      subspace::ksubspaces(X, kFlats, {.dimension = kFlatDimension, .restarts = 1}).model;
  const auto n = static_cast<double>(X.cols());
  run(state, 4 * n * kD * kFlats * kFlatDimension,
      [&] { return predict(model, X, context_of(state)); });
}

void exemplars(benchmark::State& state) {
  const Matrix X = points_of(state);
  const auto n = static_cast<double>(X.cols());
  run(state, 2 * n * kD * 100,
      [&] { return select_exemplars(X, {.num_exemplars = 100}, 0, context_of(state)); });
}

// Of sparse coefficients no arithmetic worth counting: an entry is read and written.
void affinity_unit_columns(benchmark::State& state) {
  const SparseMatrix C = ssc(points_of(state)).coefficients;
  run(state, 3.0 * static_cast<double>(C.nonZeros()),
      [&] { return make_affinity(C, {}, context_of(state)); });
}

void affinity_neighbors(benchmark::State& state) {
  const SparseMatrix C = ssc(points_of(state)).coefficients;
  run(state, 3.0 * static_cast<double>(C.nonZeros()),
      [&] { return make_affinity(C, {.kind = AffinityKind::kNeighbors}, context_of(state)); });
}

// A zero diagonal makes C of full rank: all its eigenvectors are computed.
void affinity_low_rank(benchmark::State& state) {
  const Matrix C = subspace::lsr(points_of(state)).coefficients;
  const auto n = static_cast<double>(C.cols());
  const AffinityOptions options{.kind = AffinityKind::kLowRank, .dimension = 6, .num_clusters = 20};
  run(state, n * n * 121, [&] { return make_affinity(C, options, context_of(state)); });
}

// Of rank D by construction: the range of C tells all there is.
void affinity_low_rank_by_range(benchmark::State& state) {
  const Matrix C = subspace::edsc(points_of(state)).coefficients;
  const auto n = static_cast<double>(C.cols());
  const AffinityOptions options{.kind = AffinityKind::kLowRank, .dimension = 6, .num_clusters = 20};
  run(state, 4 * n * n * kD + n * n * 121,
      [&] { return make_affinity(C, options, context_of(state)); });
}

void sizes(benchmark::internal::Benchmark* row) {
  row->ArgNames({"points", "threads"})
      ->ArgsProduct({{1000}, {1, 2}})
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime();
}
BENCHMARK(gram)->Apply(sizes);
BENCHMARK(omp)->Apply(sizes);
BENCHMARK(ssc_active_set)->Apply(sizes);
BENCHMARK(ssc_admm)->Apply(sizes);
BENCHMARK(kssc_gaussian)->Apply(sizes);
BENCHMARK(elastic_net_paths)->Apply(sizes);
BENCHMARK(lsr)->Apply(sizes);
BENCHMARK(edsc)->Apply(sizes);
BENCHMARK(lrr)->Apply(sizes);
BENCHMARK(smce)->Apply(sizes);
BENCHMARK(ksubspaces)->Apply(sizes);
BENCHMARK(predict_nearest)->Apply(sizes);
BENCHMARK(exemplars)->Apply(sizes);
BENCHMARK(affinity_unit_columns)->Apply(sizes);
BENCHMARK(affinity_neighbors)->Apply(sizes);
BENCHMARK(affinity_low_rank)->Apply(sizes);
BENCHMARK(affinity_low_rank_by_range)
    ->ArgNames({"points", "threads"})
    ->ArgsProduct({{2000}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace subspace::bench
