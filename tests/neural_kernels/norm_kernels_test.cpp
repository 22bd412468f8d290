// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

INSTANTIATE_TEST_SUITE_P(Channels, NormKernels, ::testing::Values(1, 5, 32, 67));

}  // namespace
}  // namespace subspace::neural
