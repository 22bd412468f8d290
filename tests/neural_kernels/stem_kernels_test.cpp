// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "stem_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numbers.h"

namespace subspace::neural {
namespace {

using testing::rounded_numbers;
using Floats = std::vector<float>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A picture and what the definitions say of it, place by place.
struct World {
  StemShape shape = {};
  Floats picture = {};
  Floats weights = {};  // taps x padded filters, zero where padded
  Floats scale = {}, shift = {};

  explicit World(const StemShape& own) : shape(own) {
    picture = rounded_numbers(at(shape.channels * shape.height * shape.width), 1);
    const Floats drawn = rounded_numbers(at(shape.taps() * shape.filters), 2);
    weights.assign(at(shape.taps() * shape.padded_filters()), 0.0F);
    for (int t = 0; t < shape.taps(); ++t) {
      std::copy_n(drawn.begin() + t * shape.filters, shape.filters,
                  weights.begin() + t * shape.padded_filters());
    }
    scale = rounded_numbers(at(shape.padded_filters()), 3);
    shift = rounded_numbers(at(shape.padded_filters()), 4);
  }

  /// What place (row, column) of the convolution sees under a tap: zero outside of the picture.
  double under(int tap, int row, int column) const {
    const int size = shape.size;
    const int channel = tap / (size * size);
    const int y = 2 * row + tap / size % size - size / 2;
    const int x = 2 * column + tap % size - size / 2;
    if (y < 0 || y >= shape.height || x < 0 || x >= shape.width) return 0.0;
    return picture[at((channel * shape.height + y) * shape.width + x)];
  }

  float normalised(int row, int column, int filter) const {
    double sum = 0.0;
    for (int t = 0; t < shape.taps(); ++t) {
      sum += under(t, row, column) * weights[at(t * shape.padded_filters() + filter)];
    }
    return static_cast<float>(sum * scale[at(filter)] + shift[at(filter)]);
  }
};

/// The largest of a window, and its place in it.
struct Winner {
  float value = 0.0F;
  int place = kCutOff;
};

Winner window(const World& world, int row, int column, int filter) {
  Winner best;
  for (int place = 0; place < 9; ++place) {
    const int y = 2 * row - 1 + place / 3;
    const int x = 2 * column - 1 + place % 3;
    if (y < 0 || x < 0 || y >= world.shape.rows() || x >= world.shape.columns()) continue;
    const float value = world.normalised(y, x, filter);
    if (value > best.value) best = {value, place};
  }
  return best;
}

class StemKernels : public ::testing::TestWithParam<StemShape> {};

TEST_P(StemKernels, SumTheProductsOfTaps) {
  const World world(GetParam());
  StemWorkspace workspace(world.shape);
  workspace.load(world.picture.data());
  const int taps = world.shape.taps();
  std::vector<double> products(at(taps * taps), 1.0), sums(at(taps), 2.0);
  workspace.add_moments(products.data(), sums.data());
  for (int t = 0; t < taps; ++t) {
    double sum = 2.0;
    for (int u = 0; u <= t; ++u) {
      double product = 1.0;
      for (int row = 0; row < world.shape.rows(); ++row) {
        for (int x = 0; x < world.shape.columns(); ++x) {
          product += world.under(t, row, x) * world.under(u, row, x);
          if (u == 0) sum += world.under(t, row, x);
        }
      }
      ASSERT_NEAR(products[at(t * taps + u)], product, 1e-4) << t << " " << u;
    }
    ASSERT_NEAR(sums[at(t)], sum, 1e-4) << t;
  }
}

TEST_P(StemKernels, PoolTheLargestAndPassItsGradientBack) {
  const World world(GetParam());
  const StemShape& shape = world.shape;
  StemWorkspace workspace(shape);
  workspace.load(world.picture.data());
  const std::size_t size = shape.pooled_pixels() * at(shape.filters);
  Floats pooled(size);
  std::vector<std::uint8_t> winners(size);
  workspace.forward(world.weights.data(), world.scale.data(), world.shift.data(), pooled.data(),
                    winners.data());
  const Floats gradient = rounded_numbers(size, 5);
  Floats products(world.weights.size(), 0.0F);
  std::vector<double> sums(at(shape.padded_filters()), 0.0);
  workspace.add_gradients(gradient.data(), winners.data(), products.data(), sums.data());

  std::vector<double> expected_products(products.size(), 0.0), expected_sums(sums.size(), 0.0);
  std::size_t i = 0;
  for (int row = 0; row < shape.pooled_rows(); ++row) {
    for (int x = 0; x < shape.pooled_columns(); ++x) {
      for (int f = 0; f < shape.filters; ++f, ++i) {
        const Winner best = window(world, row, x, f);
        ASSERT_NEAR(pooled[i], best.value, 1e-4) << row << " " << x << " " << f;
        ASSERT_EQ(int{winners[i]}, best.place) << row << " " << x << " " << f;
        if (best.place == kCutOff) continue;
        expected_sums[at(f)] += gradient[i];
        for (int t = 0; t < shape.taps(); ++t) {
          expected_products[at(t * shape.padded_filters() + f)] +=
              gradient[i] *
              world.under(t, 2 * row - 1 + best.place / 3, 2 * x - 1 + best.place % 3);
        }
      }
    }
  }
  for (std::size_t k = 0; k < products.size(); ++k) {
    ASSERT_NEAR(products[k], expected_products[k], 1e-3);
  }
  for (std::size_t k = 0; k < sums.size(); ++k) ASSERT_NEAR(sums[k], expected_sums[k], 1e-3);
}

/// Nothing of the picture before stays.
TEST_P(StemKernels, ServeOnePictureAfterTheOther) {
  const World world(GetParam());
  const std::size_t size = world.shape.pooled_pixels() * at(world.shape.filters);
  const auto pooled = [&](StemWorkspace& workspace) {
    workspace.load(world.picture.data());
    Floats values(size);
    std::vector<std::uint8_t> winners(size);
    workspace.forward(world.weights.data(), world.scale.data(), world.shift.data(), values.data(),
                      winners.data());
    return values;
  };
  StemWorkspace fresh(world.shape), used(world.shape);
  used.load(rounded_numbers(world.picture.size(), 6).data());
  EXPECT_EQ(pooled(used), pooled(fresh));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, StemKernels,
    ::testing::Values(StemShape{.channels = 1, .height = 16, .width = 16, .size = 5, .filters = 32},
                      StemShape{.channels = 3, .height = 13, .width = 18, .size = 5, .filters = 16},
                      StemShape{.channels = 2, .height = 9, .width = 7, .size = 7, .filters = 5},
                      StemShape{.channels = 1, .height = 1, .width = 1, .size = 5, .filters = 1},
                      StemShape{
                          .channels = 1, .height = 2, .width = 23, .size = 3, .filters = 33}));

}  // namespace
}  // namespace subspace::neural
