// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/pipeline/peak_memory.h>

#include "support/measured_peak.h"
#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using ::testing::AllOf;
using testing::expect_predicted;
using ::testing::HasSubstr;
using testing::kMemoryIsMeasured;
using testing::measured_peak;
using testing::message_of;
using testing::random_matrix;

constexpr int kClusters = 4;

PipelineOptions with_affinity(const AffinityOptions& affinity) {
  return {.num_clusters = kClusters, .affinity = affinity};
}

/// `entries` of each column, anywhere.
SparseMatrix random_coefficients(Index n, int entries) {
  RandomStream random = stream(1, Stream::kTest);
  std::vector<Eigen::Triplet<double>> all;
  for (Index j = 0; j < n; ++j) {
    for (int e = 0; e < entries; ++e) {
      all.emplace_back(static_cast<int>(random.below(static_cast<std::uint32_t>(n))),
                       static_cast<int>(j), 1.0 + e);
    }
  }
  SparseMatrix C(n, n);
  C.setFromTriplets(all.begin(), all.end());
  return C;
}

SparseMatrix random_weights(Index n, int entries) {
  const SparseMatrix C = random_coefficients(n, entries);
  return C + SparseMatrix(C.transpose());
}

/// A matrix of one's own and what clusters it; `given` are its bytes, which the caller holds.
struct Case {
  std::string name = {};
  std::function<void(const Context&)> run = {};
  double predicted = 0.0;
  double given = 0.0;
};

Case coefficients_case(const std::string& name, const auto& C, const PipelineOptions& options) {
  const auto stages = predicted_coefficients_memory(options, measured(C));
  return {name, [=, &C](const Context& context) { cluster_coefficients(C, options, context); },
          largest_stage(stages).bytes, stages.front().bytes};
}
Case affinity_case(const std::string& name, const auto& W, const PipelineOptions& options) {
  const auto stages = predicted_affinity_memory(options, measured(W));
  return {name, [=, &W](const Context& context) { cluster_affinity(W, options, context); },
          largest_stage(stages).bytes, stages.front().bytes};
}

class OwnMatrixMemory : public ::testing::Test {
 protected:
  std::vector<Case> every_case() const {
    return {coefficients_case("sparse C", C_, with_affinity({.top = 0})),
            coefficients_case("sparse C, top", C_, with_affinity({.top = 10})),
            coefficients_case("full C", full_C_, with_affinity({.top = 0})),
            coefficients_case("full C, top", full_C_, with_affinity({})),
            coefficients_case("full C, low rank", full_C_,
                              with_affinity({.kind = AffinityKind::kLowRank})),
            coefficients_case("sparse C, low rank", sparser_C_,
                              with_affinity({.kind = AffinityKind::kLowRank})),
            affinity_case("sparse W", W_, with_affinity({})),
            affinity_case("full W", full_W_, with_affinity({}))};
  }

  SparseMatrix C_ = random_coefficients(4000, 80);
  SparseMatrix sparser_C_ = random_coefficients(900, 20);
  Matrix full_C_ = random_matrix(900, 900, 2);
  SparseMatrix W_ = random_weights(4000, 60);
  Matrix full_W_ =
      random_matrix(900, 900, 3).cwiseAbs() + random_matrix(900, 900, 3).cwiseAbs().transpose();
};

TEST_F(OwnMatrixMemory, IsWhatEveryWayInTakes) {
  if (!kMemoryIsMeasured) GTEST_SKIP();
  for (const Case& c : every_case()) {
    const double measured = measured_peak([&] { c.run({.num_threads = 2}); });
    expect_predicted(measured + c.given, c.predicted, c.name);
  }
}

/// Prediction and run go by one rule, and a byte less is refused before any stage.
TEST_F(OwnMatrixMemory, ExactlyThePredictedPeakIsEnough) {
  for (const Case& c : every_case()) {
    const auto bytes = static_cast<std::int64_t>(c.predicted);
    EXPECT_NO_THROW(c.run({.max_memory = bytes + 1})) << c.name;
    int reports = 0;
    const Context less{.progress = [&](const ProgressEvent&) { ++reports; },
                       .max_memory = bytes - 1};
    EXPECT_THAT(message_of<ResourceError>([&] { c.run(less); }),
                AllOf(HasSubstr(", stage "), HasSubstr("needs about"), HasSubstr("allowed; ")))
        << c.name;
    EXPECT_EQ(reports, 0) << c.name;
  }
}

TEST_F(OwnMatrixMemory, RefusalsSayWhatTakesLess) {
  const Context small{.max_memory = 1'000'000};
  const auto refusal = [&](const auto& C, const AffinityOptions& affinity) {
    return message_of<ResourceError>(
        [&] { cluster_coefficients(C, with_affinity(affinity), small); });
  };
  EXPECT_THAT(refusal(full_C_, {}), HasSubstr("give a sparse matrix of fewer entries"));
  EXPECT_THAT(refusal(C_, {.top = 0}), AllOf(HasSubstr("cluster_coefficients, stage affinity"),
                                             HasSubstr("set affinity.top")));
  EXPECT_THAT(refusal(C_, {.kind = AffinityKind::kLowRank}),
              HasSubstr("low rank is full; choose another kind"));
  EXPECT_THAT(
      message_of<ResourceError>([&] { cluster_affinity(full_W_, with_affinity({}), small); }),
      AllOf(HasSubstr("cluster_affinity, stage "), HasSubstr("give a sparse matrix")));
  EXPECT_THAT(message_of<ResourceError>([&] { cluster_affinity(W_, with_affinity({}), small); }),
              HasSubstr("ask for fewer clusters, fewer entries or fewer samples"));
}

/// A copy is one matrix more than what is given away.
TEST_F(OwnMatrixMemory, WhatIsGivenAwayIsNotHeldTwice) {
  OwnMatrix size = measured(W_);
  const double kept = largest_stage(predicted_affinity_memory(with_affinity({}), size)).bytes;
  size.kept = false;
  const double given = largest_stage(predicted_affinity_memory(with_affinity({}), size)).bytes;
  EXPECT_EQ(kept - given, 12.0 * static_cast<double>(W_.nonZeros()));
  const auto limit = static_cast<std::int64_t>(0.5 * (kept + given));
  EXPECT_THROW(cluster_affinity(W_, with_affinity({}), {.max_memory = limit}), ResourceError);
  SparseMatrix away = W_;
  EXPECT_NO_THROW(cluster_affinity(std::move(away), with_affinity({}), {.max_memory = limit}));
}

TEST_F(OwnMatrixMemory, OneClusterNeedsNoGraph) {
  PipelineOptions options = with_affinity({});
  options.num_clusters = 1;
  EXPECT_EQ(predicted_coefficients_memory(options, measured(C_)).size(), 1u);
  EXPECT_EQ(predicted_affinity_memory(options, measured(full_W_)).size(), 1u);
}

TEST(Measured, CountsWhatIsNotZero) {
  Matrix A = Matrix::Zero(3, 3);
  A(0, 1) = A(2, 2) = 5.0;
  EXPECT_EQ(measured(A).entries, 2.0);
  EXPECT_TRUE(measured(A).full);
  EXPECT_EQ(measured(SparseMatrix(A.sparseView())).entries, 2.0);
}

}  // namespace
}  // namespace subspace
