// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>

#include "feature_tools.h"

namespace subspace::neural {
namespace {

using testing::gaussian;
using testing::gradient_at;
using testing::gradient_error;
using testing::largest;
using testing::rotation;
using ::testing::ThrowsMessage;
using testing::unit_rows;

/// The 1e-8 within t_k changes rates by about this much.
constexpr double kSizeTolerance = 1e-6;

torch::Tensor soft_membership(std::int64_t m, std::int64_t num_clusters, std::uint32_t index = 7) {
  return torch::softmax(2.0 * gaussian({m, num_clusters}, index), 1);
}

torch::Tensor hard_membership(const torch::Tensor& labels, std::int64_t num_clusters) {
  return torch::one_hot(labels, num_clusters).to(torch::kFloat64);
}

double compressed(const torch::Tensor& Z, const torch::Tensor& membership, double e) {
  return compressed_rate(Z, membership, e).item<double>();
}

double rate(const torch::Tensor& Z, double e) { return coding_rate(Z, e).item<double>(); }

/// The definition, by LU and autograd.
torch::Tensor naive_rate(const torch::Tensor& Z, const torch::Tensor& membership, double e) {
  const auto m = static_cast<double>(Z.size(0));
  const auto p = static_cast<double>(Z.size(1));
  torch::Tensor total = torch::zeros({}, torch::kFloat64);
  for (std::int64_t k = 0; k < membership.size(1); ++k) {
    const torch::Tensor weights = membership.select(1, k);
    const torch::Tensor t = weights.sum() + 1e-8;
    const torch::Tensor A =
        torch::eye(Z.size(1), torch::kFloat64) + p / (t * e) * Z.t().mm(torch::diag(weights)).mm(Z);
    total = total + t / (2.0 * m) * torch::logdet(A);
  }
  return total;
}

/// As functions of one argument, for the tools.
auto by_features(const torch::Tensor& membership, double e) {
  return [=](const torch::Tensor& Z) { return compressed_rate(Z, membership, e); };
}
auto by_membership(const torch::Tensor& Z, double e) {
  return [=](const torch::Tensor& membership) { return compressed_rate(Z, membership, e); };
}

TEST(CompressedRate, ValueAndGradientsAreThoseOfTheDefinition) {
  for (const auto& [m, p, k] : {std::tuple{30, 6, 4}, {6, 30, 3}, {12, 12, 1}, {1, 5, 2}}) {
    const torch::Tensor Z = unit_rows(m, p);
    const torch::Tensor membership = soft_membership(m, k);
    const double e = 0.05;
    EXPECT_NEAR(compressed(Z, membership, e), naive_rate(Z, membership, e).item<double>(), 1e-10)
        << m << " x " << p;
    const torch::Tensor of_Z =
        gradient_at(Z, [&](const torch::Tensor& z) { return naive_rate(z, membership, e); });
    EXPECT_LT(largest(gradient_at(Z, by_features(membership, e)) - of_Z), 1e-10) << m << " x " << p;
    const torch::Tensor of_membership =
        gradient_at(membership, [&](const torch::Tensor& pi) { return naive_rate(Z, pi, e); });
    EXPECT_LT(largest(gradient_at(membership, by_membership(Z, e)) - of_membership), 1e-10)
        << m << " x " << p;
  }
}

TEST(CompressedRate, GradientsAreTheLimitOfDifferences) {
  for (const auto& [m, p] : {std::pair{9, 4}, {4, 9}, {1, 3}}) {
    const torch::Tensor Z = unit_rows(m, p);
    const torch::Tensor membership = soft_membership(m, 3);
    EXPECT_LT(gradient_error(Z, by_features(membership, 0.1)), 1e-7) << m << " x " << p;
    // A small step: third derivatives grow with the inverse of small memberships.
    EXPECT_LT(gradient_error(membership, by_membership(Z, 0.1), 1e-6), 1e-7) << m << " x " << p;
  }
}

TEST(CompressedRate, GradientsFollowTheChainRuleTogether) {
  const torch::Tensor Z = unit_rows(10, 4);
  const torch::Tensor logits = gaussian({10, 3}, 4);
  const torch::Tensor leaf = Z.clone().requires_grad_();
  const torch::Tensor logit_leaf = logits.clone().requires_grad_();
  (-3.0 * compressed_rate(2.0 * leaf, torch::softmax(logit_leaf, 1), 0.1)).backward();
  const torch::Tensor expected_Z = gradient_at(Z, [&](const torch::Tensor& z) {
    return -3.0 * naive_rate(2.0 * z, torch::softmax(logits, 1), 0.1);
  });
  const torch::Tensor expected_logits = gradient_at(logits, [&](const torch::Tensor& l) {
    return -3.0 * naive_rate(2.0 * Z, torch::softmax(l, 1), 0.1);
  });
  EXPECT_LT(largest(leaf.grad() - expected_Z), 1e-10);
  EXPECT_LT(largest(logit_leaf.grad() - expected_logits), 1e-10);
}

TEST(CompressedRate, OfOneClusterIsTheRate) {
  for (const auto& [m, p] : {std::pair{50, 8}, {8, 50}, {1, 5}}) {
    const torch::Tensor Z = unit_rows(m, p);
    const torch::Tensor all = torch::ones({m, 1}, torch::kFloat64);
    EXPECT_NEAR(compressed(Z, all, 0.01), rate(Z, 0.01), kSizeTolerance);
    EXPECT_NEAR(rate_reduction(Z, all, 0.01).item<double>(), 0.0, kSizeTolerance);
  }
}

TEST(CompressedRate, OfAPartitionIsTheMeanRateOfItsParts) {
  const torch::Tensor Z = unit_rows(40, 6);
  const torch::Tensor labels = torch::arange(40).remainder(7).clamp_max(2);
  double expected = 0.0;
  for (int k = 0; k < 3; ++k) {
    const torch::Tensor part = Z.index_select(0, labels.eq(k).nonzero().squeeze(1));
    expected += static_cast<double>(part.size(0)) / 40.0 * rate(part, 0.02);
  }
  EXPECT_NEAR(compressed(Z, hard_membership(labels, 3), 0.02), expected, kSizeTolerance);
}

TEST(CompressedRate, OrthogonalSubspacesHaveAClosedForm) {
  // Cluster k holds copies of two basis vectors of its own: R_c = ln(1 + p/(2e)) for all K, R is
  // isotropic.
  const std::int64_t num_clusters = 20;
  const std::int64_t p = 2 * num_clusters;
  const torch::Tensor Z = torch::eye(p, torch::kFloat64).repeat({3, 1});
  const torch::Tensor labels = torch::arange(p).floor_divide(2).repeat({3});
  const double expected = std::log1p(static_cast<double>(p) / (2.0 * 0.01));
  EXPECT_NEAR(compressed(Z, hard_membership(labels, num_clusters), 0.01), expected, kSizeTolerance);
  EXPECT_NEAR(rate_reduction(Z, hard_membership(labels, num_clusters), 0.01).item<double>(),
              92.3024 - expected, 1e-4);
}

TEST(CompressedRate, RotationAndOrderDoNotMatter) {
  const torch::Tensor Z = unit_rows(20, 6);
  const torch::Tensor membership = soft_membership(20, 4);
  const torch::Tensor Q = rotation(6);
  const torch::Tensor order = torch::arange(19, -1, -1);
  const torch::Tensor clusters = torch::tensor({2, 0, 3, 1});
  const double plain = compressed(Z, membership, 0.01);
  EXPECT_NEAR(compressed(Z.mm(Q), membership, 0.01), plain, 1e-10);
  EXPECT_NEAR(compressed(Z.index_select(0, order), membership.index_select(0, order), 0.01), plain,
              1e-10);
  EXPECT_NEAR(compressed(Z, membership.index_select(1, clusters), 0.01), plain, 1e-10);
  EXPECT_LT(largest(gradient_at(Z.mm(Q), by_features(membership, 0.01)) -
                    gradient_at(Z, by_features(membership, 0.01)).mm(Q)),
            1e-9);
  EXPECT_LT(largest(gradient_at(membership.index_select(1, clusters), by_membership(Z, 0.01)) -
                    gradient_at(membership, by_membership(Z, 0.01)).index_select(1, clusters)),
            1e-10);
}

TEST(CompressedRate, NeverExceedsTheRate) {
  EXPECT_TRUE(rc::check("logdet is concave", [] {
    const int m = *rc::gen::inRange(1, 25);
    const int p = *rc::gen::inRange(1, 10);
    const int num_clusters = *rc::gen::inRange(1, 6);
    const auto index = *rc::gen::inRange<std::uint32_t>(0, 1000);
    const double e = std::pow(10.0, *rc::gen::inRange(-4, 3));
    const double saved =
        rate_reduction(gaussian({m, p}, index), soft_membership(m, num_clusters, index + 1), e)
            .item<double>();
    RC_ASSERT(saved >= -kSizeTolerance);
  }));
}

TEST(CompressedRate, SplittingAClusterEvenlyChangesNothing) {
  const torch::Tensor Z = unit_rows(15, 5);
  const torch::Tensor membership = soft_membership(15, 2);
  const torch::Tensor halves = torch::cat({0.5 * membership, 0.5 * membership}, 1);
  EXPECT_NEAR(compressed(Z, halves, 0.1), compressed(Z, membership, 0.1), kSizeTolerance);
}

TEST(CompressedRate, EmptyClustersCountNothing) {
  const torch::Tensor Z = unit_rows(12, 5);
  const torch::Tensor membership = soft_membership(12, 3);
  const torch::Tensor more = torch::cat({membership, torch::zeros({12, 2}, torch::kFloat64)}, 1);
  EXPECT_NEAR(compressed(Z, more, 0.1), compressed(Z, membership, 0.1), 1e-12);
  const torch::Tensor slope = gradient_at(more, by_membership(Z, 0.1));
  // A = I there: p/(2 m e) |z_i|^2.
  EXPECT_LT(largest(slope.slice(1, 3) - 5.0 / (2.0 * 12.0 * 0.1)), 1e-10);
  EXPECT_LT(largest(gradient_at(Z, by_features(more, 0.1)) -
                    gradient_at(Z, by_features(membership, 0.1))),
            1e-12);
}

TEST(CompressedRate, ExtremesOfDistortion) {
  const torch::Tensor Z = unit_rows(30, 4);
  const torch::Tensor membership = soft_membership(30, 3);
  // ln(1 + x) = x to first order: R_c = p/(2e) for unit rows.
  EXPECT_NEAR(compressed(Z, membership, 1e6) * 1e6, 2.0, 1e-5);
  // ln(1 + x) = ln x to leading order, so dividing e by 100 adds p/2 ln 100.
  EXPECT_NEAR(compressed(Z, membership, 1e-12) - compressed(Z, membership, 1e-10),
              2.0 * std::log(100.0), 1e-6);
  for (const double e : {1e-12, 1e12}) {
    EXPECT_TRUE(gradient_at(Z, by_features(membership, e)).isfinite().all().item<bool>());
    EXPECT_TRUE(gradient_at(membership, by_membership(Z, e)).isfinite().all().item<bool>());
  }
}

// I + a Z' diag(pi) Z has no Cholesky factor in float64; of rank one beside I, with strengths
// g_k = p/(t_k e) 1e20 sum_i pi_ik, R_c = sum_k t_k/(2m) ln(1 + g_k) and
// dR_c/dZ = s sum_k diag(pi_k) Z / (1 + g_k) all the same, to what the last digits of Z are worth.
TEST(CompressedRate, HugeEqualRowsHaveTheirExactRate) {
  for (const auto& [m, p] : {std::pair{40, 12}, {12, 40}}) {
    const torch::Tensor Z = unit_rows(1, p).repeat({m, 1}) * 1e10;
    const torch::Tensor membership = soft_membership(m, 3);
    const torch::Tensor mass = membership.sum(0);
    const torch::Tensor sizes = mass + 1e-8;
    const torch::Tensor strengths = p / 0.01 * 1e20 * mass / sizes;
    const double expected = (sizes * strengths.log1p()).sum().item<double>() / (2.0 * m);
    EXPECT_NEAR(compressed(Z, membership, 0.01), expected, 1e-5) << m;

    const double s = p / (m * 0.01);
    const torch::Tensor slope = Z * (s * membership / (1.0 + strengths)).sum(1, /*keepdim=*/true);
    const torch::Tensor found = gradient_at(Z, by_features(membership, 0.01));
    EXPECT_LT(largest(found - slope), 1e-14 * s * 1e10) << m;

    // By the formula, with q_ik = 1e20 / (1 + g_k): s/2 q_ik + (ln(1 + g_k) - a_k mass_k q_ik) /
    // 2m.
    const torch::Tensor q = 1e20 / (1.0 + strengths);
    const torch::Tensor of_size = (strengths.log1p() - strengths / (1.0 + strengths)) / (2.0 * m);
    const torch::Tensor by_weight = gradient_at(membership, by_membership(Z, 0.01));
    EXPECT_LT(largest(by_weight - (0.5 * s * q + of_size)), 1e-5) << m;
  }
}

TEST(CompressedRate, FloatsAreMeasuredInDouble) {
  const torch::Tensor Z = unit_rows(50, 8).to(torch::kFloat32);
  const torch::Tensor membership = soft_membership(50, 3).to(torch::kFloat32);
  const torch::Tensor wide_Z = Z.to(torch::kFloat64);
  const torch::Tensor wide_membership = membership.to(torch::kFloat64);
  EXPECT_EQ(compressed_rate(Z, membership, 0.01).scalar_type(), torch::kFloat64);
  EXPECT_EQ(compressed(Z, membership, 0.01), compressed(wide_Z, wide_membership, 0.01));
  const torch::Tensor of_Z = gradient_at(Z, by_features(wide_membership, 0.01));
  EXPECT_EQ(of_Z.scalar_type(), torch::kFloat32);
  EXPECT_LT(largest(of_Z - gradient_at(wide_Z, by_features(wide_membership, 0.01))), 1e-5);
  const torch::Tensor of_membership = gradient_at(membership, by_membership(wide_Z, 0.01));
  EXPECT_EQ(of_membership.scalar_type(), torch::kFloat32);
  EXPECT_LT(largest(of_membership - gradient_at(wide_membership, by_membership(wide_Z, 0.01))),
            1e-6);
}

TEST(CompressedRate, RefusesWhatHasNoRate) {
  const torch::Tensor Z = unit_rows(4, 3);
  const torch::Tensor membership = soft_membership(4, 2);
  EXPECT_THAT([&] { compressed_rate(Z, membership, -1.0); },
              ThrowsMessage<InvalidArgument>(
                  "compressed_rate: distortion = -1, must satisfy distortion > 0"));
  EXPECT_THAT(
      [&] { compressed_rate(Z[0], membership, 0.1); },
      ThrowsMessage<DataError>("compressed_rate: Z must be a non-empty floating-point matrix"));
  EXPECT_THAT([&] { compressed_rate(Z, membership.to(torch::kInt64), 0.1); },
              ThrowsMessage<DataError>(
                  "compressed_rate: membership must be a non-empty floating-point matrix"));
  EXPECT_THAT(
      [&] { compressed_rate(Z, membership.slice(0, 1), 0.1); },
      ThrowsMessage<DataError>("compressed_rate: membership has 3 rows, Z has 4; they must agree"));
}

TEST(CompressedRate, RefusesNumbersThatAreNone) {
  torch::Tensor Z = unit_rows(4, 3);
  torch::Tensor membership = soft_membership(4, 2);
  membership[1][1] = -0.25;
  EXPECT_THAT([&] { compressed_rate(Z, membership, 0.1); },
              ThrowsMessage<DataError>(
                  "compressed_rate: a membership is -0.25, must satisfy membership >= 0"));
  membership[1][1] = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { compressed_rate(Z, membership, 0.1); },
              ThrowsMessage<NumericalError>("compressed_rate: a membership is not finite"));
  Z[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { compressed_rate(Z, membership, 0.1); },
              ThrowsMessage<NumericalError>("compressed_rate: a feature is not finite"));
}

TEST(CompressedRate, SecondDerivativesAreRefusedNotWrong) {
  const torch::Tensor leaf = unit_rows(4, 3).requires_grad_();
  EXPECT_THAT(
      [&] {
        torch::autograd::grad({compressed_rate(leaf, soft_membership(4, 2), 0.1)}, {leaf}, {}, true,
                              /*create_graph=*/true);
      },
      ThrowsMessage<InvalidArgument>("compressed_rate: differentiable once only"));
}

}  // namespace
}  // namespace subspace::neural
