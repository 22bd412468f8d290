// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/augmentation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/random.h>

namespace subspace::neural {
namespace {

constexpr ImageShape kGrey = {.channels = 1, .height = 16, .width = 20};
constexpr ImageShape kColour = {.channels = 3, .height = 9, .width = 8};

std::vector<float> pictures(const ImageShape& shape, int count = 1) {
  RandomStream random = stream(2, Stream::kTest);
  std::vector<float> values(static_cast<std::size_t>(count * shape.num_pixels()));
  for (float& value : values) value = static_cast<float>(random.uniform());
  return values;
}

std::vector<float> view_of(const ViewDraw& draw, const ImageShape& shape,
                           const std::vector<float>& image) {
  std::vector<float> view(image.size(), -1.0F);
  apply_view(draw, shape, image, view);
  return view;
}

std::vector<float> augmented(const AugmentationOptions& options, const ImageShape& shape,
                             const std::vector<float>& images, const std::vector<Index>& chosen,
                             const ViewKey& key, int num_threads = 1) {
  std::vector<float> views(chosen.size() * static_cast<std::size_t>(shape.num_pixels()));
  augment(options, shape, key, images, chosen, views, {.num_threads = num_threads});
  return views;
}

std::vector<Index> first(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

float largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  float largest = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

Corner mapped(const std::array<double, 8>& m, const Corner& p) {
  const double depth = m[6] * p.x + m[7] * p.y + 1.0;
  return {(m[0] * p.x + m[1] * p.y + m[2]) / depth, (m[3] * p.x + m[4] * p.y + m[5]) / depth};
}

TEST(View, TheDefaultDrawChangesNoBit) {
  for (const ImageShape& shape : {kGrey, kColour}) {
    EXPECT_EQ(view_of({}, shape, pictures(shape)), pictures(shape));
    EXPECT_EQ(view_of({.contrast_first = true}, shape, pictures(shape)), pictures(shape));
  }
}

TEST(View, RestingCornersChangeNothing) {
  for (const ImageShape& shape : {kGrey, kColour}) {
    const ViewDraw draw = {.perspective = true, .corners = resting_corners(shape)};
    EXPECT_LT(largest_difference(view_of(draw, shape, pictures(shape)), pictures(shape)), 1e-5F);
  }
}

TEST(View, OptionsOfZeroChangeNothing) {
  const AugmentationOptions still = {
      .flip = 0, .perspective = 0, .distortion_scale = 0, .brightness = 0, .contrast = 0};
  const auto images = pictures(kGrey, 5);
  EXPECT_EQ(augmented(still, kGrey, images, first(5), {}), images);
}

TEST(View, FlipMirrorsColumns) {
  const auto image = pictures(kColour);
  const auto view = view_of({.flip = true}, kColour, image);
  for (std::size_t row = 0; row < 27; ++row) {
    for (std::size_t x = 0; x < 8; ++x) EXPECT_EQ(view[8 * row + x], image[8 * row + 7 - x]);
  }
}

TEST(Perspective, TakesCornersToCorners) {
  const Corners rest = resting_corners(kGrey);
  const Corners moved = {Corner{3, 1}, {17, 2}, {18, 12}, {1, 14}};
  const auto coefficients = homography(moved, rest);
  for (std::size_t k = 0; k < 4; ++k) {
    const Corner reached = mapped(coefficients, moved[k]);
    EXPECT_NEAR(reached.x, rest[k].x, 1e-10);
    EXPECT_NEAR(reached.y, rest[k].y, 1e-10);
  }
}

// Corners moved by the same whole number are a translation: bilinear weights are 0 and 1.
TEST(Perspective, TranslationShiftsPixelsAndFillsWithZero) {
  Corners moved = resting_corners(kGrey);
  for (Corner& corner : moved) corner.x += 2.0, corner.y += 1.0;
  const auto image = pictures(kGrey);
  const auto view = view_of({.perspective = true, .corners = moved}, kGrey, image);
  for (std::size_t y = 0; y < 16; ++y) {
    for (std::size_t x = 0; x < 20; ++x) {
      const float expected = x >= 2 && y >= 1 ? image[20 * (y - 1) + x - 2] : 0.0F;
      EXPECT_NEAR(view[20 * y + x], expected, 1e-5F) << x << ", " << y;
    }
  }
}

TEST(Perspective, ShrinkingLeavesABlackBorder) {
  const Corners moved = {Corner{4, 4}, {15, 4}, {15, 11}, {4, 11}};
  const std::vector<float> white(320, 1.0F);
  const auto view = view_of({.perspective = true, .corners = moved}, kGrey, white);
  EXPECT_EQ(view[0], 0.0F);
  EXPECT_EQ(view[20 * 8 + 2], 0.0F);
  EXPECT_NEAR(view[20 * 8 + 10], 1.0F, 1e-6F);
}

TEST(Perspective, ComesAfterTheFlip) {
  const Corners moved = {Corner{3, 1}, {17, 2}, {18, 12}, {1, 14}};
  const auto mirrored = view_of({.flip = true}, kGrey, pictures(kGrey));
  EXPECT_EQ(view_of({.flip = true, .perspective = true, .corners = moved}, kGrey, pictures(kGrey)),
            view_of({.perspective = true, .corners = moved}, kGrey, mirrored));
}

TEST(Jitter, BrightnessMultipliesAndClips) {
  const auto view = view_of({.brightness = 1.5}, {1, 1, 3}, {0.2F, 0.6F, 0.9F});
  EXPECT_LT(largest_difference(view, {0.3F, 0.9F, 1.0F}), 1e-6F);
}

TEST(Jitter, ContrastPivotsOnTheRoundedMean) {
  const float mean = 128.0F / 255.0F;  // of (0.25 + 0.75) / 2 = 127.5 / 255
  const auto view = view_of({.contrast = 0.5}, {1, 1, 2}, {0.25F, 0.75F});
  EXPECT_LT(largest_difference(view, {0.5F * 0.25F + 0.5F * mean, 0.5F * 0.75F + 0.5F * mean}),
            1e-6F);
}

TEST(Jitter, NoContrastIsGreyByLuma) {
  const auto view = view_of({.contrast = 0.0}, {3, 1, 1}, {1.0F, 0.0F, 0.0F});
  const float expected = std::floor(0.299F * 255.0F + 0.5F) / 255.0F;
  EXPECT_LT(largest_difference(view, {expected, expected, expected}), 1e-6F);
}

TEST(Jitter, TheOrderMatters) {
  const ViewDraw one = {.brightness = 1.7, .contrast = 0.3};
  ViewDraw other = one;
  other.contrast_first = true;
  EXPECT_NE(view_of(one, kGrey, pictures(kGrey)), view_of(other, kGrey, pictures(kGrey)));
}

TEST(Draws, StayInTheirRangesAndReachThem) {
  const ImageShape shape = {1, 64, 64};
  int flips = 0, perspectives = 0, contrast_first = 0;
  double largest_inset = 0.0, least = 2.0, most = 0.0;
  const int count = 4000;
  for (int i = 0; i < count; ++i) {
    const ViewDraw draw = draw_view({}, shape, {.seed = 1}, static_cast<std::uint32_t>(i));
    flips += draw.flip;
    perspectives += draw.perspective;
    contrast_first += draw.contrast_first;
    least = std::min({least, draw.brightness, draw.contrast});
    most = std::max({most, draw.brightness, draw.contrast});
    for (std::size_t k = 0; k < 4; ++k) {
      const Corner rest = resting_corners(shape)[k];
      const double inset = (draw.corners[k].x - rest.x) * (rest.x == 0.0 ? 1.0 : -1.0);
      EXPECT_EQ(inset, std::floor(inset));
      EXPECT_GE(inset, 0.0);
      largest_inset = std::max(largest_inset, inset);
    }
  }
  EXPECT_EQ(largest_inset, 9.0);  // floor(0.3 * 32)
  EXPECT_GE(least, 0.2);
  EXPECT_LT(least, 0.21);
  EXPECT_LE(most, 1.8);
  EXPECT_GT(most, 1.79);
  const double four_sigma = 4.0 * std::sqrt(count * 0.25);
  EXPECT_NEAR(flips, 0.5 * count, four_sigma);
  EXPECT_NEAR(perspectives, 0.6 * count, four_sigma);
  EXPECT_NEAR(contrast_first, 0.5 * count, four_sigma);
}

TEST(Augment, SameKeySameBytesAndOtherKeysOthers) {
  const auto images = pictures(kGrey, 4);
  const auto views = augmented({}, kGrey, images, first(4), {.seed = 7, .step = 3, .view = 1});
  EXPECT_EQ(views, augmented({}, kGrey, images, first(4), {.seed = 7, .step = 3, .view = 1}));
  EXPECT_NE(views, augmented({}, kGrey, images, first(4), {.seed = 8, .step = 3, .view = 1}));
  EXPECT_NE(views, augmented({}, kGrey, images, first(4), {.seed = 7, .step = 4, .view = 1}));
  EXPECT_NE(views, augmented({}, kGrey, images, first(4), {.seed = 7, .step = 3, .view = 0}));
}

TEST(Augment, NeitherBatchesNorThreadsMatter) {
  const auto images = pictures(kGrey, 50);
  const auto whole = augmented({}, kGrey, images, first(50), {.seed = 7}, 1);
  EXPECT_EQ(whole, augmented({}, kGrey, images, first(50), {.seed = 7}, 2));
  const auto pixels = static_cast<std::ptrdiff_t>(kGrey.num_pixels());
  const auto some = augmented({}, kGrey, images, {31, 8}, {.seed = 7});
  EXPECT_TRUE(std::equal(some.begin(), some.begin() + pixels, whole.begin() + 31 * pixels));
  EXPECT_TRUE(std::equal(some.begin() + pixels, some.end(), whole.begin() + 8 * pixels));
}

TEST(Augment, StaysInTheUnitInterval) {
  const auto views = augmented({}, kColour, pictures(kColour, 100), first(100), {});
  EXPECT_GE(*std::ranges::min_element(views), 0.0F);
  EXPECT_LE(*std::ranges::max_element(views), 1.0F);
}

TEST(Augment, RefusesSizesThatDoNotFit) {
  std::vector<float> views(10);
  const std::vector<Index> chosen = {0};
  EXPECT_THROW(augment({}, kGrey, {}, pictures(kGrey), chosen, views), DataError);
}

}  // namespace
}  // namespace subspace::neural
