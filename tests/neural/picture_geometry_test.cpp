// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "neural/pictures.h"

namespace subspace::neural {
namespace {

using namespace testing;

ViewDraw cropping(const CropBox& box) { return {.crop = true, .box = box}; }

ViewDraw blurring(double deviation, int size) {
  return {.blur = true, .blur_deviation = deviation, .blur_size = size};
}

TEST(Crop, OfTheWholeChangesNoBit) {
  EXPECT_EQ(view_of(cropping({0, 0, 9, 8}), kColour, pictures(kColour)), pictures(kColour));
}

TEST(Crop, OfOnePixelFillsThePicture) {
  const auto image = pictures(kColour);
  const auto view = view_of(cropping({4, 3, 1, 1}), kColour, image);
  for (std::size_t i = 0; i < view.size(); ++i) EXPECT_EQ(view[i], image[i / 72 * 72 + 4 * 8 + 3]);
}

// Pixel centres of a half, twice as dense: 1/4 and 3/4 of the way between neighbours.
TEST(Crop, OfAHalfInterpolatesAtQuarters) {
  const std::vector<float> image = {0.0F, 0.4F, 0.8F, 0.2F};
  EXPECT_LT(largest_difference(view_of(cropping({0, 1, 1, 2}), {1, 1, 4}, image),
                               {0.4F, 0.5F, 0.7F, 0.8F}),
            1e-6F);
  EXPECT_LT(largest_difference(view_of(cropping({1, 0, 2, 1}), {1, 4, 1}, image),
                               {0.4F, 0.5F, 0.7F, 0.8F}),
            1e-6F);
}

TEST(Crop, KeepsConstantsAndSlopesInside) {
  EXPECT_TRUE(rc::check("a ramp stays a ramp", [] {
    const ImageShape shape = {1, 12, 17};
    const int height = *rc::gen::inRange(2, 13), width = *rc::gen::inRange(2, 18);
    const CropBox box = {*rc::gen::inRange(0, 13 - height), *rc::gen::inRange(0, 18 - width),
                         height, width};
    std::vector<float> ramp;
    const auto value = [](double y, double x) {
      return static_cast<float>(0.1 + 0.02 * x + 0.03 * y);
    };
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 17; ++x) ramp.push_back(value(y, x));
    }
    const auto view = view_of(cropping(box), shape, ramp);
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 17; ++x) {
        const double v = std::clamp((y + 0.5) * height / 12 - 0.5, 0.0, height - 1.0);
        const double u = std::clamp((x + 0.5) * width / 17 - 0.5, 0.0, width - 1.0);
        RC_ASSERT(std::abs(view[static_cast<std::size_t>(17 * y + x)] -
                           value(box.top + v, box.left + u)) < 1e-6F);
      }
    }
  }));
}

TEST(Crop, ComesBeforeTheFlip) {
  ViewDraw both = cropping({2, 1, 5, 6});
  const auto cropped = view_of(both, kColour, pictures(kColour));
  both.flip = true;
  EXPECT_EQ(view_of(both, kColour, pictures(kColour)), view_of({.flip = true}, kColour, cropped));
}

TEST(Crop, ComesBeforeThePerspective) {
  const Corners moved = {Corner{3, 1}, {17, 2}, {18, 12}, {1, 14}};
  ViewDraw both = cropping({2, 1, 9, 6});
  const auto cropped = view_of(both, kGrey, pictures(kGrey));
  both.perspective = true;
  both.corners = moved;
  EXPECT_EQ(view_of(both, kGrey, pictures(kGrey)),
            view_of({.perspective = true, .corners = moved}, kGrey, cropped));
}

TEST(Blur, KeepsConstants) {
  const std::vector<float> flat(320, 0.7F);
  EXPECT_LT(largest_difference(view_of(blurring(1.3, 7), kGrey, flat), flat), 1e-6F);
}

// A point spreads to the kernel, which is Gaussian and has mass 1.
TEST(Blur, OfAPointIsTheKernel) {
  const ImageShape shape = {1, 11, 13};
  std::vector<float> point(143, 0.0F);
  point[5 * 13 + 6] = 1.0F;
  const auto view = view_of(blurring(0.8, 5), shape, point);
  double mass = 0.0;
  for (const float value : view) mass += value;
  EXPECT_NEAR(mass, 1.0, 1e-6);
  const float centre = view[5 * 13 + 6];
  EXPECT_NEAR(view[5 * 13 + 8] / centre, std::exp(-0.5 * 4 / 0.64), 1e-6);
  EXPECT_NEAR(view[4 * 13 + 7] / centre, std::exp(-0.5 * 2 / 0.64), 1e-6);
  EXPECT_EQ(view[5 * 13 + 9], 0.0F);
}

// Three equal taps along rows of .3 | 0 .3 .6 .9 | .6.
TEST(Blur, ReflectsWithoutRepeatingTheBorder) {
  const std::vector<float> row = {0.0F, 0.3F, 0.6F, 0.9F}, blurred = {0.2F, 0.3F, 0.6F, 0.7F};
  std::vector<float> image, expected;
  for (int y = 0; y < 3; ++y) {
    image.insert(image.end(), row.begin(), row.end());
    expected.insert(expected.end(), blurred.begin(), blurred.end());
  }
  EXPECT_LT(largest_difference(view_of(blurring(1e3, 3), {1, 3, 4}, image), expected), 1e-5F);
}

TEST(Blur, OfATransposedPictureIsTransposed) {
  const ImageShape upright = {1, 8, 11}, lying = {1, 11, 8};
  const auto image = pictures(upright);
  const auto transposed = [](const std::vector<float>& in, std::size_t rows, std::size_t columns) {
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i % columns * rows + i / columns] = in[i];
    return out;
  };
  const auto view = view_of(blurring(1.1, 9), lying, transposed(image, 8, 11));
  EXPECT_LT(largest_difference(transposed(view_of(blurring(1.1, 9), upright, image), 8, 11), view),
            1e-6F);
}

TEST(Blur, FlattensMoreTheWiderItIs) {
  const ImageShape shape = {3, 20, 20};
  const auto spread = [&](double deviation) {
    const auto view = view_of(blurring(deviation, 9), shape, pictures(shape));
    const auto [least, most] = std::ranges::minmax(view);
    return most - least;
  };
  EXPECT_LT(spread(1.0), spread(0.5));
  EXPECT_LT(spread(2.0), spread(1.0));
}

}  // namespace
}  // namespace subspace::neural
