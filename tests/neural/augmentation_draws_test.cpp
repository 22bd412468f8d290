// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include <subspace/core/error.h>

#include "neural/pictures.h"

namespace subspace::neural {
namespace {

using ::testing::ThrowsMessage;
using namespace testing;

constexpr int kCount = 6000;

std::vector<ViewDraw> draws(const AugmentationOptions& options, const ImageShape& shape) {
  std::vector<ViewDraw> all;
  for (int i = 0; i < kCount; ++i) {
    all.push_back(draw_view(options, shape, {.seed = 5}, static_cast<std::uint32_t>(i)));
  }
  return all;
}

TEST(Draws, ProbabilitiesAreFrequencies) {
  AugmentationOptions options = cifar_augmentation();
  options.crop = 0.3, options.blur = 0.4, options.solarise = 0.1;
  int jitter = 0, grey = 0, blur = 0, solarise = 0, crop = 0;
  for (const ViewDraw& draw : draws(options, {3, 32, 32})) {
    jitter += draw.jitter, grey += draw.grey, blur += draw.blur;
    solarise += draw.solarise, crop += draw.crop;
  }
  const double four_sigma = 4.0 * std::sqrt(kCount * 0.25);
  EXPECT_NEAR(jitter, 0.8 * kCount, four_sigma);
  EXPECT_NEAR(grey, 0.2 * kCount, four_sigma);
  EXPECT_NEAR(blur, 0.4 * kCount, four_sigma);
  EXPECT_NEAR(solarise, 0.1 * kCount, four_sigma);
  EXPECT_NEAR(crop, 0.3 * kCount, four_sigma);
}

TEST(Draws, AllOrdersOfTheJitterAreEquallyLikely) {
  std::array<int, 24> counts = {};
  for (const ViewDraw& draw : draws({}, kColour)) {
    const int order =
        12 * (draw.contrast_first ? 1 : 0) + 4 * draw.saturation_place + draw.hue_place;
    ++counts.at(static_cast<std::size_t>(order));
  }
  double chi_squared = 0.0;
  for (const int count : counts) {
    chi_squared += (count - kCount / 24.0) * (count - kCount / 24.0) / (kCount / 24.0);
  }
  EXPECT_LT(chi_squared, 49.7);  // 23 degrees of freedom, exceeded once in 1000
}

TEST(Draws, RangesOfColourAndBlurAreReached) {
  const AugmentationOptions options = stl_augmentation();
  std::array<double, 2> hue = {1, -1}, saturation = {9, 0}, blur = {9, 0};
  const auto widen = [](std::array<double, 2>& range, double value) {
    range = {std::min(range[0], value), std::max(range[1], value)};
  };
  for (const ViewDraw& draw : draws(options, {3, 96, 96})) {
    widen(hue, draw.hue), widen(saturation, draw.saturation), widen(blur, draw.blur_deviation);
    EXPECT_EQ(draw.blur_size, 9);
  }
  const auto expect_range = [](const std::array<double, 2>& range, double least, double most) {
    EXPECT_GE(range[0], least);
    EXPECT_LE(range[1], most);
    EXPECT_NEAR(range[0], least, 0.01 * (most - least));
    EXPECT_NEAR(range[1], most, 0.01 * (most - least));
  };
  expect_range(hue, -0.2, 0.2);
  expect_range(saturation, 0.2, 1.8);
  expect_range(blur, 0.1, 2.0);
}

TEST(Draws, TheBlurSpansATenthOfTheSide) {
  const auto taps = [](int side) {
    return draw_view(simclr_augmentation(), {3, side, side + 100}, {}, 0).blur_size;
  };
  EXPECT_EQ(taps(224), 23);
  EXPECT_EQ(taps(96), 9);
  EXPECT_EQ(taps(32), 3);
  EXPECT_EQ(taps(10), 3);
}

// The share of the area is uniform up to the rounding of the sides, when nearly every try fits.
TEST(Draws, CropsHaveTheirAreasAndRatios) {
  const ImageShape shape = {3, 1000, 1000};
  AugmentationOptions options = cifar_augmentation();
  options.crop_least = 0.1, options.crop_most = 0.5;
  double area = 0.0, log_ratio = 0.0, left = 0.0;
  for (const ViewDraw& draw : draws(options, shape)) {
    const CropBox& box = draw.box;
    ASSERT_GE(std::min(box.top, box.left), 0);
    ASSERT_LE(box.top + box.height, 1000);
    ASSERT_LE(box.left + box.width, 1000);
    const double share = 1e-6 * box.height * box.width;
    const double ratio = static_cast<double>(box.width) / box.height;
    ASSERT_GE(share, 0.099);
    ASSERT_LE(share, 0.501);
    ASSERT_GE(ratio, 0.99 * 3 / 4);
    ASSERT_LE(ratio, 1.01 * 4 / 3);
    area += share, log_ratio += std::log(ratio);
    left += static_cast<double>(box.left) / (1000 - box.width);
  }
  const double root = std::sqrt(12.0 * kCount);  // a uniform number's deviation is width / sqrt 12
  EXPECT_NEAR(area / kCount, 0.3, 4 * 0.4 / root);
  EXPECT_NEAR(log_ratio / kCount, 0.0, 4 * 2 * std::log(4.0 / 3.0) / root);
  EXPECT_NEAR(left / kCount, 0.5, 4 / root);
}

TEST(Draws, ACropThatNeverFitsIsCentral) {
  const AugmentationOptions options = {.crop = 1.0, .crop_least = 1.0};
  EXPECT_EQ(draw_view(options, {1, 10, 90}, {}, 0).box, (CropBox{0, 38, 10, 13}));
  EXPECT_EQ(draw_view(options, {1, 90, 10}, {}, 0).box, (CropBox{38, 0, 13, 10}));
}

TEST(Draws, TheWholeIsDrawnWhenNothingElseIsAllowed) {
  const AugmentationOptions options = {.crop = 1.0, .crop_least = 1.0, .crop_aspect = 1.0};
  EXPECT_EQ(draw_view(options, {1, 30, 30}, {}, 0).box, (CropBox{0, 0, 30, 30}));
}

TEST(Draws, OneOptionDoesNotShiftAnothersNumbers) {
  const AugmentationOptions options = everything();
  AugmentationOptions other = options;
  other.distortion_scale = 0.0, other.crop = 1.0, other.blur = 0.0, other.hue = 0.0;
  for (std::uint32_t image = 0; image < 100; ++image) {
    const ViewDraw a = draw_view(options, kColour, {.seed = 1}, image);
    const ViewDraw b = draw_view(other, kColour, {.seed = 1}, image);
    EXPECT_EQ(a.saturation, b.saturation);
    EXPECT_EQ(a.solarise, b.solarise);
    EXPECT_EQ(a.hue_place, b.hue_place);
    EXPECT_EQ(a.noise_seed, b.noise_seed);
    EXPECT_EQ(a.crop ? a.box : b.box, b.box);
  }
}

std::vector<float> noisy_points(double noise, const std::vector<float>& points,
                                const std::vector<Index>& chosen, const ViewKey& key,
                                int num_threads = 1) {
  std::vector<float> views(chosen.size() * 2);
  augment_points(point_augmentation(noise), key, 2, points, chosen, views,
                 {.num_threads = num_threads});
  return views;
}

TEST(Points, HaveNoiseOfTheirOwn) {
  const int count = 20000;
  const std::vector<float> points(2 * count, -3.0F);
  const auto views = noisy_points(0.05, points, first(count), {.seed = 1});
  double sum = 0.0, squares = 0.0, product = 0.0;
  for (std::size_t i = 0; i < views.size(); i += 2) {
    const double x = views[i] + 3.0, y = views[i + 1] + 3.0;
    sum += x + y, squares += x * x + y * y, product += x * y;
  }
  EXPECT_NEAR(sum / (2 * count), 0.0, 5 * 0.05 / std::sqrt(2.0 * count));
  EXPECT_NEAR(squares / (2 * count), 0.0025, 5 * 0.0025 / std::sqrt(1.0 * count));
  EXPECT_NEAR(product / count, 0.0, 5 * 0.0025 / std::sqrt(1.0 * count));
}

TEST(Points, NeitherBatchesNorThreadsMatterAndKeysDo) {
  const auto points = pictures({1, 1, 2}, 60);
  const auto whole = noisy_points(0.1, points, first(60), {.seed = 4});
  EXPECT_EQ(whole, noisy_points(0.1, points, first(60), {.seed = 4}, 2));
  const auto some = noisy_points(0.1, points, {41, 7}, {.seed = 4});
  EXPECT_EQ(some, (std::vector<float>{whole[82], whole[83], whole[14], whole[15]}));
  EXPECT_NE(whole, noisy_points(0.1, points, first(60), {.seed = 4, .view = 1}));
  EXPECT_EQ(points, noisy_points(0.0, points, first(60), {.seed = 4}));
}

TEST(Points, RefusesWhatDoesNotFit) {
  EXPECT_THAT(
      [] {
        noisy_points(0.1, {1, 2, 3}, {0}, {});
      },
      ThrowsMessage<DataError>("augment_points: 3 values and room for 2 do not fit points of 2"));
  EXPECT_THAT(
      [] {
        noisy_points(-1.0, {1, 2}, {0}, {});
      },
      ThrowsMessage<InvalidArgument>("augment_points: noise = -1, must satisfy noise >= 0"));
}

}  // namespace
}  // namespace subspace::neural
