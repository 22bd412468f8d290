// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "numbers.h"

namespace subspace::neural {
namespace {

using testing::rounded_numbers;
using Floats = std::vector<float>;

constexpr std::int64_t kPixels = 37;

class NormKernels : public ::testing::TestWithParam<std::int64_t> {
 protected:
  std::int64_t channels() const { return GetParam(); }
  std::size_t size() const { return static_cast<std::size_t>(kPixels * channels()); }
  std::size_t channel(std::size_t i) const { return i % static_cast<std::size_t>(channels()); }
  Floats per_channel(std::uint32_t index) const {
    return rounded_numbers(static_cast<std::size_t>(channels()), index);
  }
};

TEST_P(NormKernels, SumAroundTheShift) {
  const Floats x = rounded_numbers(size(), 1);
  const Floats shift = per_channel(2);
  Floats sums = per_channel(3), squares = per_channel(4);
  Floats expected_sums = sums, expected_squares = squares;
  add_channel_moments(x.data(), kPixels, channels(), shift.data(), sums.data(), squares.data());
  for (std::size_t i = 0; i < size(); ++i) {
    const float moved = x[i] - shift[channel(i)];
    expected_sums[channel(i)] += moved;
    expected_squares[channel(i)] += moved * moved;
  }
  EXPECT_EQ(sums, expected_sums);
  EXPECT_EQ(squares, expected_squares);
}

TEST_P(NormKernels, NormaliseAddAndCut) {
  const Floats x = rounded_numbers(size(), 1), added = rounded_numbers(size(), 2);
  const Floats scale = per_channel(3), shift = per_channel(4);
  for (const float* more : {static_cast<const float*>(nullptr), added.data()}) {
    Floats out(size());
    normalise_and_cut(x.data(), more, kPixels, channels(), scale.data(), shift.data(), out.data());
    for (std::size_t i = 0; i < size(); ++i) {
      const float value = x[i] * scale[channel(i)] + shift[channel(i)];
      EXPECT_EQ(out[i], std::max(0.0F, value + (more == nullptr ? 0.0F : more[i])));
    }
  }
}

TEST_P(NormKernels, LetWhatIsNoNumberThrough) {
  Floats x(size(), 1.0F);
  x[size() / 2] = std::nanf("");
  const Floats ones(static_cast<std::size_t>(channels()), 1.0F);
  Floats out(size());
  normalise_and_cut(x.data(), nullptr, kPixels, channels(), ones.data(), ones.data(), out.data());
  EXPECT_TRUE(std::isnan(out[size() / 2]));
}

TEST_P(NormKernels, PassGradientsOnWhereTheOutputIsPositive) {
  const Floats gradient = rounded_numbers(size(), 1), out = rounded_numbers(size(), 2);
  const Floats x = rounded_numbers(size(), 3), mean = per_channel(4);
  const Floats a = per_channel(5), b = per_channel(6), c = per_channel(7);
  Floats cut(size()), sums = per_channel(8), products = per_channel(9);
  Floats expected_sums = sums, expected_products = products;
  cut_gradient(gradient.data(), out.data(), x.data(), kPixels, channels(), mean.data(), cut.data(),
               sums.data(), products.data());
  Floats dx(size());
  combine_gradient(cut.data(), x.data(), kPixels, channels(), a.data(), b.data(), c.data(),
                   dx.data());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t k = channel(i);
    const float passed = out[i] > 0.0F ? gradient[i] : 0.0F;
    EXPECT_EQ(cut[i], passed);
    expected_sums[k] += passed;
    expected_products[k] += passed * (x[i] - mean[k]);
    EXPECT_EQ(dx[i], passed * a[k] + x[i] * b[k] + c[k]);
  }
  EXPECT_EQ(sums, expected_sums);
  EXPECT_EQ(products, expected_products);
  combine_gradient(cut.data(), x.data(), kPixels, channels(), a.data(), b.data(), c.data(),
                   cut.data());
  EXPECT_EQ(cut, dx);
}

std::vector<BFloat16> narrowed(const Floats& numbers) {
  std::vector<BFloat16> narrow(numbers.size());
  std::transform(numbers.begin(), numbers.end(), narrow.begin(), rounded_to<BFloat16>);
  return narrow;
}

Floats widened_again(const std::vector<BFloat16>& numbers) {
  Floats wide(numbers.size());
  std::transform(numbers.begin(), numbers.end(), wide.begin(),
                 [](BFloat16 number) { return widened(number); });
  return wide;
}

Floats through_bfloat16(const Floats& numbers) { return widened_again(narrowed(numbers)); }

/// The inputs have few bits, so both forms compute with the same numbers; planes that are written
/// are those of the float form, rounded.
TEST_P(NormKernels, OfBFloat16AreThoseOfFloatsRounded) {
  const Floats x = rounded_numbers(size(), 1), added = rounded_numbers(size(), 2);
  const Floats gradient = rounded_numbers(size(), 3);
  ASSERT_EQ(through_bfloat16(x), x);
  const Floats scale = per_channel(4), shift = per_channel(5), third = per_channel(6);
  const auto narrow_x = narrowed(x), narrow_added = narrowed(added);
  const auto narrow_gradient = narrowed(gradient);

  Floats sums(scale.size()), squares(sums), narrow_sums(sums), narrow_squares(sums);
  add_channel_moments(x.data(), kPixels, channels(), shift.data(), sums.data(), squares.data());
  add_channel_moments(narrow_x.data(), kPixels, channels(), shift.data(), narrow_sums.data(),
                      narrow_squares.data());
  EXPECT_EQ(narrow_sums, sums);
  EXPECT_EQ(narrow_squares, squares);

  Floats out(size());
  std::vector<BFloat16> narrow_out(size());
  normalise_and_cut(x.data(), added.data(), kPixels, channels(), scale.data(), shift.data(),
                    out.data());
  normalise_and_cut(narrow_x.data(), narrow_added.data(), kPixels, channels(), scale.data(),
                    shift.data(), narrow_out.data());
  EXPECT_EQ(widened_again(narrow_out), through_bfloat16(out));

  Floats cut(size());
  std::vector<BFloat16> narrow_cut(size());
  cut_gradient(gradient.data(), out.data(), x.data(), kPixels, channels(), shift.data(), cut.data(),
               sums.data(), squares.data());
  cut_gradient(narrow_gradient.data(), narrow_out.data(), narrow_x.data(), kPixels, channels(),
               shift.data(), narrow_cut.data(), narrow_sums.data(), narrow_squares.data());
  EXPECT_EQ(widened_again(narrow_cut), cut);
  EXPECT_EQ(narrow_sums, sums);
  EXPECT_EQ(narrow_squares, squares);

  combine_gradient(cut.data(), x.data(), kPixels, channels(), scale.data(), shift.data(),
                   third.data(), cut.data());
  combine_gradient(narrow_cut.data(), narrow_x.data(), kPixels, channels(), scale.data(),
                   shift.data(), third.data(), narrow_cut.data());
  EXPECT_EQ(widened_again(narrow_cut), through_bfloat16(cut));
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  const float step = 1.0F / 128.0F;  // between 1 and 2
  const auto round = [](float value) { return widened(rounded_to<BFloat16>(value)); };
  EXPECT_EQ(round(1.0F + 0.49F * step), 1.0F);
  EXPECT_EQ(round(1.0F + 0.51F * step), 1.0F + step);
  EXPECT_EQ(round(1.0F + 0.5F * step), 1.0F);
  EXPECT_EQ(round(1.0F + 1.5F * step), 1.0F + 2.0F * step);
  EXPECT_EQ(round(-1.0F - 1.5F * step), -1.0F - 2.0F * step);
  EXPECT_EQ(round(0.0F), 0.0F);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(round(infinity), infinity);
  EXPECT_EQ(round(std::numeric_limits<float>::max()), infinity);
}

/// Also those of whose bits only the lower half tells that they are none.
TEST(BFloat16, KeepsWhatIsNoNumber) {
  for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_TRUE(std::isnan(widened(rounded_to<BFloat16>(std::bit_cast<float>(bits)))));
  }
}

INSTANTIATE_TEST_SUITE_P(Channels, NormKernels, ::testing::Values(1, 5, 32, 67));

}  // namespace
}  // namespace subspace::neural
