// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tile_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <tuple>
#include <vector>

#include "numbers.h"
#include "plain_tile_unit.h"
#include "tile_support.h"
#include "tile_unit.h"

namespace subspace::neural {
namespace {

using testing::rounded_numbers;
using Planes = std::vector<BFloat16>;

std::size_t count(std::int64_t pictures, std::int64_t pixels, std::int64_t channels) {
  return static_cast<std::size_t>(pictures * pixels * channels);
}

/// Multiples of 1/8 below 8 have at most 6 bits, so they and sums of few products are exact.
Planes planes(std::size_t size, std::uint32_t index) {
  Planes numbers;
  for (const float number : rounded_numbers(size, index)) {
    numbers.push_back(rounded_to<BFloat16>(number));
  }
  return numbers;
}

// A world of numbers a convolution is computed on, by its definition and by tiles.
struct World {
  explicit World(const PlaneConvolution& convolution, std::int64_t num_pictures)
      : shape(convolution),
        pictures(num_pictures),
        in(planes(count(pictures, shape.pixels_in(), shape.channels_in), 1)),
        out(planes(count(pictures, shape.pixels_out(), shape.channels_out), 2)),
        weights(rounded_numbers(count(shape.taps(), shape.channels_in, shape.channels_out), 3)) {}

  /// body(index in `in`, index in `out`, index in `weights`) for every product of the convolution.
  template <typename Body>
  void for_products(const Body& body) const {
    const int border = shape.size / 2;
    for (std::int64_t n = 0; n < pictures; ++n) {
      for (int p = 0; p < shape.pixels_out(); ++p) {
        for (int tap = 0; tap < shape.taps(); ++tap) {
          const int y = p / shape.columns_out() * shape.stride + tap / shape.size - border;
          const int x = p % shape.columns_out() * shape.stride + tap % shape.size - border;
          if (y < 0 || x < 0 || y >= shape.height || x >= shape.width) continue;
          const std::int64_t from = n * shape.pixels_in() + y * shape.width + x;
          const std::int64_t to = n * shape.pixels_out() + p;
          for (std::int64_t k = 0; k < shape.channels_in; ++k) {
            for (std::int64_t o = 0; o < shape.channels_out; ++o) {
              body(static_cast<std::size_t>(from * shape.channels_in + k),
                   static_cast<std::size_t>(to * shape.channels_out + o),
                   static_cast<std::size_t>((o * shape.taps() + tap) * shape.channels_in + k));
            }
          }
        }
      }
    }
  }

  /// body(first number of `in`, first of `out`, pictures) for as many as a tile holds.
  template <typename Body>
  void for_groups(const Body& body) const {
    for (std::int64_t first = 0; first < pictures; first += kPicturesOfTile) {
      body(count(first, shape.pixels_in(), shape.channels_in),
           count(first, shape.pixels_out(), shape.channels_out),
           std::min(kPicturesOfTile, pictures - first));
    }
  }

  PlaneConvolution shape;
  std::int64_t pictures = 0;
  Planes in, out;
  std::vector<float> weights;
};

/// Equal but for one rounding to bfloat16 of a sum that itself is exact to 1e-6 of its terms.
void expect_rounded(const Planes& found, const std::vector<double>& exact) {
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(widened(found[i]), exact[i], std::abs(exact[i]) / 256.0 + 1e-4) << i;
  }
}

enum class Tiles { kPlain, kOfProcessor };
std::ostream& operator<<(std::ostream& out, Tiles tiles) {
  return out << (tiles == Tiles::kPlain ? "plain" : "of the processor");
}

struct Size {
  PlaneConvolution shape = {};
  std::int64_t pictures = 0;
};

std::ostream& operator<<(std::ostream& out, const Size& size) {
  const PlaneConvolution& shape = size.shape;
  return out << shape.channels_in << " to " << shape.channels_out << " channels, " << shape.height
             << "x" << shape.width << ", " << shape.size << "x" << shape.size << "/" << shape.stride
             << ", " << size.pictures << " pictures";
}

class KernelsOfTiles : public ::testing::TestWithParam<std::tuple<Tiles, Size>> {
 protected:
  void SetUp() override {
    if (!plain() && !has_bfloat16_tiles()) GTEST_SKIP() << testing::why_no_tiles();
  }
  World world() const {
    const auto& [shape, pictures] = std::get<Size>(GetParam());
    return World(shape, pictures);
  }
  /// body(kernels) on the unit of this test.
  template <typename Body>
  void with_kernels(const Body& body) const {
    plain() ? body(TileKernels<PlainTileUnit>()) : body(TileKernels<TileUnit>());
  }

 private:
  bool plain() const { return std::get<Tiles>(GetParam()) == Tiles::kPlain; }
};

TEST_P(KernelsOfTiles, ConvolveAsDefined) {
  const World w = world();
  std::vector<double> exact(w.out.size());
  w.for_products([&](std::size_t i, std::size_t o, std::size_t k) {
    exact[o] += static_cast<double>(widened(w.in[i])) * w.weights[k];
  });
  Planes found(w.out.size());
  const TileBuffer tiles = tiles_of_weights(w.shape, w.weights.data());
  const MeetingTable meetings = meetings_by_out(w.shape);
  with_kernels([&](auto kernels) {
    w.for_groups([&](std::size_t in, std::size_t out, std::int64_t pictures) {
      kernels.convolve_planes(w.shape, meetings, tiles, &w.in[in], pictures, &found[out]);
    });
  });
  expect_rounded(found, exact);
}

// What is no number would get through the weights of zero in the gaps between channels.
TEST_P(KernelsOfTiles, KeepNothingOfThePicturesBefore) {
  const World w = world();
  PlaneConvolution full = w.shape;
  full.channels_in = (full.channels_in + 31) / 32 * 32;
  const Planes before(count(kPicturesOfTile, full.pixels_in(), full.channels_in),
                      rounded_to<BFloat16>(std::nanf("")));
  const std::vector<float> zeros(count(full.taps(), full.channels_in, full.channels_out));
  Planes found(count(kPicturesOfTile, full.pixels_out(), full.channels_out));
  const MeetingTable meetings = meetings_by_out(full);
  const std::int64_t pictures = std::min(kPicturesOfTile, w.pictures);
  with_kernels([&](auto kernels) {
    kernels.convolve_planes(full, meetings, tiles_of_weights(full, zeros.data()), before.data(),
                            kPicturesOfTile, found.data());
    kernels.convolve_planes(w.shape, meetings, tiles_of_weights(w.shape, w.weights.data()),
                            w.in.data(), pictures, found.data());
  });
  found.resize(count(pictures, full.pixels_out(), full.channels_out));
  for (const BFloat16 number : found) ASSERT_FALSE(std::isnan(widened(number)));
}

TEST_P(KernelsOfTiles, CarryGradientsBack) {
  const World w = world();
  std::vector<double> exact(w.in.size());
  w.for_products([&](std::size_t i, std::size_t o, std::size_t k) {
    exact[i] += static_cast<double>(widened(w.out[o])) * w.weights[k];
  });
  Planes found(w.in.size());
  const TileBuffer tiles = tiles_of_transposed_weights(w.shape, w.weights.data());
  const MeetingTable meetings = meetings_by_in(w.shape);
  with_kernels([&](auto kernels) {
    w.for_groups([&](std::size_t in, std::size_t out, std::int64_t pictures) {
      kernels.convolve_back(w.shape, meetings, tiles, &w.out[out], pictures, &found[in]);
    });
  });
  expect_rounded(found, exact);
}

TEST_P(KernelsOfTiles, SumGradientsOfWeights) {
  const World w = world();
  std::vector<double> exact(w.weights.size());
  w.for_products([&](std::size_t i, std::size_t o, std::size_t k) {
    exact[k] += static_cast<double>(widened(w.in[i])) * widened(w.out[o]);
  });
  std::vector<float> found(w.weights.size());
  const MeetingTable meetings = meetings_by_tap(w.shape);
  with_kernels([&](auto kernels) {
    kernels.weight_gradient(w.shape, meetings, w.in.data(), w.out.data(), w.pictures, found.data());
  });
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], exact[k], 1e-2) << k;
}

auto sizes() {
  return ::testing::Values(Size{{32, 32, 6, 5, 3, 1}, 32},   // one full tile of pictures
                           Size{{32, 64, 4, 4, 3, 2}, 70},   // strides, several tiles
                           Size{{64, 32, 5, 3, 3, 2}, 3},    // odd sides, few pictures
                           Size{{16, 48, 4, 4, 3, 1}, 33},   // channels that leave gaps
                           Size{{40, 7, 2, 2, 3, 1}, 32},    // and odd ones; most taps lie outside
                           Size{{32, 96, 4, 6, 1, 2}, 40},   // pixels no filter reads
                           Size{{32, 32, 8, 8, 1, 1}, 100},  // more than the cache takes at once
                           Size{{5, 3, 1, 1, 1, 1}, 1});     // next to nothing
}
INSTANTIATE_TEST_SUITE_P(Plain, KernelsOfTiles,
                         ::testing::Combine(::testing::Values(Tiles::kPlain), sizes()));
INSTANTIATE_TEST_SUITE_P(OfProcessor, KernelsOfTiles,
                         ::testing::Combine(::testing::Values(Tiles::kOfProcessor), sizes()));

// The tables need no tiles.
TEST(Meetings, AreTheSameInAnyOrder) {
  const PlaneConvolution shape = {1, 1, 5, 4, 3, 2};
  const auto as_set = [](const MeetingTable& table) {
    std::set<std::tuple<int, int, int>> all;
    for (const Meeting& m : table.meetings) all.insert({m.tap, m.in, m.out});
    EXPECT_EQ(all.size(), table.meetings.size());
    EXPECT_EQ(table.first.back(), table.meetings.size());
    return all;
  };
  const auto by_out = as_set(meetings_by_out(shape));
  EXPECT_EQ(by_out, as_set(meetings_by_in(shape)));
  EXPECT_EQ(by_out, as_set(meetings_by_tap(shape)));
  EXPECT_EQ(meetings_by_out(shape).first.size(), 7U);  // 3 x 2 pixels and the end
  EXPECT_EQ(meetings_by_in(shape).first.size(), 21U);
  EXPECT_EQ(meetings_by_tap(shape).first.size(), 10U);
}

TEST(TileUnit, SetsUpAgainWhatWasSetUpBefore) {
  if (!has_bfloat16_tiles()) GTEST_SKIP() << testing::why_no_tiles();
  TileUnit outer;
  outer.clear();
  {
    TileUnit inner;
    inner.clear();
  }
  outer.clear();  // an illegal instruction if nothing were set up
  Planes found(32 * 32, rounded_to<BFloat16>(1.0F));
  outer.write(found.data(), 32, 32, 32);
  for (const BFloat16 number : found) EXPECT_EQ(number.bits, 0);
}

}  // namespace
}  // namespace subspace::neural
