// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/self_expression/elastic_net_path.h>

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
using testing::measured_peak;
using testing::message_of;
using testing::random_matrix;
using testing::union_of_subspaces;

constexpr Index kDimension = 60;
const Context kTwo{.num_threads = 2};

PipelineOptions of_method(const Method& method, int num_clusters = 0) {
  return {.num_clusters = num_clusters,
          .method = method,
          .affinity = {.kind = AffinityKind::kUnitColumns, .top = 0}};
}

double stage_bytes(const std::vector<StageMemory>& stages, const std::string& name) {
  for (const StageMemory& each : stages) {
    if (each.stage == name) return each.bytes;
  }
  ADD_FAILURE() << "no stage " << name;
  return 0.0;
}

double bytes_of(const Matrix& X) { return static_cast<double>(X.size()) * sizeof(double); }

/// The caller's points are counted twice, as they were loaded and preprocessed; here they are one.
TEST(PathMemory, IsWhatAnElasticNetPathTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = union_of_subspaces(kDimension, 30, 4, 250, 0.2, 1).points;
  std::vector<double> gammas;  // many: their coefficients are most of what is counted
  for (int step = 0; step < 50; ++step) gammas.push_back(20.0 + step);
  for (const std::vector<Index>& points : {std::vector<Index>{}, {1, 17, 400}}) {
    const PathSize size{.num_values = std::ssize(gammas), .num_paths = std::ssize(points)};
    const double predicted = stage_bytes(
        predicted_path_memory(of_method(ElasticNetOptions{}), size, kDimension, X.cols(), kTwo),
        "self-expression");
    const double measured =
        measured_peak([&] { elastic_net_path(X, {.points = points, .gammas = gammas}, kTwo); });
    expect_predicted(measured + 2.0 * bytes_of(X), predicted,
                     points.empty() ? "all points" : "three points");
  }
}

/// Of few points the products that decide the common weight are most.
TEST(PathMemory, IsWhatACommonWeightTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = random_matrix(5, 30000, 5);
  const std::vector<Index> points = {3};
  const PathSize size{.num_values = 2, .num_paths = 1};
  const auto predicted = [&](const Method& method) {
    return stage_bytes(
        predicted_path_memory(of_method(method), size, X.rows(), X.cols(), {.num_threads = 1}),
        "self-expression");
  };
  const auto measured = [&](bool common_weight) {
    return measured_peak([&] {
      elastic_net_path(
          X, {.tau = 1.0, .common_weight = common_weight, .points = points, .gammas = {2.0, 3.0}},
          {.num_threads = 1});
    });
  };
  const double more = predicted(SscOptions{}) - predicted(ElasticNetOptions{});
  EXPECT_GT(more, 10e6);
  EXPECT_NEAR(measured(true) - measured(false), more, 0.2 * more);
}

TEST(PathMemory, IsWhatAPathOfFullCoefficientsTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  for (const Index dimension : {kDimension, Index{1200}}) {
    const Matrix X = random_matrix(dimension, 1000, 2);
    const double predicted =
        stage_bytes(predicted_path_memory(of_method(LsrOptions{}), {.num_values = 2}, dimension,
                                          X.cols(), kTwo),
                    "self-expression");
    for (const LsrVariant variant : {LsrVariant::kLsr1, LsrVariant::kLsr2}) {
      const double measured = measured_peak([&] {
        const LsrPath path = lsr_path(X, {.variant = variant}, kTwo);
        for (const double lambda : {1.0, 50.0}) path.at(lambda, kTwo);
      });
      expect_predicted(measured + 2.0 * bytes_of(X), predicted, "lsr");
    }
  }
}

/// As path_of_input() does it: a value after the other, each with its eigengap.
TEST(PathMemory, IsWhatClustersAtEachValueTake) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  const Matrix X = union_of_subspaces(kDimension, 5, 4, 250, 0.05, 3).points;
  const PipelineOptions options = of_method(EdscOptions{}, 4);
  const double predicted =
      largest_stage(predicted_path_memory(options, {.num_values = 2}, kDimension, X.cols(), kTwo))
          .bytes;
  const double measured = measured_peak([&] {
    const EdscPath path = edsc_path(X, {}, kTwo);
    for (const double lambda : {1.0, 50.0}) {
      const Matrix C = path.at(lambda, kTwo).coefficients;
      const ClusteringResult result = cluster_coefficients(C, options, kTwo);
      estimate_cluster_count(result.affinity, {.max_clusters = 4}, 0, kTwo);
    }
  });
  expect_predicted(measured + 2.0 * bytes_of(X), predicted, "edsc");
}

/// The Gram matrix is what a path can do without; coefficients it cannot.
TEST(PathMemory, GrowsWithValuesAndPointsThatAreAskedFor) {
  constexpr Index kMany = 70000;
  const Context context{.num_threads = 2, .max_memory = 64'000'000'000};
  const auto peak = [&](Index values, Index points) {
    return largest_stage(predicted_path_memory(of_method(ElasticNetOptions{}),
                                               {.num_values = values, .num_paths = points}, 784,
                                               kMany, context))
        .bytes;
  };
  const double of_value = 12.0 * 50.0 * kMany;
  EXPECT_GT(peak(100, 0), peak(50, 0) + 50 * of_value);
  EXPECT_GT(peak(50, 0), 50 * of_value);
  EXPECT_LT(peak(50, 10), 50 * of_value);
  EXPECT_EQ(peak(50, 0), peak(50, kMany));
  const double full = largest_stage(predicted_path_memory(of_method(LsrOptions{}, 10),
                                                          {.num_values = 5}, 784, kMany, context))
                          .bytes;
  EXPECT_GT(full, 2.0 * 8.0 * kMany * kMany);
}

/// The two ways with and without the Gram matrix round differently.
TEST(PathMemory, MoreThreadsTakeMoreAndNoOtherWay) {
  const auto bytes = [](int threads, std::int64_t limit) {
    return stage_bytes(
        predicted_path_memory(of_method(ElasticNetOptions{}), {.num_values = 20}, kDimension, 400,
                              {.num_threads = threads, .max_memory = limit}),
        "self-expression");
  };
  const auto enough_for_one = static_cast<std::int64_t>(bytes(1, 0)) + 1;
  EXPECT_EQ(bytes(1, enough_for_one), bytes(1, 0));
  EXPECT_EQ(bytes(2, enough_for_one), bytes(2, 0));
}

/// A thread of a path works on one point, of the solver of all points on 64, and each has the same
/// small problem; the path gathers its candidates beside it.
TEST(PathMemory, AThreadTakesWhatAPointTakesWhereAllAreSolved) {
  constexpr Index kPoints = 1280;
  constexpr Index kCandidates = kPoints / 20;
  const PipelineOptions options = of_method(ElasticNetOptions{}, 2);
  const auto context = [](int threads) {
    return Context{.num_threads = threads, .max_memory = 40'000'000};  // not for a Gram matrix
  };
  const auto of_path = [&](int threads) {
    return stage_bytes(
        predicted_path_memory(options, {.num_values = 2}, kDimension, kPoints, context(threads)),
        "self-expression");
  };
  const auto of_all = [&](int threads) {
    return stage_bytes(predicted_memory(options, kDimension, kPoints, context(threads)),
                       "self-expression");
  };
  EXPECT_DOUBLE_EQ(of_path(2) - of_path(1) - 8.0 * kDimension * kCandidates,
                   (of_all(2) - of_all(1)) / 64.0);
}

TEST(PathMemory, RefusalsSayWhatTakesLess) {
  const Context small{.num_threads = 1, .max_memory = 100'000'000};
  const auto refusal = [&](const PipelineOptions& options, Index values) {
    return message_of<ResourceError>(
        [&] { check_path_memory(options, {.num_values = values}, 20, 10000, small); });
  };
  EXPECT_THAT(refusal(of_method(ElasticNetOptions{}), 50),
              AllOf(HasSubstr("path, stage self-expression: needs about"),
                    HasSubstr("0.1 GB allowed; ask for fewer values or points")));
  EXPECT_THAT(refusal(of_method(SscOptions{}, 5), 50),
              HasSubstr("ask for fewer values or give fewer samples"));
  EXPECT_THAT(refusal(of_method(LsrOptions{}, 5), 2), HasSubstr("use ensc or ssc"));
  EXPECT_NO_THROW(
      check_path_memory(of_method(ElasticNetOptions{}), {.num_values = 2}, 20, 10000, small));
  EXPECT_THROW(predicted_path_memory(of_method(OmpOptions{}), {}, 20, 100), InvalidArgument);
}

/// Prediction and path go by one rule: where it just fits, it is not refused later.
TEST(PathMemory, ExactlyThePredictedPeakIsEnough) {
  const Matrix X = random_matrix(20, 300, 4);
  const auto limit = [&](const Method& method) {
    // What the library sees: one copy of the points is the caller's own.
    return static_cast<std::int64_t>(
               stage_bytes(predicted_path_memory(of_method(method), {.num_values = 3}, X.rows(),
                                                 X.cols(), kTwo),
                           "self-expression") -
               bytes_of(X)) +
           1;
  };
  EXPECT_NO_THROW(elastic_net_path(X, {.gammas = {2, 4, 8}},
                                   {.num_threads = 2, .max_memory = limit(ElasticNetOptions{})}));
  EXPECT_NO_THROW(elastic_net_path(X, {.tau = 1.0, .common_weight = true, .gammas = {2, 4, 8}},
                                   {.num_threads = 2, .max_memory = limit(SscOptions{})}));
  const Context enough{.num_threads = 2, .max_memory = limit(LsrOptions{})};
  EXPECT_NO_THROW(lsr_path(X, {}, enough).at(0.1, enough));
  const Context less{.num_threads = 2, .max_memory = limit(LsrOptions{}) - 3};
  EXPECT_THROW(lsr_path(X, {}, less), ResourceError);
}

}  // namespace
}  // namespace subspace
