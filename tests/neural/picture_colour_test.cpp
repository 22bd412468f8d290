// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>

#include "neural/pictures.h"

namespace subspace::neural {
namespace {

using ::testing::ThrowsMessage;
using namespace testing;

constexpr ImageShape kPixel = {.channels = 3, .height = 1, .width = 1};

std::vector<float> hue_of(double turns, const std::vector<float>& pixel) {
  return view_of({.hue = turns}, kPixel, pixel);
}

TEST(Hue, AThirdOfATurnTakesEachPrimaryToTheNext) {
  const std::vector<float> red = {1, 0, 0}, green = {0, 1, 0}, blue = {0, 0, 1};
  EXPECT_LT(largest_difference(hue_of(1.0 / 3.0, red), green), 1e-6F);
  EXPECT_LT(largest_difference(hue_of(1.0 / 3.0, green), blue), 1e-6F);
  EXPECT_LT(largest_difference(hue_of(1.0 / 3.0, blue), red), 1e-6F);
  EXPECT_LT(largest_difference(hue_of(-1.0 / 3.0, red), blue), 1e-6F);
}

// Any colour: a third of a turn is a rotation of the channels.
TEST(Hue, AThirdOfATurnRotatesTheChannels) {
  const auto image = pictures(kColour);
  auto rotated = image;
  std::rotate(rotated.begin(), rotated.begin() + 2 * 72, rotated.end());
  EXPECT_LT(largest_difference(view_of({.hue = 1.0 / 3.0}, kColour, image), rotated), 1e-6F);
}

TEST(Hue, HalfATurnMirrorsBetweenLeastAndLargest) {
  EXPECT_LT(largest_difference(hue_of(0.5, {0.9F, 0.4F, 0.1F}), {0.1F, 0.6F, 0.9F}), 1e-6F);
  EXPECT_LT(largest_difference(hue_of(-0.5, {0.9F, 0.4F, 0.1F}), {0.1F, 0.6F, 0.9F}), 1e-6F);
}

TEST(Hue, TurnsAddUpAndBackwardsUndoes) {
  const auto image = pictures(kColour);
  const auto there = view_of({.hue = 0.23}, kColour, image);
  EXPECT_GT(largest_difference(there, image), 0.1F);
  EXPECT_LT(largest_difference(view_of({.hue = -0.23}, kColour, there), image), 2e-6F);
  EXPECT_LT(largest_difference(view_of({.hue = 0.17}, kColour, there),
                               view_of({.hue = 0.4}, kColour, image)),
            2e-6F);
}

TEST(Hue, GreyHasNone) {
  EXPECT_EQ(hue_of(0.3, {0.4F, 0.4F, 0.4F}), (std::vector<float>{0.4F, 0.4F, 0.4F}));
  EXPECT_EQ(hue_of(0.3, {0.0F, 0.0F, 0.0F}), (std::vector<float>{0.0F, 0.0F, 0.0F}));
}

TEST(Saturation, ZeroIsLumaAndTwoIsTwiceAsFarFromIt) {
  const float luma = 0.299F * 0.5F + 0.587F * 0.4F + 0.114F * 0.6F;
  EXPECT_LT(largest_difference(view_of({.saturation = 0.0}, kPixel, {0.5F, 0.4F, 0.6F}),
                               {luma, luma, luma}),
            1e-6F);
  EXPECT_LT(largest_difference(view_of({.saturation = 2.0}, kPixel, {0.5F, 0.4F, 0.6F}),
                               {1.0F - luma, 0.8F - luma, 1.2F - luma}),
            1e-6F);
}

TEST(Saturation, Clips) {
  const auto view = view_of({.saturation = 5.0}, kPixel, {1.0F, 0.0F, 0.5F});
  EXPECT_EQ(view[0], 1.0F);
  EXPECT_EQ(view[1], 0.0F);
}

TEST(Grey, IsLumaInEveryChannel) {
  EXPECT_LT(largest_difference(view_of({.grey = true}, kPixel, {1, 0, 0}), {.299F, .299F, .299F}),
            1e-6F);
  EXPECT_LT(largest_difference(view_of({.grey = true}, kPixel, {0, 1, 0}), {.587F, .587F, .587F}),
            1e-6F);
  EXPECT_LT(largest_difference(view_of({.grey = true}, kPixel, {0, 0, 1}), {.114F, .114F, .114F}),
            1e-6F);
}

TEST(Colour, OperationsLeaveGreyPicturesAlone) {
  const ViewDraw draw = {.saturation = 0.3, .hue = 0.4, .grey = true};
  EXPECT_EQ(view_of(draw, kGrey, pictures(kGrey)), pictures(kGrey));
}

TEST(Jitter, IsOffWhenNotDrawn) {
  const ViewDraw draw = {
      .brightness = 0.3, .contrast = 0.4, .jitter = false, .saturation = 0.3, .hue = 0.4};
  EXPECT_EQ(view_of(draw, kColour, pictures(kColour)), pictures(kColour));
}

// Every order, against the four operations one by one.
TEST(Jitter, TheFourComeInTheDrawnOrder) {
  const auto image = pictures(kColour);
  std::vector<std::vector<float>> results;
  for (const bool contrast_first : {false, true}) {
    for (int saturation = 0; saturation < 3; ++saturation) {
      for (int hue = 0; hue < 4; ++hue) {
        const ViewDraw bright = {.brightness = 1.6}, contrast = {.contrast = 0.4};
        std::vector<ViewDraw> single = {contrast_first ? contrast : bright,
                                        contrast_first ? bright : contrast};
        single.insert(single.begin() + saturation, ViewDraw{.saturation = 1.9});
        single.insert(single.begin() + hue, ViewDraw{.hue = 0.3});
        auto expected = image;
        for (const ViewDraw& draw : single) expected = view_of(draw, kColour, expected);
        results.push_back(view_of({.brightness = 1.6,
                                   .contrast = 0.4,
                                   .contrast_first = contrast_first,
                                   .saturation = 1.9,
                                   .hue = 0.3,
                                   .saturation_place = saturation,
                                   .hue_place = hue},
                                  kColour, image));
        EXPECT_EQ(results.back(), expected) << contrast_first << saturation << hue;
      }
    }
  }
  std::ranges::sort(results);
  // Hue keeps the largest value and brightness scales it, so few orders agree; most must not.
  const auto same = std::ranges::unique(results);
  EXPECT_GT(results.size() - same.size(), 20U);
}

TEST(Solarise, InvertsTheUpperHalfAndIsThenIdle) {
  const auto once = view_of({.solarise = true}, {1, 1, 5}, {0.0F, 0.25F, 0.5F, 0.75F, 1.0F});
  EXPECT_EQ(once, (std::vector<float>{0.0F, 0.25F, 0.5F, 0.25F, 0.0F}));
  EXPECT_EQ(view_of({.solarise = true}, {1, 1, 5}, once), once);
}

TEST(Noise, HasMeanAndDeviationAndNoBounds) {
  const ImageShape shape = {1, 200, 200};
  const std::vector<float> flat(40000, 0.9F);
  const auto view = view_of({.noise = 0.2, .noise_seed = 5}, shape, flat);
  double sum = 0.0, squares = 0.0;
  for (const float value : view) {
    sum += value - 0.9;
    squares += (value - 0.9) * (value - 0.9);
  }
  EXPECT_NEAR(sum / 40000, 0.0, 5 * 0.2 / 200);  // five deviations of the mean
  EXPECT_NEAR(squares / 40000, 0.04, 5 * 0.04 * std::sqrt(2.0) / 200);
  EXPECT_GT(*std::ranges::max_element(view), 1.0F);
  EXPECT_NE(view, view_of({.noise = 0.2, .noise_seed = 6}, shape, flat));
}

TEST(Noise, IsTheDeviationTimesTheNormalsOfItsSeed) {
  const auto image = pictures(kColour);
  const auto view = view_of({.noise = 0.3, .noise_seed = 5}, kColour, image);
  RandomStream random = stream(5, Stream::kAugmentation);
  for (std::size_t i = 0; i < image.size(); ++i) {
    EXPECT_EQ(view[i], image[i] + static_cast<float>(0.3 * random.normal()));
  }
}

/// Standard normals as the noise of views of black pictures, one after the other.
std::vector<float> noise_of(const ImageShape& shape, Index count, const ViewKey& key) {
  AugmentationOptions options = point_augmentation(1.0);
  const std::vector<float> black(static_cast<std::size_t>(count * shape.num_pixels()), 0.0F);
  return augmented(options, shape, black, first(count), key);
}

/// Mean product of the numbers of `a` with those of `b` from `shift` on.
double mean_product(const std::vector<float>& a, const std::vector<float>& b, std::size_t shift) {
  double sum = 0.0;
  for (std::size_t i = 0; i + shift < b.size(); ++i)
    sum += static_cast<double>(a[i]) * b[i + shift];
  return sum / static_cast<double>(b.size() - shift);
}

TEST(Noise, HasTheMomentsOfNormals) {
  const auto noise = noise_of({1, 100, 100}, 10, {.seed = 1});
  const auto n = static_cast<double>(noise.size());
  double cubes = 0.0, fourths = 0.0, beyond = 0.0;
  for (const float value : noise) {
    const double z = value;
    cubes += z * z * z, fourths += z * z * z * z, beyond += std::abs(z) > 1.959964;
  }
  // Five deviations; the sixth moment is 15, the eighth 105.
  EXPECT_NEAR(cubes / n, 0.0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(fourths / n, 3.0, 5 * std::sqrt((105.0 - 9.0) / n));
  EXPECT_NEAR(beyond / n, 0.05, 5 * std::sqrt(0.05 * 0.95 / n));
}

TEST(Noise, OfPixelsChannelsImagesViewsAndStepsIsUncorrelated) {
  const ImageShape shape = {3, 40, 40};
  const auto noise = noise_of(shape, 10, {.seed = 1});
  const double five_sigma = 5.0 / std::sqrt(0.9 * static_cast<double>(noise.size()));
  for (const std::size_t shift : {1U, 2U, 40U, 1600U, 4800U}) {
    EXPECT_NEAR(mean_product(noise, noise, shift), 0.0, five_sigma) << shift;
  }
  for (const ViewKey& other :
       {ViewKey{.seed = 1, .view = 1}, {.seed = 1, .step = 1}, {.seed = 2}}) {
    EXPECT_NEAR(mean_product(noise, noise_of(shape, 10, other), 0), 0.0, five_sigma);
  }
}

TEST(Normalise, InvertsToThePicture) {
  for (const Normalisation which : {Normalisation::kCifar10, Normalisation::kImagenet}) {
    std::vector<float> zero(6, 0.0F), one(6, 1.0F);
    auto image = pictures({3, 1, 2}, 1);
    const auto original = image;
    for (auto* values : {&zero, &one, &image}) normalise(which, {3, 1, 2}, *values);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR((image[i] - zero[i]) / (one[i] - zero[i]), original[i], 1e-6);
    }
  }
  std::vector<float> mean = {0.4914F, 0.4822F, 0.4465F};
  normalise(Normalisation::kCifar10, kPixel, mean);
  EXPECT_LT(largest_difference(mean, {0, 0, 0}), 1e-6F);
  std::vector<float> deviation = {0.485F + 0.229F, 0.456F + 0.224F, 0.406F + 0.225F};
  normalise(Normalisation::kImagenet, kPixel, deviation);
  EXPECT_LT(largest_difference(deviation, {1, 1, 1}), 1e-6F);
}

TEST(Normalise, TakesPicturesOfThreeChannels) {
  std::vector<float> values(4);
  EXPECT_THAT(
      [&] {
        normalise(Normalisation::kCifar10, {1, 2, 2}, values);
      },
      ThrowsMessage<DataError>(
          "normalise: 4 values of 1 channels, must be pictures of 3 channels of 4"));
  EXPECT_NO_THROW(normalise(Normalisation::kNone, {1, 2, 2}, values));
}

}  // namespace
}  // namespace subspace::neural
