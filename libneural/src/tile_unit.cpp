// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tile_unit.h"

#if defined(__x86_64__) && defined(__linux__)

#include <immintrin.h>

// GCC 12 takes the undefined operand inside its own intrinsics for ours (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// The rest of the library targets a generic processor; has_bfloat16_tiles() guards these
// functions.
#define SUBSPACE_TILES \
  __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl,avx512bf16")))

namespace subspace::neural {
namespace {

/// What LDTILECFG reads: eight tiles of 16 rows of 64 bytes.
struct alignas(64) TileSetup {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileSetup) == 64);
// In memory of its own: GCC 12 believes that LDTILECFG reads 8 bytes and would leave out the
// others.
constexpr TileSetup kSetup;

/// _tile_loadd of GCC 12 does not tell the compiler that it reads memory, so what is written before
/// might be written after it.
inline void write_all_first() { asm volatile("" ::: "memory"); }

SUBSPACE_TILES void set_up(std::uint8_t* before) {
  _tile_storeconfig(before);
  _tile_loadconfig(&kSetup);
}

SUBSPACE_TILES void set_up_again(const std::uint8_t* before) {
  const bool was_set_up = before[0] != 0;
  if (was_set_up) {
    _tile_loadconfig(before);
  } else {
    _tile_release();
  }
}

/// Row i: channels of picture 2i in the lower, of picture 2i + 1 in the upper half of each number.
SUBSPACE_TILES void load_pairs(const BFloat16* numbers, std::int64_t step, std::int64_t pictures,
                               std::int64_t channels, __m512i* rows) {
  const auto mask = static_cast<__mmask16>((1U << channels) - 1U);
  for (std::int64_t pair = 0; pair < 16; ++pair) {
    const BFloat16* even = numbers + 2 * pair * step;
    const __mmask16 has_even = 2 * pair < pictures ? mask : __mmask16{0};
    const __mmask16 has_odd = 2 * pair + 1 < pictures ? mask : __mmask16{0};
    const __m512i low = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(has_even, even));
    const __m512i high = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(has_odd, even + step));
    rows[pair] = _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
  }
}

/// 16 x 16 numbers of 32 bits: pairs, quadruples, then quarters of rows change places.
SUBSPACE_TILES void transpose(__m512i* rows) {
  __m512i other[16];
  for (int i = 0; i < 16; i += 2) {
    other[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    other[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(other[i], other[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(other[i], other[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(other[i + 1], other[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(other[i + 1], other[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    other[i] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0x88);
    other[i + 4] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0xDD);
    other[i + 8] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0x88);
    other[i + 12] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0xDD);
  }
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm512_shuffle_i32x4(other[i], other[i + 8], 0x88);
    rows[i + 8] = _mm512_shuffle_i32x4(other[i], other[i + 8], 0xDD);
    rows[i + 4] = _mm512_shuffle_i32x4(other[i + 4], other[i + 12], 0x88);
    rows[i + 12] = _mm512_shuffle_i32x4(other[i + 4], other[i + 12], 0xDD);
  }
}

SUBSPACE_TILES void store_rows(const __m512i* rows, BFloat16* tile) {
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(tile + 32 * i, rows[i]);
}

}  // namespace

TileUnit::TileUnit() { set_up(before_); }
TileUnit::~TileUnit() { set_up_again(before_); }

SUBSPACE_TILES void TileUnit::clear() {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
}

SUBSPACE_TILES void TileUnit::load_sums(const float* sums, std::int64_t step) {
  write_all_first();
  const auto bytes = static_cast<std::size_t>(step) * sizeof(float);
  _tile_loadd(0, sums, bytes);
  _tile_loadd(1, sums + 16, bytes);
  _tile_loadd(2, sums + 16 * step, bytes);
  _tile_loadd(3, sums + 16 * step + 16, bytes);
}

SUBSPACE_TILES void TileUnit::store_sums(float* sums, std::int64_t step) const {
  const auto bytes = static_cast<std::size_t>(step) * sizeof(float);
  _tile_stored(0, sums, bytes);
  _tile_stored(1, sums + 16, bytes);
  _tile_stored(2, sums + 16 * step, bytes);
  _tile_stored(3, sums + 16 * step + 16, bytes);
}

SUBSPACE_TILES void TileUnit::add_rows_times_tiles(const BFloat16* a, const BFloat16* b,
                                                   std::int64_t blocks, std::int64_t stride) {
  write_all_first();
  const auto row = static_cast<std::size_t>(blocks) * 64;
  const BFloat16* second = a + 16 * 32 * blocks;
  for (std::int64_t block = 0; block < blocks; ++block, b += stride * 1024) {
    _tile_loadd(4, a + 32 * block, row);
    _tile_loadd(6, b, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, b + 512, 64);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(5, second + 32 * block, row);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
}

SUBSPACE_TILES void TileUnit::add_tiles_times_tiles(const BFloat16* a, const BFloat16* b) {
  write_all_first();
  _tile_loadd(4, a, 64);
  _tile_loadd(6, b, 64);
  _tile_dpbf16ps(0, 4, 6);
  _tile_loadd(7, b + 512, 64);
  _tile_dpbf16ps(1, 4, 7);
  _tile_loadd(5, a + 512, 64);
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(3, 5, 7);
}

SUBSPACE_TILES void TileUnit::write(BFloat16* out, std::int64_t step, std::int64_t rows,
                                    std::int64_t columns) const {
  alignas(64) float sums[32 * 32];
  store_sums(sums, 32);
  const auto mask = static_cast<__mmask32>(columns == 32 ? ~0U : (1U << columns) - 1U);
  for (std::int64_t row = 0; row < rows; ++row) {
    const __m512 low = _mm512_load_ps(sums + 32 * row);
    const __m512 high = _mm512_load_ps(sums + 32 * row + 16);
    const __m512bh rounded = _mm512_cvtne2ps_pbh(high, low);
    _mm512_mask_storeu_epi16(out + row * step, mask, reinterpret_cast<const __m512i&>(rounded));
  }
}

SUBSPACE_TILES void TileUnit::write_tile_of_rows(const BFloat16* numbers, std::int64_t step,
                                                 std::int64_t pictures, std::int64_t channels,
                                                 BFloat16* tile) {
  __m512i rows[16];
  load_pairs(numbers, step, pictures, channels, rows);
  transpose(rows);
  store_rows(rows, tile);
}

SUBSPACE_TILES void TileUnit::write_tile_of_pairs(const BFloat16* numbers, std::int64_t step,
                                                  std::int64_t pictures, std::int64_t channels,
                                                  BFloat16* tile) {
  __m512i rows[16];
  load_pairs(numbers, step, pictures, channels, rows);
  store_rows(rows, tile);
}

}  // namespace subspace::neural

#endif
