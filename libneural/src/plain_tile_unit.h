// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "bfloat16.h"

namespace subspace::neural {

/// TileUnit in plain loops, so that tests of what is built on it run on every machine. Far too slow
/// for anything else: convolutions are LibTorch's where there is no matrix unit.
class PlainTileUnit {
 public:
  void clear() {
    for (float& sum : sums_) sum = 0.0F;
  }
  void load_sums(const float* sums, std::int64_t step) {
    for (std::int64_t i = 0; i < 32 * 32; ++i) sums_[i] = sums[i / 32 * step + i % 32];
  }
  void store_sums(float* sums, std::int64_t step) const {
    for (std::int64_t i = 0; i < 32 * 32; ++i) sums[i / 32 * step + i % 32] = sums_[i];
  }

  void add_rows_times_tiles(const BFloat16* a, const BFloat16* b, std::int64_t blocks,
                            std::int64_t stride) {
    for (std::int64_t block = 0; block < blocks; ++block, b += stride * 2 * kTile) {
      add_product(a + 32 * block, 32 * blocks, b);
    }
  }
  void add_tiles_times_tiles(const BFloat16* a, const BFloat16* b) { add_product(a, 32, b); }

  void write(BFloat16* out, std::int64_t step, std::int64_t rows, std::int64_t columns) const {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        out[row * step + column] = rounded_to<BFloat16>(sums_[32 * row + column]);
      }
    }
  }

  static void write_tile_of_rows(const BFloat16* numbers, std::int64_t step, std::int64_t pictures,
                                 std::int64_t channels, BFloat16* tile) {
    for (std::int64_t i = 0; i < kTile; ++i) {
      const std::int64_t channel = i / 32, picture = i % 32;
      const bool is_there = channel < channels && picture < pictures;
      tile[i] = is_there ? numbers[picture * step + channel] : BFloat16{};
    }
  }
  static void write_tile_of_pairs(const BFloat16* numbers, std::int64_t step, std::int64_t pictures,
                                  std::int64_t channels, BFloat16* tile) {
    for (std::int64_t i = 0; i < kTile; ++i) {
      const std::int64_t channel = i % 32 / 2, picture = i / 32 * 2 + i % 2;
      const bool is_there = channel < channels && picture < pictures;
      tile[i] = is_there ? numbers[picture * step + channel] : BFloat16{};
    }
  }

 private:
  static constexpr std::int64_t kTile = 512;

  /// Rows of a lie `step` numbers apart; b is two tiles of 16 columns, a row of which holds two
  /// numbers of each.
  void add_product(const BFloat16* a, std::int64_t step, const BFloat16* b) {
    for (std::int64_t row = 0; row < 32; ++row) {
      for (std::int64_t pair = 0; pair < 16; ++pair) {
        const BFloat16* left = a + row * step + 2 * pair;
        for (std::int64_t column = 0; column < 32; ++column) {
          const BFloat16* right = b + column / 16 * kTile + 32 * pair + column % 16 * 2;
          sums_[32 * row + column] += widened(left[0]) * widened(right[0]);
          sums_[32 * row + column] += widened(left[1]) * widened(right[1]);
        }
      }
    }
  }

  float sums_[32 * 32] = {};
};

}  // namespace subspace::neural
