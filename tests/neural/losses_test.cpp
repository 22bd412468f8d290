// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/losses.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <subspace/core/error.h>

#include "feature_tools.h"

namespace subspace::neural {
namespace {

using testing::close_views;
using testing::gaussian;
using testing::gradient_at;
using testing::gradient_error;
using testing::largest;
using testing::rotation;
using ::testing::ThrowsMessage;
using testing::unit_rows;

double value(const torch::Tensor& scalar) {
  EXPECT_EQ(scalar.scalar_type(), torch::kFloat64);
  return scalar.item<double>();
}

/// Plain rows of numbers, for second computations that share nothing with tensors.
using Rows = std::vector<std::vector<double>>;

Rows rows_of(const torch::Tensor& z) {
  Rows result;
  for (std::int64_t i = 0; i < z.size(0); ++i) {
    const double* row = z.const_data_ptr<double>() + i * z.size(1);
    result.emplace_back(row, row + z.size(1));
  }
  return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

/// Column j, centred.
std::vector<double> centered_column(const Rows& rows, std::size_t j) {
  std::vector<double> column;
  for (const auto& row : rows) column.push_back(row[j]);
  const double mean =
      std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
  for (double& number : column) number -= mean;
  return column;
}

/// Both arguments of a loss of pairs get the gradient of its differences.
template <typename Loss>
void expect_gradients(const torch::Tensor& z1, const torch::Tensor& z2, const Loss& loss) {
  EXPECT_LT(gradient_error(z1, [&](const torch::Tensor& z) { return loss(z, z2); }), 1e-6);
  EXPECT_LT(gradient_error(z2, [&](const torch::Tensor& z) { return loss(z1, z); }), 1e-6);
}

/// float32 features: gradients of their type, value and gradient near those in float64.
template <typename Loss>
void expect_floats_agree(const torch::Tensor& z1, const torch::Tensor& z2, const Loss& loss) {
  const torch::Tensor narrow1 = z1.to(torch::kFloat32);
  const torch::Tensor narrow2 = z2.to(torch::kFloat32);
  const double expected = value(loss(z1, z2));
  EXPECT_NEAR(value(loss(narrow1, narrow2)), expected, 1e-5 * (1.0 + std::abs(expected)));
  const torch::Tensor slope =
      gradient_at(narrow1, [&](const torch::Tensor& z) { return loss(z, narrow2); });
  EXPECT_EQ(slope.scalar_type(), torch::kFloat32);
  const torch::Tensor wide = gradient_at(z1, [&](const torch::Tensor& z) { return loss(z, z2); });
  EXPECT_LT(largest(slope - wide), 1e-5 * (1.0 + largest(wide)));
}

// ---- Similarity and mean of views ------------------------------------------------------------

TEST(ViewSimilarity, IsTheMeanCosine) {
  const torch::Tensor z1 = gaussian({9, 4}, 1);
  const torch::Tensor z2 = gaussian({9, 4}, 2);
  const Rows a = rows_of(z1);
  const Rows b = rows_of(z2);
  double expected = 0.0;
  for (std::size_t i = 0; i < 9; ++i) expected += cosine(a[i], b[i]) / 9.0;
  EXPECT_NEAR(value(view_similarity(z1, z2)), expected, 1e-14);
  EXPECT_NEAR(value(view_similarity(z1, 3.0 * z1)), 1.0, 1e-14);
  EXPECT_NEAR(value(view_similarity(z1, -z1)), -1.0, 1e-14);
  expect_gradients(z1, z2, view_similarity);
  expect_floats_agree(z1, z2, view_similarity);
}

TEST(ViewSimilarity, OfUnitRowsIsTheirMeanProduct) {
  const torch::Tensor views = close_views(2, 20, 5);
  EXPECT_NEAR(value(view_similarity(views[0], views[1])),
              (views[0] * views[1]).sum(1).mean().item<double>(), 1e-14);
}

TEST(MeanView, OfTwoIsTheDirectionOfTheirSum) {
  const torch::Tensor views = close_views(2, 12, 5).to(torch::kFloat32);
  const torch::Tensor expected = torch::nn::functional::normalize(0.5 * (views[0] + views[1]));
  EXPECT_TRUE(torch::equal(mean_view(views), expected));
}

TEST(MeanView, IsAUnitVectorWhateverTheOrderOfViews) {
  const torch::Tensor views = close_views(5, 7, 4);
  const torch::Tensor mean = mean_view(views);
  EXPECT_LT(largest(mean.norm(2, 1) - 1.0), 1e-14);
  EXPECT_LT(largest(mean_view(views.flip(0)) - mean), 1e-14);
  EXPECT_LT(largest(mean_view(views.slice(0, 0, 1).repeat({3, 1, 1})) - views[0]), 1e-14);
  const torch::Tensor weights = gaussian({7, 4}, 9);
  EXPECT_LT(
      gradient_error(views, [&](const torch::Tensor& z) { return (weights * mean_view(z)).sum(); }),
      1e-8);
}

TEST(MeanView, OppositeViewsGiveZero) {
  const torch::Tensor z = unit_rows(3, 4);
  EXPECT_EQ(largest(mean_view(torch::stack({z, -z}))), 0.0);
}

// ---- Gumbel ----------------------------------------------------------------------------------

constexpr ViewKey kKey = {.seed = 11, .step = 3, .view = 1};

std::vector<Index> first_images(Index count) {
  std::vector<Index> images(static_cast<std::size_t>(count));
  std::iota(images.begin(), images.end(), Index{0});
  return images;
}

TEST(DrawGumbel, AnImageHasItsNumbersInAnyBatch) {
  const std::vector<Index> some = {5, 900, 2};
  const std::vector<Index> others = {7, 2, 3, 5, 70000};
  const torch::Tensor a = draw_gumbel(kKey, some, 6);
  const torch::Tensor b = draw_gumbel(kKey, others, 6);
  EXPECT_TRUE(torch::equal(a[0], b[3]));
  EXPECT_TRUE(torch::equal(a[2], b[1]));
  EXPECT_FALSE(torch::equal(a[0], a[1]));
  EXPECT_TRUE(torch::equal(draw_gumbel(kKey, some, 4), a.slice(1, 0, 4)));
  EXPECT_EQ(draw_gumbel(kKey, {}, 6).sizes(), torch::IntArrayRef({0, 6}));
}

TEST(DrawGumbel, SeedStepAndViewHaveNumbersOfTheirOwn) {
  const std::vector<Index> images = first_images(2);
  const torch::Tensor plain = draw_gumbel(kKey, images, 5);
  for (const ViewKey& key : {ViewKey{12, 3, 1}, ViewKey{11, 4, 1}, ViewKey{11, 3, 0},
                             ViewKey{11 + (std::uint64_t{1} << 32), 3, 1}}) {
    EXPECT_FALSE(draw_gumbel(key, images, 5).eq(plain).any().item<bool>());
  }
}

TEST(DrawGumbel, HasMeanAndVarianceOfTheLaw) {
  const torch::Tensor noise = draw_gumbel(kKey, first_images(20000), 4).flatten();
  // Standard errors with 80000 numbers: 0.0045 and, the fourth moment being 5.4 variances, 0.012.
  EXPECT_NEAR(noise.mean().item<double>(), std::numbers::egamma, 0.018);
  EXPECT_NEAR(noise.var().item<double>(), std::numbers::pi * std::numbers::pi / 6.0, 0.05);
}

TEST(GumbelSoftmax, LargestEntriesFollowTheSoftmax) {
  const int num_images = 20000;
  const torch::Tensor logits = torch::tensor({0.5, -1.0, 2.0, 0.0, 1.0}, torch::kFloat64);
  const torch::Tensor noise = draw_gumbel(kKey, first_images(num_images), 5);
  const torch::Tensor y = gumbel_softmax(logits.expand({num_images, 5}), noise, 0.7);
  const torch::Tensor counts = torch::bincount(y.argmax(1), {}, 5).to(torch::kFloat64);
  const torch::Tensor expected = num_images * torch::softmax(logits, 0);
  const double chi_square = ((counts - expected).square() / expected).sum().item<double>();
  EXPECT_LT(chi_square, 23.5);  // exceeded once in 10^4 with 4 degrees of freedom
}

TEST(GumbelSoftmax, RowsAreSoftmaxOfTheNoisyLogits) {
  const torch::Tensor logits = gaussian({8, 5}, 1);
  const torch::Tensor noise = draw_gumbel(kKey, first_images(8), 5);
  const torch::Tensor y = gumbel_softmax(logits, noise, 0.5);
  EXPECT_LT(largest(y.sum(1) - 1.0), 1e-14);
  const torch::Tensor powers = (2.0 * (logits + noise)).exp();
  EXPECT_LT(largest(y - powers / powers.sum(1, true)), 1e-14);
  // Towards 0 it hardens, towards infinity it flattens.
  EXPECT_LT(largest(gumbel_softmax(logits, noise, 1e-4) - gumbel_softmax(logits, noise, 1.0, true)),
            1e-12);
  EXPECT_LT(largest(gumbel_softmax(logits, noise, 1e9) - 0.2), 1e-8);
}

TEST(GumbelSoftmax, StraightThroughIsHardForwardAndSoftBackward) {
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    const torch::Tensor logits = gaussian({30, 4}, 1).to(type);
    const torch::Tensor noise = draw_gumbel(kKey, first_images(30), 4);
    const torch::Tensor weights = gaussian({30, 4}, 2).to(type);
    const torch::Tensor hard = gumbel_softmax(logits, noise, 0.8, true);
    const torch::Tensor soft = gumbel_softmax(logits, noise, 0.8, false);
    EXPECT_EQ(hard.scalar_type(), type);
    EXPECT_TRUE(torch::equal(hard, torch::one_hot(soft.argmax(1), 4).to(type)));
    const auto weighted = [&](bool straight_through) {
      return gradient_at(logits, [&](const torch::Tensor& l) {
        return (weights * gumbel_softmax(l, noise, 0.8, straight_through)).sum();
      });
    };
    EXPECT_TRUE(torch::equal(weighted(true), weighted(false)));
  }
}

TEST(GumbelSoftmax, GradientIsTheLimitOfDifferences) {
  const torch::Tensor noise = draw_gumbel(kKey, first_images(6), 4);
  const torch::Tensor weights = gaussian({6, 4}, 2);
  EXPECT_LT(gradient_error(gaussian({6, 4}, 1),
                           [&](const torch::Tensor& l) {
                             return (weights * gumbel_softmax(l, noise, 0.8)).sum();
                           }),
            1e-8);
}

// ---- MCR2-CTRL -------------------------------------------------------------------------------

/// Row v B + i of the flattened views belongs to image i.
torch::Tensor image_membership(const torch::Tensor& views) {
  return torch::eye(views.size(1), torch::kFloat64).repeat({views.size(0), 1});
}

TEST(Mcr2Ctrl, WithoutItsFactorsIsMcr2) {
  for (const auto& [num_views, images, p] : {std::tuple{3, 6, 8}, {7, 4, 5}, {2, 1, 3}}) {
    const torch::Tensor views = close_views(num_views, images, p);
    const auto reduction = [&](const torch::Tensor& z) {
      return -rate_reduction(z.flatten(0, 1), image_membership(z), 0.5);
    };
    const auto loss = [](const torch::Tensor& z) { return mcr2_ctrl(z, 0.5, 1.0, 1.0); };
    EXPECT_NEAR(value(loss(views)), value(reduction(views)), 1e-7);
    EXPECT_LT(largest(gradient_at(views, loss) - gradient_at(views, reduction)), 1e-7);
  }
}

TEST(Mcr2Ctrl, FactorsScaleTheTotalRate) {
  const torch::Tensor views = close_views(4, 5, 6);
  const torch::Tensor Z = views.flatten(0, 1);
  const double s = 6.0 / (20.0 * 0.5);
  const torch::Tensor A = torch::eye(6, torch::kFloat64) + 20.0 * s * Z.t().mm(Z);
  const double expected = -0.05 * 0.5 * torch::logdet(A).item<double>() +
                          value(compressed_rate(Z, image_membership(views), 0.5));
  EXPECT_NEAR(value(mcr2_ctrl(views, 0.5)), expected, 1e-7);
}

TEST(Mcr2Ctrl, GradientIsTheLimitOfDifferences) {
  EXPECT_LT(gradient_error(close_views(3, 4, 5),
                           [](const torch::Tensor& z) { return mcr2_ctrl(z, 0.5, 20.0, 0.05); }),
            1e-7);
}

TEST(Mcr2Ctrl, FloatFeaturesAreMeasuredInDouble) {
  const torch::Tensor views = close_views(3, 4, 5).to(torch::kFloat32);
  EXPECT_EQ(value(mcr2_ctrl(views, 0.5)), value(mcr2_ctrl(views.to(torch::kFloat64), 0.5)));
  EXPECT_EQ(
      gradient_at(views, [](const torch::Tensor& z) { return mcr2_ctrl(z, 0.5); }).scalar_type(),
      torch::kFloat32);
}

// ---- SimCLR ----------------------------------------------------------------------------------

double simclr_by_loops(const torch::Tensor& z1, const torch::Tensor& z2, double temperature,
                       bool decoupled) {
  Rows rows = rows_of(z1);
  for (const auto& row : rows_of(z2)) rows.push_back(row);
  const std::size_t n = rows.size();
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t partner = (i + n / 2) % n;
    double others = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i || (decoupled && k == partner)) continue;
      others += std::exp(cosine(rows[i], rows[k]) / temperature);
    }
    total += std::log(others) - cosine(rows[i], rows[partner]) / temperature;
  }
  return total / static_cast<double>(n);
}

TEST(Simclr, IsItsDefinition) {
  const torch::Tensor z1 = gaussian({7, 5}, 1);
  const torch::Tensor z2 = z1 + 0.5 * gaussian({7, 5}, 2);
  for (const bool decoupled : {false, true}) {
    const auto loss = [=](const torch::Tensor& a, const torch::Tensor& b) {
      return simclr(a, b, 0.3, decoupled);
    };
    EXPECT_NEAR(value(loss(z1, z2)), simclr_by_loops(z1, z2, 0.3, decoupled), 1e-12);
    expect_gradients(z1, z2, loss);
    expect_floats_agree(z1, z2, loss);
  }
}

TEST(Simclr, EqualFeaturesCannotBeToldApart) {
  const torch::Tensor z = unit_rows(1, 5).repeat({6, 1});
  EXPECT_NEAR(value(simclr(z, z)), std::log(11.0), 1e-12);
  EXPECT_NEAR(value(simclr(z, z, 0.5, true)), std::log(10.0), 1e-12);
  EXPECT_NEAR(value(simclr(z.slice(0, 0, 1), z.slice(0, 0, 1))), 0.0, 1e-12);
}

TEST(Simclr, ScaleRotationAndRolesDoNotMatter) {
  const torch::Tensor z1 = gaussian({7, 5}, 1);
  const torch::Tensor z2 = gaussian({7, 5}, 2);
  const torch::Tensor Q = rotation(5);
  const double plain = value(simclr(z1, z2));
  EXPECT_NEAR(value(simclr(z2, z1)), plain, 1e-12);
  EXPECT_NEAR(value(simclr(3.0 * z1.mm(Q), 0.1 * z2.mm(Q))), plain, 1e-12);
}

TEST(Simclr, LowTemperaturesStayFinite) {
  const torch::Tensor views = close_views(2, 6, 4).to(torch::kFloat32);
  const auto loss = [&](const torch::Tensor& z) { return simclr(z, views[1], 1e-3); };
  EXPECT_TRUE(std::isfinite(value(loss(views[0]))));
  EXPECT_TRUE(gradient_at(views[0], loss).isfinite().all().item<bool>());
}

// ---- VICReg ----------------------------------------------------------------------------------

double covariance_of(const Rows& rows, std::size_t i, std::size_t j) {
  return dot(centered_column(rows, i), centered_column(rows, j)) /
         static_cast<double>(rows.size() - 1);
}

double vicreg_by_loops(const torch::Tensor& z1, const torch::Tensor& z2,
                       const VicregOptions& options) {
  const std::vector<Rows> views = {rows_of(z1), rows_of(z2)};
  const std::size_t p = views[0][0].size();
  double invariance = 0.0;
  for (std::size_t i = 0; i < views[0].size(); ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      invariance +=
          std::pow(views[0][i][j] - views[1][i][j], 2) / static_cast<double>(views[0].size() * p);
    }
  }
  double variance = 0.0;
  double covariance = 0.0;
  for (const Rows& rows : views) {
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j < p; ++j) {
        const double c = covariance_of(rows, i, j);
        if (i != j) covariance += c * c / static_cast<double>(p);
        if (i == j)
          variance += std::max(0.0, 1.0 - std::sqrt(c + 1e-4)) / static_cast<double>(2 * p);
      }
    }
  }
  return options.invariance * invariance + options.variance * variance +
         options.covariance * covariance;
}

TEST(Vicreg, IsItsDefinition) {
  // Scales on both sides of 1, so that some coordinates are pushed apart and some are not.
  const torch::Tensor scale = torch::tensor({0.3, 2.0, 0.8, 1.5, 0.1}, torch::kFloat64);
  const torch::Tensor z1 = 1.0 + gaussian({9, 5}, 1) * scale;
  const torch::Tensor z2 = z1 + 0.3 * gaussian({9, 5}, 2);
  for (const VicregOptions& options :
       {VicregOptions{}, VicregOptions{1.0, 0.0, 0.0}, VicregOptions{0.0, 1.0, 0.0},
        VicregOptions{0.0, 0.0, 1.0}}) {
    EXPECT_NEAR(value(vicreg(z1, z2, options)), vicreg_by_loops(z1, z2, options), 1e-11);
  }
  const auto loss = [](const torch::Tensor& a, const torch::Tensor& b) { return vicreg(a, b); };
  expect_gradients(z1, z2, loss);
  expect_floats_agree(z1, z2, loss);
}

TEST(Vicreg, OfConstantFeaturesIsTheVarianceTerm) {
  const torch::Tensor z = unit_rows(1, 5).repeat({8, 1});
  EXPECT_NEAR(value(vicreg(z, z)), 25.0 * (1.0 - 0.01), 1e-12);
  EXPECT_TRUE(gradient_at(z, [&](const torch::Tensor& a) { return vicreg(a, z); })
                  .isfinite()
                  .all()
                  .item<bool>());
}

TEST(Vicreg, MovingBothViewsChangesNothing) {
  const torch::Tensor z1 = gaussian({9, 5}, 1);
  const torch::Tensor z2 = gaussian({9, 5}, 2);
  const torch::Tensor shift = gaussian({5}, 3);
  EXPECT_NEAR(value(vicreg(z1 + shift, z2 + shift)), value(vicreg(z2, z1)), 1e-10);
}

// ---- Barlow Twins ----------------------------------------------------------------------------

double barlow_twins_by_loops(const torch::Tensor& z1, const torch::Tensor& z2, double weight) {
  const Rows a = rows_of(z1);
  const Rows b = rows_of(z2);
  const auto count = static_cast<double>(a.size());
  double total = 0.0;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    for (std::size_t j = 0; j < a[0].size(); ++j) {
      const std::vector<double> x = centered_column(a, i);
      const std::vector<double> y = centered_column(b, j);
      const double c =
          dot(x, y) / count / std::sqrt((dot(x, x) / count + 1e-5) * (dot(y, y) / count + 1e-5));
      total += i == j ? (1.0 - c) * (1.0 - c) : weight * c * c;
    }
  }
  return total;
}

TEST(BarlowTwins, IsItsDefinition) {
  const torch::Tensor z1 = gaussian({9, 5}, 1);
  const torch::Tensor z2 = z1 + 0.5 * gaussian({9, 5}, 2);
  for (const double weight : {0.0, 0.0051, 1.0}) {
    const auto loss = [=](const torch::Tensor& a, const torch::Tensor& b) {
      return barlow_twins(a, b, weight);
    };
    EXPECT_NEAR(value(loss(z1, z2)), barlow_twins_by_loops(z1, z2, weight), 1e-11);
    expect_gradients(z1, z2, loss);
    expect_floats_agree(z1, z2, loss);
  }
}

TEST(BarlowTwins, ClosedForms) {
  // Columns +-1, orthogonal and without mean: nothing is left but the 1e-5.
  const torch::Tensor z =
      torch::tensor({{1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}}, torch::kFloat64);
  EXPECT_NEAR(value(barlow_twins(z, z)), 0.0, 1e-9);
  EXPECT_NEAR(value(barlow_twins(z, -z)), 8.0, 1e-3);
  EXPECT_NEAR(value(barlow_twins(torch::ones_like(z), z)), 2.0, 1e-12);
}

TEST(BarlowTwins, UnitsOfColumnsDoNotMatter) {
  const torch::Tensor z1 = gaussian({30, 4}, 1);
  const torch::Tensor z2 = z1 + gaussian({30, 4}, 2);
  const torch::Tensor scale = torch::tensor({2.0, 30.0, 4.0, 7.0}, torch::kFloat64);
  EXPECT_NEAR(value(barlow_twins(scale * z1 + 3.0, z2)), value(barlow_twins(z1, z2)), 1e-4);
  EXPECT_NEAR(value(barlow_twins(z2, z1)), value(barlow_twins(z1, z2)), 1e-12);
}

// ---- Refusals --------------------------------------------------------------------------------

TEST(Losses, RefuseShapesThatDoNotFit) {
  const torch::Tensor z = unit_rows(4, 3);
  EXPECT_THAT([&] { simclr(z[0], z); },
              ThrowsMessage<DataError>("simclr: z1 must be a non-empty floating-point matrix"));
  EXPECT_THAT(
      [&] { vicreg(z, z.slice(0, 1)); },
      ThrowsMessage<DataError>("vicreg: z1 and z2 have shapes [4, 3] and [3, 3], must be one"));
  EXPECT_THAT(
      [&] { mean_view(z); },
      ThrowsMessage<DataError>("mean_view: views must be a non-empty floating-point 3-d tensor"));
  EXPECT_THAT(
      [&] {
        mcr2_ctrl(torch::ones({2, 3, 4}, torch::kInt64), 0.5);
      },
      ThrowsMessage<DataError>("mcr2_ctrl: views must be a non-empty floating-point 3-d tensor"));
  EXPECT_THAT(
      [&] { view_similarity(torch::Tensor(), z); },
      ThrowsMessage<DataError>("view_similarity: z1 must be a non-empty floating-point matrix"));
  EXPECT_THAT([&] { gumbel_softmax(z, z.t(), 1.0); },
              ThrowsMessage<DataError>(
                  "gumbel_softmax: logits and noise have shapes [4, 3] and [3, 4], must be one"));
}

TEST(Losses, RefuseTooFewPairs) {
  const torch::Tensor z = unit_rows(1, 3);
  EXPECT_THAT([&] { simclr(z, z, 0.5, true); },
              ThrowsMessage<DataError>("simclr: 1 pairs, must satisfy pairs >= 2"));
  EXPECT_THAT([&] { vicreg(z, z); },
              ThrowsMessage<DataError>("vicreg: 1 pairs, must satisfy pairs >= 2"));
  EXPECT_THAT([&] { barlow_twins(z, z); },
              ThrowsMessage<DataError>("barlow_twins: 1 pairs, must satisfy pairs >= 2"));
}

TEST(Losses, RefuseOptionsOutOfRange) {
  const torch::Tensor z = unit_rows(4, 3);
  const torch::Tensor views = close_views(2, 4, 3);
  EXPECT_THAT(
      [&] { simclr(z, z, 0.0); },
      ThrowsMessage<InvalidArgument>("simclr: temperature = 0, must satisfy temperature > 0"));
  EXPECT_THAT([&] { gumbel_softmax(z, z, -1.0); },
              ThrowsMessage<InvalidArgument>(
                  "gumbel_softmax: temperature = -1, must satisfy temperature > 0"));
  EXPECT_THAT(
      [&] { mcr2_ctrl(views, 0.0); },
      ThrowsMessage<InvalidArgument>("mcr2_ctrl: distortion = 0, must satisfy distortion > 0"));
  EXPECT_THAT([&] { mcr2_ctrl(views, 0.5, 0.0); },
              ThrowsMessage<InvalidArgument>("mcr2_ctrl: gamma1 = 0, must satisfy gamma1 > 0"));
  EXPECT_THAT([&] { mcr2_ctrl(views, 0.5, 1.0, -1.0); },
              ThrowsMessage<InvalidArgument>("mcr2_ctrl: gamma2 = -1, must satisfy gamma2 >= 0"));
  EXPECT_THAT([&] { vicreg(z, z, {.variance = -1.0}); },
              ThrowsMessage<InvalidArgument>("vicreg: variance = -1, must satisfy variance >= 0"));
  EXPECT_THAT(
      [&] { vicreg(z, z, {.regularizer = 0.0}); },
      ThrowsMessage<InvalidArgument>("vicreg: regularizer = 0, must satisfy regularizer > 0"));
  EXPECT_THAT([&] { barlow_twins(z, z, -1.0); },
              ThrowsMessage<InvalidArgument>("barlow_twins: off_diagonal_weight = -1, must satisfy "
                                             "off_diagonal_weight >= 0"));
  EXPECT_THAT([] { draw_gumbel(kKey, {}, 0); },
              ThrowsMessage<InvalidArgument>(
                  "draw_gumbel: num_clusters = 0, must satisfy num_clusters >= 1"));
}

TEST(Losses, RefuseNumbersThatAreNone) {
  const torch::Tensor z = unit_rows(4, 3);
  torch::Tensor bad = z.clone();
  bad[2][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { view_similarity(z, bad); },
              ThrowsMessage<NumericalError>("view_similarity: a feature is not finite"));
  EXPECT_THAT([&] { barlow_twins(bad, z); },
              ThrowsMessage<NumericalError>("barlow_twins: a feature is not finite"));
  EXPECT_THAT([&] { gumbel_softmax(bad, z, 1.0); },
              ThrowsMessage<NumericalError>("gumbel_softmax: a logit is not finite"));
  EXPECT_THAT([&] { gumbel_softmax(z, bad, 1.0); },
              ThrowsMessage<NumericalError>("gumbel_softmax: a noise number is not finite"));
  EXPECT_THAT(
      [&] {
        mcr2_ctrl(torch::stack({z, bad}), 0.5);
      },
      ThrowsMessage<NumericalError>("mcr2_ctrl: a feature is not finite"));
}

}  // namespace
}  // namespace subspace::neural
