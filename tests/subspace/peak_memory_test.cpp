// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/preprocess/preprocess.h>

#include "support/measured_peak.h"
#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using ::testing::AllOf;
using testing::expect_predicted;
using ::testing::HasSubstr;
using testing::kMemoryIsMeasured;
using testing::message_of;
using ::testing::Not;
using testing::union_of_subspaces;

constexpr int kClusters = 8;

struct Case {
  std::string name = {};
  Method method = ElasticNetOptions{};
  AffinityKind affinity = AffinityKind::kUnitColumns;
};

PipelineOptions options_of(const Case& c) {
  return {.num_clusters = kClusters, .method = c.method, .affinity = {.kind = c.affinity}};
}

/// Each method of the pipeline, the variants that keep other matrices, and each way to an affinity.
/// Few rounds: memory does not depend on them.
std::vector<Case> every_case() {
  return {
      {"ensc"},
      {"ensc max-columns", ElasticNetOptions{}, AffinityKind::kMaxColumns},
      {"ssc", SscOptions{}},
      {"ssc affine", SscOptions{.affine = true}},
      {"ssc official", SscOptions{.solver = SscSolver::kOfficial}},
      {"ssc official outliers", SscOptions{.outliers = true, .solver = SscSolver::kOfficial}},
      {"ssc admm", SscOptions{.solver = SscSolver::kAdmm, .max_iterations = 20}},
      {"ssc outliers", SscOptions{.outliers = true}},
      {"ssc affine outliers", SscOptions{.affine = true, .outliers = true}},
      {"ssc admm outliers",
       SscOptions{.outliers = true, .solver = SscSolver::kAdmm, .max_iterations = 20}},
      {"kssc", KsscOptions{}},
      {"kssc factor", KsscOptions{.kernel_rank = 60}},
      {"kssc admm", KsscOptions{.solver = SscSolver::kAdmm, .max_iterations = 20}},
      {"kssc official", KsscOptions{.solver = SscSolver::kOfficial}},
      {"ssc-omp", OmpOptions{}},
      {"smce", SmceOptions{}},
      {"lsr", LsrOptions{}},
      {"lsr2", LsrOptions{.variant = LsrVariant::kLsr2}},
      {"lsr neighbors", LsrOptions{}, AffinityKind::kNeighbors},
      {"lsr max-columns", LsrOptions{}, AffinityKind::kMaxColumns},
      {"lsr low-rank", LsrOptions{}, AffinityKind::kLowRank},
      {"edsc", EdscOptions{}},
      {"edsc affine", EdscOptions{.affine = true}},
      {"edsc outliers", EdscOptions{.outliers = true, .max_iterations = 5}},
      {"lrr", LrrOptions{.max_iterations = 10}},
      {"lrr published", LrrOptions{.schedule = LrrSchedule::kPublished, .max_iterations = 10}},
      {"lrr noise-free", LrrOptions{.noise_free = true}},
      {"esc", EscOptions{}},
      {"spectral", NeighborGraphOptions{}},
  };
}

/// Coefficients that are a full matrix however little memory there is.
bool has_full_coefficients(const Case& c) {
  return c.name.starts_with("lsr") || c.name.starts_with("edsc") || c.name.starts_with("lrr");
}

double stage_bytes(const PipelineOptions& options, const std::string& stage, Index dimension,
                   Index num_points, const Context& context = {}) {
  for (const StageMemory& each : predicted_memory(options, dimension, num_points, context)) {
    if (each.stage == stage) return each.bytes;
  }
  ADD_FAILURE() << "no stage " << stage;
  return 0.0;
}

/// The most that a run has in use, the caller's points included.
double peak_of_run(const Matrix& X, const PipelineOptions& options) {
  return testing::measured_peak([&] { cluster(X, options, {.num_threads = 2}); }) +
         static_cast<double>(X.size()) * sizeof(double);
}

TEST(PeakMemory, IsWhatEveryMethodTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = union_of_subspaces(40, 4, kClusters, 150, 0.05, 1).points;
  for (const Case& c : every_case()) {
    const double predicted =
        predicted_peak_memory(options_of(c), X.rows(), X.cols(), {.num_threads = 2}).bytes;
    expect_predicted(peak_of_run(X, options_of(c)), predicted, c.name);
  }
}

/// Of sparse coefficients so many, or so large a Gram matrix, that nothing else counts beside them.
/// As many points as run in two seconds: SMCE and what streams take less of each than the others.
TEST(PeakMemory, IsWhatSparseMethodsTakeOfManyPoints) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  struct Many {
    Case of = {};
    int ambient = 0;
    int dimension = 0;
    int per_cluster = 0;
    double noise = 0.0;
    std::int64_t max_memory = 0;
  };
  for (const Many& many : {
           Many{{"ensc", ElasticNetOptions{.gamma = 10}}, 10, 3, 560, 0.01},
           Many{{"ensc streamed"}, 40, 4, 450, 0.05, 200'000'000},
           Many{{"ssc-omp", OmpOptions{.max_nonzeros = 5}}, 10, 3, 560, 0.01},
           Many{{"smce", SmceOptions{.lambda = 1e-6, .neighbors = 40}}, 40, 4, 1000, 0.5},
           Many{{"esc", EscOptions{.num_exemplars = 1400, .lambda = 20}}, 20, 5, 1000, 0.1},
           Many{{"spectral", NeighborGraphOptions{.k = 100}}, 5, 3, 1500, 0.1},
       }) {
    const Matrix X =
        union_of_subspaces(many.ambient, many.dimension, kClusters, many.per_cluster, many.noise, 1)
            .points;
    const PipelineOptions options = options_of(many.of);
    const Context one{.num_threads = 1, .max_memory = many.max_memory};
    cluster(X.leftCols(400), options, one);
    const double predicted = predicted_peak_memory(options, X.rows(), X.cols(), one).bytes;
    const double measured = testing::measured_peak([&] { cluster(X, options, one); }) +
                            static_cast<double>(X.size()) * sizeof(double);
    testing::expect_nearly(measured, predicted, many.of.name);
  }
}

/// Where the inverse of ADMM is a full matrix of all atoms.
TEST(PeakMemory, IsWhatMoreDimensionsThanPointsTake) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = union_of_subspaces(600, 4, kClusters, 40, 0.05, 1).points;
  for (const Case& c : every_case()) {
    if (!c.name.starts_with("ssc") || c.name.starts_with("ssc-omp")) continue;
    const double predicted =
        predicted_peak_memory(options_of(c), X.rows(), X.cols(), {.num_threads = 2}).bytes;
    expect_predicted(peak_of_run(X, options_of(c)), predicted, c.name);
  }
}

TEST(PeakMemory, IsWhatStreamingTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = union_of_subspaces(40, 4, kClusters, 400, 0.05, 1).points;
  // One thread: of two that share a processor one may have done most before the other begins.
  const Context context{.num_threads = 1, .max_memory = 60'000'000};
  ASSERT_LT(static_cast<double>(context.max_memory), 8.0 * std::pow(X.cols(), 2));
  for (const Case& c :
       {Case{"ensc", ElasticNetOptions{}}, Case{"ssc", SscOptions{}},
        Case{"ssc affine", SscOptions{.affine = true}},
        Case{"ssc outliers", SscOptions{.outliers = true}},
        Case{"ssc affine outliers", SscOptions{.affine = true, .outliers = true}}}) {
    const double predicted =
        predicted_peak_memory(options_of(c), X.rows(), X.cols(), context).bytes;
    const double peak = testing::measured_peak([&] { cluster(X, options_of(c), context); }) +
                        static_cast<double>(X.size()) * sizeof(double);
    expect_predicted(peak, predicted, c.name);
  }
}

TEST(PeakMemory, IsWhatClustersOfPointsThemselvesTake) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = testing::random_matrix(400, 3000, 1);
  const Context two{.num_threads = 2};
  const PreprocessOptions unit;
  const auto held = static_cast<double>(X.size()) * sizeof(double);
  const double kmeans_peak = testing::measured_peak([&] {
    kmeans(preprocess(X, unit, two).points, kClusters, {.restarts = 2, .max_iterations = 2}, 0,
           two);
  });
  const PointsClustering<KMeansOptions> means{unit, {.restarts = 2}, kClusters};
  expect_predicted(kmeans_peak + held,
                   largest_stage(predicted_memory(means, X.rows(), X.cols(), two)).bytes, "kmeans");
  // What is predicted is that one cluster holds all points.
  for (const bool affine : {false, true}) {
    const KSubspacesOptions own{
        .dimension = 3, .affine = affine, .restarts = 2, .max_iterations = 2};
    const double peak = testing::measured_peak(
        [&] { ksubspaces(preprocess(X, unit, two).points, 1, own, 0, two); });
    const PointsClustering<KSubspacesOptions> flats{unit, own, 1};
    expect_predicted(peak + held,
                     largest_stage(predicted_memory(flats, X.rows(), X.cols(), two)).bytes,
                     affine ? "ksubspaces affine" : "ksubspaces");
  }
  // Subspaces that follow those of the iteration before.
  Labels labels(static_cast<std::size_t>(X.cols()), 0);
  std::fill_n(labels.begin(), 500, 1);
  const KSubspacesOptions own{.dimension = 3, .restarts = 1, .max_iterations = 3};
  const double refined =
      testing::measured_peak([&] { refine(preprocess(X, unit, two).points, labels, own, two); });
  const PointsClustering<KSubspacesOptions> flats{unit, own, 2};
  expect_predicted(refined + held,
                   largest_stage(predicted_memory(flats, X.rows(), X.cols(), two)).bytes, "refine");
  EXPECT_THAT(message_of<ResourceError>([&] {
                check_peak_memory(means, X.rows(), X.cols(),
                                  {.num_threads = 2, .max_memory = 1000});
              }),
              HasSubstr("cluster, stage assignment: needs about"));
}

/// One cluster of all points, with more points than dimensions and with fewer; then splits.
TEST(PeakMemory, IsWhatLossyCodingTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  struct Shape {
    Index dimension = 0;
    Index num_points = 0;
    int num_clusters = 1;
  };
  for (const Shape& shape : {Shape{300, 12000, 1}, Shape{40000, 100, 1}, Shape{40000, 100, 2}}) {
    const Matrix X = testing::random_matrix(shape.dimension, shape.num_points, 1);
    const LossyCodingOptions own{.rounds = 1};
    const PointsClustering<LossyCodingOptions> run{{}, own, shape.num_clusters};
    for (const int threads : {1, 2}) {
      const Context context{.num_threads = threads};
      const double peak = testing::measured_peak([&] {
        lossy_coding(preprocess(X, {}, context).points, shape.num_clusters, own, 0, context);
      });
      expect_predicted(peak + static_cast<double>(X.size()) * sizeof(double),
                       largest_stage(predicted_memory(run, X.rows(), X.cols(), context)).bytes,
                       "alc of " + std::to_string(shape.num_points) + " points in " +
                           std::to_string(shape.num_clusters) + " by " + std::to_string(threads));
    }
  }
}

/// What the shapes of the matrices make sure of, at sizes that nobody allocates in a test.
TEST(PeakMemory, GrowsWithTheSquareOfThePointsOnlyWhereAMatrixIsFull) {
  constexpr Index kMany = 70000;
  const double square = 8.0 * kMany * kMany;
  const Context context{.num_threads = 2, .max_memory = 4'000'000'000};
  const auto peak = [&](const Case& c) {
    return predicted_peak_memory(options_of(c), 784, kMany, context).bytes;
  };
  for (const Case& c : every_case()) {
    const bool full = c.affinity == AffinityKind::kLowRank || has_full_coefficients(c) ||
                      c.name == "kssc" || c.name == "kssc admm" || c.name == "kssc official" ||
                      c.name.starts_with("ssc official");
    if (full) {
      EXPECT_GT(peak(c), square) << c.name;
    } else {
      EXPECT_LT(peak(c), 4e9) << c.name;
    }
  }
}

TEST(PeakMemory, NamesEveryStageInOrder) {
  std::vector<std::string> names;
  for (const StageMemory& stage : predicted_memory(options_of({}), 10, 100)) {
    names.push_back(stage.stage);
    EXPECT_GT(stage.bytes, 0.0) << stage.stage;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"load", "preprocess", "self-expression", "affinity",
                                             "embedding", "assignment"}));
  PipelineOptions single = options_of({});
  single.num_clusters = 1;
  EXPECT_EQ(predicted_memory(single, 10, 100).size(), 1u) << "no graph is made";
}

/// The self-expression of so many points would fit; what comes after it would not.
TEST(PeakMemory, ARunIsRefusedBeforeItsFirstStage) {
  const Matrix X = union_of_subspaces(20, 4, kClusters, 50, 0.05, 1).points;
  const Case lsr{"lsr", LsrOptions{}, AffinityKind::kMaxColumns};
  const std::vector<StageMemory> stages =
      predicted_memory(options_of(lsr), X.rows(), X.cols(), {.num_threads = 1});
  const auto limit = static_cast<std::int64_t>(stages[2].bytes) + 1;
  ASSERT_LT(static_cast<double>(limit), stages[3].bytes);
  const StageMemory peak = predicted_peak_memory(options_of(lsr), X.rows(), X.cols());
  int reports = 0;
  const Context context{
      .num_threads = 1, .progress = [&](const ProgressEvent&) { ++reports; }, .max_memory = limit};
  EXPECT_THAT(
      message_of<ResourceError>([&] { cluster(X, options_of(lsr), context); }),
      AllOf(HasSubstr("cluster, stage " + peak.stage + ": needs about 0.00"), HasSubstr("allowed"),
            HasSubstr("lsr are a full matrix; use ensc, ssc-omp or esc")));
  EXPECT_EQ(reports, 0);
}

/// Prediction and run go by one rule: what is predicted to fit is not refused by a stage later, and
/// of a method that has no other way to run a byte less is refused at once.
TEST(PeakMemory, ExactlyThePredictedPeakIsEnough) {
  const Matrix X = union_of_subspaces(20, 4, kClusters, 50, 0.05, 1).points;
  for (const Case& c : every_case()) {
    const Context free{.num_threads = 2};
    const double peak = predicted_peak_memory(options_of(c), X.rows(), X.cols(), free).bytes;
    const auto bytes = static_cast<std::int64_t>(peak);
    EXPECT_NO_THROW(cluster(X, options_of(c), {.num_threads = 2, .max_memory = bytes + 1}))
        << c.name;
    if (!has_full_coefficients(c)) continue;
    EXPECT_THAT(message_of<ResourceError>([&] {
                  cluster(X, options_of(c), {.num_threads = 2, .max_memory = bytes - 1});
                }),
                HasSubstr("cluster, stage "))
        << c.name;
  }
}

/// The estimate looks at one eigenvalue more than the largest number, whatever the embedding keeps.
TEST(PeakMemory, AnEstimateOfTheNumberCountsItsOwnPairs) {
  const Matrix X = union_of_subspaces(20, 4, kClusters, 50, 0.05, 1).points;
  PipelineOptions estimated = options_of({"spectral", NeighborGraphOptions{}});
  estimated.estimate = ClusterCountOptions{.max_clusters = 59};
  estimated.embedding.dimensions = 2;
  PipelineOptions given = options_of({"spectral", NeighborGraphOptions{}});
  given.num_clusters = 60;
  EXPECT_EQ(stage_bytes(estimated, "embedding", X.rows(), X.cols()),
            stage_bytes(given, "embedding", X.rows(), X.cols()));
  const Context free{.num_threads = 2};
  const double peak = predicted_peak_memory(estimated, X.rows(), X.cols(), free).bytes;
  const auto bytes = static_cast<std::int64_t>(peak);
  EXPECT_NO_THROW(cluster(X, estimated, {.num_threads = 2, .max_memory = bytes + 1}));
}

TEST(PeakMemory, ANumberOfClustersThatCannotBeIsRefused) {
  PipelineOptions options = options_of({});
  options.num_clusters = 0;
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted_memory(options, 10, 100); }),
            "predicted_memory: num_clusters = 0, must satisfy 1 <= num_clusters unless it is "
            "estimated");
  options.estimate = ClusterCountOptions{};
  EXPECT_NO_THROW(predicted_memory(options, 10, 100)) << "it is estimated";
  options.estimate->max_clusters = 1;
  EXPECT_THAT(message_of<InvalidArgument>([&] { predicted_memory(options, 10, 100); }),
              HasSubstr("max_clusters = 1"));
}

/// More components than the points can have take no more than all of them.
TEST(PeakMemory, APcaCountsTheComponentsThatThereAre) {
  const auto bytes = [](int pca, Index dimension, Index num_points) {
    PipelineOptions options = options_of({});
    options.preprocess.pca = pca;
    return stage_bytes(options, "preprocess", dimension, num_points);
  };
  EXPECT_EQ(bytes(100000, 30, 200), bytes(30, 30, 200));
  EXPECT_EQ(bytes(100000, 200, 30), bytes(30, 200, 30));
}

/// What is stored is stored whatever the number of threads is: the ways round differently. Each
/// thread adds its workspaces to what is counted, and memory that falls short of them is refused.
TEST(PeakMemory, MoreThreadsTakeMoreAndNoOtherWay) {
  constexpr Index kDimension = 885;
  constexpr Index kPoints = 300;
  constexpr int kNonZeros = 10;
  const PipelineOptions options = options_of({"", OmpOptions{.max_nonzeros = kNonZeros}});
  const double given = 8.0 * kDimension * kPoints;
  // One thread has room for its directions, two have not.
  const double stored = 8.0 * (kDimension + kPoints + kNonZeros) * kPoints;
  const double directions = 8.0 * kNonZeros * kPoints;
  const auto limit = static_cast<std::int64_t>(given + stored + 0.9 * directions);
  ASSERT_LE(4.0 * 8.0 * kPoints * kPoints, static_cast<double>(limit) - given);
  const auto bytes = [&](int threads) {
    return stage_bytes(options, "self-expression", kDimension, kPoints,
                       {.num_threads = threads, .max_memory = limit});
  };
  EXPECT_DOUBLE_EQ(bytes(2) - bytes(1), directions);
  const Matrix X = testing::random_matrix(kDimension, kPoints, 1);
  const auto solve = [&](int threads) {
    return omp(X, std::get<OmpOptions>(options.method),
               {.num_threads = threads, .max_memory = limit - static_cast<std::int64_t>(given)});
  };
  EXPECT_NO_THROW(solve(1));
  EXPECT_THAT(message_of<ResourceError>([&] { solve(2); }), HasSubstr("use fewer threads"));
}

TEST(PeakMemory, WhatCanStreamIsNotRefused) {
  const Matrix X = union_of_subspaces(20, 4, kClusters, 100, 0.05, 1).points;
  const double gram = 8.0 * static_cast<double>(X.cols() * X.cols());
  for (const Case& c :
       {Case{"ensc"}, Case{"ssc", SscOptions{}}, Case{"ssc outliers", SscOptions{.outliers = true}},
        Case{"ssc-omp", OmpOptions{}}}) {
    const Context free{.num_threads = 1};
    const Context tight{.num_threads = 1, .max_memory = static_cast<std::int64_t>(0.9 * gram)};
    EXPECT_GT(predicted_peak_memory(options_of(c), X.rows(), X.cols(), free).bytes, gram) << c.name;
    EXPECT_LT(predicted_peak_memory(options_of(c), X.rows(), X.cols(), tight).bytes, 0.9 * gram)
        << c.name;
    EXPECT_EQ(cluster(X, options_of(c), tight).labels, cluster(X, options_of(c), free).labels)
        << c.name;
  }
}

TEST(PeakMemory, EveryFullMethodIsToldASparseOne) {
  const Context small{.max_memory = 1'000'000'000};
  const auto refusal = [&](const Method& method) {
    return message_of<ResourceError>([&] {
      check_peak_memory(options_of({"", method}), 100, 50000, small);
    });
  };
  for (const Method& method :
       {Method{LsrOptions{}}, Method{EdscOptions{}}, Method{LrrOptions{}}, Method{KsscOptions{}},
        Method{SscOptions{.solver = SscSolver::kOfficial}},
        Method{SscOptions{.outliers = true, .solver = SscSolver::kOfficial}}}) {
    EXPECT_THAT(refusal(method), HasSubstr("ensc, ssc-omp or esc"));
  }
  EXPECT_THAT(refusal(KsscOptions{}), HasSubstr("set kernel_rank"));
  EXPECT_THAT(refusal(SscOptions{.solver = SscSolver::kOfficial}),
              HasSubstr("use solver active-set"));
  const Context tiny{.max_memory = 30'000'000};
  EXPECT_THAT(
      message_of<ResourceError>([&] { check_peak_memory(options_of({}), 100, 50000, tiny); }),
      AllOf(HasSubstr("needs about"), Not(HasSubstr("ssc-omp"))));
}

/// Threads and solvers are done with where the affinity is made.
TEST(PeakMemory, HintsNameWhatCountsAtTheirStage) {
  const Context small{.num_threads = 1, .max_memory = 100'000'000};
  const auto refusal = [&](const PipelineOptions& options, Index num_points) {
    return message_of<ResourceError>([&] { check_peak_memory(options, 100, num_points, small); });
  };
  const auto at_affinity = [](const std::string& hint) {
    return AllOf(HasSubstr("cluster, stage affinity"), HasSubstr("allowed; " + hint),
                 Not(HasSubstr("threads")));
  };
  PipelineOptions options = options_of({});
  EXPECT_THAT(refusal(options, 50000), at_affinity("lower affinity.top or give fewer samples"));
  options.affinity.top = 0;
  EXPECT_THAT(refusal(options, 50000), at_affinity("set affinity.top or give fewer samples"));
  options.affinity.kind = AffinityKind::kMaxColumns;
  EXPECT_THAT(refusal(options, 50000), at_affinity("give fewer samples"));
  EXPECT_THAT(refusal(options_of({"", OmpOptions{}}), 50000),
              at_affinity("lower max_nonzeros or give fewer samples"));
  EXPECT_THAT(refusal(options_of({"", SmceOptions{}}), 50000),
              at_affinity("ask for fewer neighbors or give fewer samples"));
  options.num_clusters = 1;
  EXPECT_THAT(refusal(options, 200000), AllOf(HasSubstr("cluster, stage load"),
                                              HasSubstr("allowed; give fewer samples or features"),
                                              Not(HasSubstr("copied"))));
}

}  // namespace
}  // namespace subspace
