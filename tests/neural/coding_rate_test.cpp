// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/coding_rate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <limits>

#include <subspace/core/error.h>

#include "feature_tools.h"

namespace subspace::neural {
namespace {

using testing::close_views;
using testing::gaussian;
using testing::gradient_at;
using ::testing::HasSubstr;
using testing::largest;
using testing::rotation;
using ::testing::ThrowsMessage;
using testing::unit_rows;

double rate(const torch::Tensor& Z, double e) { return coding_rate(Z, e).item<double>(); }

torch::Tensor gradient(const torch::Tensor& Z, double e) {
  return gradient_at(Z, [e](const torch::Tensor& z) { return coding_rate(z, e); });
}

/// The definition, by LU and autograd.
torch::Tensor naive_rate(const torch::Tensor& Z, double e) {
  const double s = static_cast<double>(Z.size(1)) / (static_cast<double>(Z.size(0)) * e);
  return 0.5 * torch::logdet(torch::eye(Z.size(1), torch::kFloat64) + s * Z.t().mm(Z));
}

/// Repetitions of the standard basis: Z'Z = (m/p) I.
torch::Tensor isotropic(std::int64_t p, std::int64_t copies) {
  return torch::eye(p, torch::kFloat64).repeat({copies, 1});
}

TEST(CodingRate, ClosedFormsOfIsotropicAndEqualRows) {
  EXPECT_NEAR(rate(isotropic(40, 3), 0.01), 92.3024, 5e-5);
  EXPECT_NEAR(rate(isotropic(200, 2), 0.001), 690.8755, 5e-5);
  EXPECT_NEAR(rate(isotropic(128, 1), 0.2), 114.6726, 5e-5);
  EXPECT_NEAR(rate(unit_rows(1, 40).repeat({72, 1}), 0.01), 4.14715, 5e-6);
  EXPECT_NEAR(rate(unit_rows(1, 200).repeat({9, 1}), 0.001), 6.10304, 5e-6);
}

TEST(CodingRate, BoundsAreTheClosedForms) {
  EXPECT_NEAR(isotropic_rate(120, 40, 0.01), rate(isotropic(40, 3), 0.01), 1e-10);
  EXPECT_NEAR(isotropic_rate(7, 40, 0.01), rate(isotropic(40, 1).slice(0, 0, 7), 0.01), 1e-10);
  EXPECT_NEAR(collapsed_rate(40, 0.01), rate(unit_rows(1, 40).repeat({5, 1}), 0.01), 1e-10);
  const double between = rate(unit_rows(50, 8), 0.1);
  EXPECT_GT(between, collapsed_rate(8, 0.1));
  EXPECT_LT(between, isotropic_rate(50, 8, 0.1));
}

TEST(CodingRate, ValueAndGradientAreThoseOfTheDefinition) {
  for (const auto& [m, p] : {std::pair{30, 6}, {6, 30}, {12, 12}, {1, 5}}) {
    const torch::Tensor Z = unit_rows(m, p);
    const torch::Tensor leaf = Z.clone().requires_grad_();
    const torch::Tensor expected = naive_rate(leaf, 0.05);
    expected.backward();
    EXPECT_NEAR(rate(Z, 0.05), expected.item<double>(), 1e-10) << m << " x " << p;
    EXPECT_LT(largest(gradient(Z, 0.05) - leaf.grad()), 1e-10) << m << " x " << p;
  }
}

TEST(CodingRate, GradientIsTheLimitOfDifferences) {
  for (const auto& [m, p] : {std::pair{9, 4}, {4, 9}}) {
    const torch::Tensor Z = unit_rows(m, p);
    const torch::Tensor direction = gaussian({m, p}, 1);
    const double h = 1e-5;
    const double difference =
        (rate(Z + h * direction, 0.02) - rate(Z - h * direction, 0.02)) / (2.0 * h);
    EXPECT_NEAR((gradient(Z, 0.02) * direction).sum().item<double>(), difference, 1e-6);
  }
}

TEST(CodingRate, GradientFollowsTheChainRule) {
  const torch::Tensor Z = unit_rows(10, 4);
  const torch::Tensor leaf = Z.clone().requires_grad_();
  (-3.0 * coding_rate(leaf * 2.0, 0.1)).backward();
  EXPECT_LT(largest(leaf.grad() + 6.0 * gradient(Z * 2.0, 0.1)), 1e-12);
}

TEST(CodingRate, RotationAndOrderDoNotMatter) {
  const torch::Tensor Z = unit_rows(20, 6);
  const torch::Tensor Q = rotation(6);
  const torch::Tensor order = torch::arange(19, -1, -1);
  EXPECT_NEAR(rate(Z.mm(Q), 0.01), rate(Z, 0.01), 1e-10);
  EXPECT_NEAR(rate(Z.index_select(0, order), 0.01), rate(Z, 0.01), 1e-10);
  EXPECT_LT(largest(gradient(Z.mm(Q), 0.01) - gradient(Z, 0.01).mm(Q)), 1e-10);
}

TEST(CodingRate, FloatFeaturesAreMeasuredInDouble) {
  const torch::Tensor Z = unit_rows(50, 8).to(torch::kFloat32);
  EXPECT_EQ(coding_rate(Z, 0.01).scalar_type(), torch::kFloat64);
  EXPECT_EQ(rate(Z, 0.01), rate(Z.to(torch::kFloat64), 0.01));
  EXPECT_EQ(gradient(Z, 0.01).scalar_type(), torch::kFloat32);
}

// 1 disappears beside 1e20, so I + s Z'Z has no Cholesky factor in float64; of the rank one that it
// adds, R = 1/2 ln(1 + s m 1e20) and dR/dZ = s Z / (1 + s m 1e20) all the same. Z itself is known
// to eps |Z| alone: its last digits are worth s (eps |Z|)^2 in R and s eps |Z| in the gradient.
TEST(CodingRate, HugeEqualRowsHaveTheirExactRate) {
  for (const auto& [m, p] : {std::pair{40, 12}, {12, 40}}) {
    const torch::Tensor Z = unit_rows(1, p).repeat({m, 1}) * 1e10;
    const double s = p / (m * 0.01);
    const double strength = s * m * 1e20;
    EXPECT_NEAR(rate(Z, 0.01), 0.5 * std::log1p(strength), 1e-7) << m;
    const torch::Tensor expected = Z * (s / (1.0 + strength));
    EXPECT_LT(largest(gradient(Z, 0.01) - expected), 1e-14 * s * 1e10) << m;
  }
}

// Orthogonal directions far apart: the rate is the sum of theirs, in whatever basis, and whether
// rounding lets a Cholesky factor exist or not.
TEST(CodingRate, ScalesFarApartHaveTheirExactRate) {
  const double s = 3.0 / (3.0 * 0.5);
  for (const double large : {1e3, 1e5, 1e6, 1e7, 1e9, 1e12}) {
    for (std::uint32_t index = 0; index < 30; ++index) {
      const torch::Tensor scales = torch::tensor({large, 1.0, std::sqrt(1e-3)}, torch::kFloat64);
      const torch::Tensor Q = std::get<0>(torch::linalg_qr(gaussian({3, 3}, index)));
      const double expected =
          0.5 * (std::log1p(s * large * large) + std::log1p(s) + std::log1p(s * 1e-3));
      EXPECT_NEAR(rate(torch::diag(scales).mm(Q), 0.5), expected, 1e-7 + 1e-14 * large)
          << large << ", rotation " << index;
    }
  }
}

TEST(CodingRate, FeaturesTooLargeForAnyRateAreRefused) {
  const torch::Tensor Z = unit_rows(40, 12) * 1e160;
  EXPECT_THAT([&] { coding_rate(Z, 0.01); },
              ThrowsMessage<NumericalError>(
                  "coding_rate: the features are so large that I + s Z'Z is not finite"));
}

TEST(CodingRates, AreTheRatesOfTheMatricesOneByOne) {
  for (const auto& [m, p] : {std::pair{3, 7}, {7, 3}}) {
    const torch::Tensor Z = close_views(4, m, p);
    const torch::Tensor weights = gaussian({4}, 3);
    const torch::Tensor rates = coding_rates(Z, 0.1);
    ASSERT_EQ(rates.sizes(), torch::IntArrayRef({4}));
    const torch::Tensor together = gradient_at(
        Z, [&](const torch::Tensor& z) { return (weights * coding_rates(z, 0.1)).sum(); });
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(rates[i].item<double>(), rate(Z[i], 0.1), 1e-13);
      EXPECT_LT(largest(together[i] - weights[i] * gradient(Z[i], 0.1)), 1e-13);
    }
  }
}

TEST(CodingRates, OneHugeMatrixDoesNotTouchTheOthers) {
  torch::Tensor Z = close_views(3, 40, 12);
  const torch::Tensor plain = coding_rates(Z, 0.01);
  Z[1] = unit_rows(1, 12).repeat({40, 1}) * 1e10;
  const torch::Tensor rates = coding_rates(Z, 0.01);
  EXPECT_TRUE(std::isfinite(rates[1].item<double>()));
  EXPECT_EQ(rates[0].item<double>(), plain[0].item<double>());
  EXPECT_EQ(rates[2].item<double>(), plain[2].item<double>());
}

TEST(CodingRates, RefusesWhatIsNoBatch) {
  EXPECT_THAT(
      [] { coding_rates(unit_rows(4, 3), 0.1); },
      ThrowsMessage<DataError>("coding_rates: Z must be a non-empty floating-point 3-d tensor"));
}

TEST(CodingRate, RefusesWhatHasNoRate) {
  torch::Tensor Z = unit_rows(4, 3);
  EXPECT_THAT(
      [&] { coding_rate(Z, 0.0); },
      ThrowsMessage<InvalidArgument>("coding_rate: distortion = 0, must satisfy distortion > 0"));
  EXPECT_THAT([&] { coding_rate(Z[0], 0.1); },
              ThrowsMessage<DataError>("coding_rate: Z must be a non-empty floating-point matrix"));
  Z[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { coding_rate(Z, 0.1); },
              ThrowsMessage<NumericalError>("coding_rate: a feature is not finite"));
}

TEST(CodingRate, SecondDerivativesAreRefusedNotWrong) {
  const torch::Tensor leaf = unit_rows(4, 3).requires_grad_();
  EXPECT_THAT(
      [&] {
        torch::autograd::grad({coding_rate(leaf, 0.1)}, {leaf}, {}, true, /*create_graph=*/true);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("differentiable once only")));
}

}  // namespace
}  // namespace subspace::neural
