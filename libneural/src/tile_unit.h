// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "bfloat16.h"
#include "plain_tile_unit.h"

/// The matrix unit of x86 processors (AMX), for tile_kernels.h. Nothing here may be called unless
/// has_bfloat16_tiles().
namespace subspace::neural {

#if defined(__x86_64__) && defined(__linux__)

/// The tiles of this thread while the object lives: sums of 32 x 32 numbers in single precision,
/// and operands. What the tiles were set up for before is set up again at the end; their contents
/// are lost.
class TileUnit {
 public:
  TileUnit();
  ~TileUnit();
  TileUnit(const TileUnit&) = delete;
  TileUnit& operator=(const TileUnit&) = delete;

  /// The sums become zero.
  void clear();
  /// The sums are 32 rows, `step` numbers apart.
  void load_sums(const float* sums, std::int64_t step);
  void store_sums(float* sums, std::int64_t step) const;

  /// Adds A B: a has 32 rows of 32 `blocks` numbers; b two tiles for each 32 of them, the next two
  /// 2 `stride` tiles on.
  void add_rows_times_tiles(const BFloat16* a, const BFloat16* b, std::int64_t blocks,
                            std::int64_t stride);
  /// Adds A B of 32 x 32 numbers each: a two tiles of rows, b two tiles of pairs.
  void add_tiles_times_tiles(const BFloat16* a, const BFloat16* b);

  /// The first `columns` of the first `rows` sums, rounded, `step` numbers apart.
  void write(BFloat16* out, std::int64_t step, std::int64_t rows, std::int64_t columns) const;

  /// A tile of 16 channels of 32 pictures, `step` numbers apart, zero beyond the `pictures` and
  /// `channels` there are: a row a channel, or a row a pair of pictures whose channels alternate.
  static void write_tile_of_rows(const BFloat16* numbers, std::int64_t step, std::int64_t pictures,
                                 std::int64_t channels, BFloat16* tile);
  static void write_tile_of_pairs(const BFloat16* numbers, std::int64_t step, std::int64_t pictures,
                                  std::int64_t channels, BFloat16* tile);

 private:
  alignas(64) std::uint8_t before_[64];
};

#else

/// There is none to be had: only so that the library compiles.
class TileUnit : public PlainTileUnit {};

#endif

}  // namespace subspace::neural
