// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/augmentation.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>

#include "neural/pictures.h"

namespace subspace::neural {
namespace {

using ::testing::ThrowsMessage;
using namespace testing;

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
  const AugmentationOptions options = everything();
  const auto images = pictures(kColour, 50);
  const auto whole = augmented(options, kColour, images, first(50), {.seed = 7}, 1);
  EXPECT_EQ(whole, augmented(options, kColour, images, first(50), {.seed = 7}, 2));
  const auto pixels = static_cast<std::ptrdiff_t>(kColour.num_pixels());
  const auto some = augmented(options, kColour, images, {31, 8}, {.seed = 7});
  EXPECT_TRUE(std::equal(some.begin(), some.begin() + pixels, whole.begin() + 31 * pixels));
  EXPECT_TRUE(std::equal(some.begin() + pixels, some.end(), whole.begin() + 8 * pixels));
}

TEST(Augment, StaysInTheUnitInterval) {
  const auto views = augmented({}, kColour, pictures(kColour, 100), first(100), {});
  EXPECT_GE(*std::ranges::min_element(views), 0.0F);
  EXPECT_LE(*std::ranges::max_element(views), 1.0F);
}

// Bytes recorded from the code that had no other operations than these.
TEST(Augment, TheCoilPolicyIsWhatItWas) {
  const ViewDraw draw = draw_view(coil_augmentation(), {1, 64, 64}, {7, 3, 1}, 977);
  EXPECT_FALSE(draw.flip);
  EXPECT_TRUE(draw.perspective);
  EXPECT_EQ(draw.brightness, 1.7142282239591287);
  EXPECT_EQ(draw.contrast, 0.29086899260426169);
  EXPECT_FALSE(draw.contrast_first);
  EXPECT_EQ(draw.corners[2].x, 57.0);
  EXPECT_EQ(draw.corners[2].y, 61.0);
#ifdef __x86_64__  // elsewhere products and sums may be fused
  const auto digest = [](const ImageShape& shape) {
    const auto views = augmented({}, shape, pictures(shape, 50), first(50), {7, 3, 1});
    return sha256(std::as_bytes(std::span(views)));
  };
  EXPECT_EQ(digest(kGrey), "b993aa96a0d7b2cc3a92f51a1f76fb2cfe6660ac468d26a5014dbc099b52c39b");
  EXPECT_EQ(digest(kColour), "6fd5e23e0e5a6027329e3b54ec86fd924ef39b565f7e0a3481bbb17d217b3ad8");
  EXPECT_EQ(digest({1, 64, 64}),
            "5c8cd406e73442efd55a56951b53b1ce1872bbe4e851f0e53a99bd5c36bea691");
#endif
}

TEST(Augment, RefusesSizesThatDoNotFit) {
  const auto refusal = [](const std::vector<Index>& chosen, std::size_t room) {
    std::vector<float> views(room);
    augment({}, kGrey, {}, pictures(kGrey), chosen, views);
  };
  EXPECT_THAT(
      [&] { refusal({0}, 10); },
      ThrowsMessage<DataError>("augment: 320 values and room for 10 do not fit images of 320"));
  EXPECT_THAT([&] { refusal({1}, 320); },
              ThrowsMessage<DataError>("augment: chosen has 1, must satisfy 0 <= number < 1"));
  EXPECT_THAT([&] { refusal({-1}, 320); },
              ThrowsMessage<DataError>("augment: chosen has -1, must satisfy 0 <= number < 1"));
}

TEST(Augment, RefusesOptionsThatCannotBe) {
  const auto refusal = [](const AugmentationOptions& options, const ImageShape& shape) {
    return [=] { check_augmentation(options, shape, "augment"); };
  };
  EXPECT_THAT(refusal({.hue = 0.7}, kColour),
              ThrowsMessage<InvalidArgument>("augment: hue = 0.7, must satisfy 0 <= hue <= 0.5"));
  EXPECT_THAT(refusal({.crop_least = 0.5, .crop_most = 0.25}, kColour),
              ThrowsMessage<InvalidArgument>(
                  "augment: crop_least = 0.5, must satisfy crop_least <= crop_most = 0.25"));
  EXPECT_THAT(refusal({.blur_least = 3.0}, kColour),
              ThrowsMessage<InvalidArgument>(
                  "augment: blur_least = 3, must satisfy blur_least <= blur_most = 2"));
  EXPECT_THAT(refusal({.blur_size = 4}, kColour),
              ThrowsMessage<InvalidArgument>("augment: blur_size = 4, must be odd, or 0"));
  EXPECT_THAT(refusal({.blur = 0.5, .blur_size = 17}, kColour),
              ThrowsMessage<InvalidArgument>(
                  "augment: blur_size = 17, must satisfy blur_size < 2 * 8, twice the side"));
  EXPECT_THAT(refusal({.normalise = Normalisation::kCifar10}, kGrey),
              ThrowsMessage<InvalidArgument>("augment: normalise is for pictures of 3 channels, "
                                             "not of 1; must be none"));
  EXPECT_NO_THROW(refusal({.blur = 0.5, .blur_size = 15}, kColour)());
}

TEST(Augment, EveryPresetIsLegalAndReadBackFromItsWords) {
  for (AugmentationOptions preset : {coil_augmentation(), cifar_augmentation(), stl_augmentation(),
                                     simclr_augmentation(0.5), point_augmentation()}) {
    EXPECT_NO_THROW(check_augmentation(preset, {3, 96, 96}, "test"));
    AugmentationOptions copy;
    const Parameters from = describe(preset);
    const Parameters to = describe(copy);
    for (std::size_t i = 0; i < to.size(); ++i) {
      set_from_text(to[i], value_text(from[i]), to[i].name);
      EXPECT_EQ(to[i].get(), from[i].get()) << to[i].name;
    }
    const auto images = pictures(kColour, 20);
    EXPECT_EQ(augmented(copy, kColour, images, first(20), {.seed = 3}),
              augmented(preset, kColour, images, first(20), {.seed = 3}));
  }
}

}  // namespace
}  // namespace subspace::neural
