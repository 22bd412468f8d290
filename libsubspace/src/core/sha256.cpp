// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/sha256.h>

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace subspace {
namespace {

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_big(const std::byte* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

/// FIPS 180-4, 6.2.2.
void compress_portable(State& state, const std::byte* blocks, std::size_t num_blocks) {
  for (; num_blocks > 0; --num_blocks, blocks += 64) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t) w[t] = load_big(blocks + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t s0 =
          std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
      const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRoundConstants[t] + w[t];
      const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const State round = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += round[i];
  }
}

#if defined(__x86_64__)

bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const bool sse41 = (c & bit_SSE4_1) != 0 && (c & bit_SSSE3) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return sse41 && (b & (1U << 29)) != 0;
}

/// The same with the instructions made for it. They keep the state as (a, b, e, f) and (c, d, g,
/// h), do two rounds at once, and extend four words of the schedule at once.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_x86(State& state, const std::byte* blocks,
                                                              std::size_t num_blocks) {
  const __m128i to_big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const auto at = [](const void* p) { return reinterpret_cast<const __m128i*>(p); };
  const __m128i abcd = _mm_loadu_si128(at(state.data()));
  const __m128i efgh = _mm_loadu_si128(at(state.data() + 4));
  const __m128i badc = _mm_shuffle_epi32(abcd, 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; num_blocks > 0; --num_blocks, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
#pragma GCC unroll 16
    for (int quad = 0; quad < 16; ++quad) {
      __m128i& words = w[quad % 4];
      if (quad < 4) {
        words = _mm_shuffle_epi8(_mm_loadu_si128(at(blocks + 16 * quad)), to_big_endian);
      } else {
        const __m128i previous = w[(quad + 3) % 4];
        const __m128i w_minus_7 = _mm_alignr_epi8(previous, w[(quad + 2) % 4], 4);
        const __m128i partial = _mm_sha256msg1_epu32(words, w[(quad + 1) % 4]);
        words = _mm_sha256msg2_epu32(_mm_add_epi32(partial, w_minus_7), previous);
      }
      const __m128i sum =
          _mm_add_epi32(words, _mm_load_si128(at(kRoundConstants.data() + 4 * quad)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  const auto out = [&](int i) { return reinterpret_cast<__m128i*>(state.data() + i); };
  _mm_storeu_si128(out(0), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(out(4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
      compress_(compress_portable) {
#if defined(__x86_64__)
  static const bool use_instructions = has_sha_instructions();
  if (use_instructions) compress_ = compress_x86;
#endif
}

void Sha256::use_portable_code() { compress_ = compress_portable; }

void Sha256::update(std::span<const std::byte> bytes) {
  const std::size_t held = num_bytes_ % 64;
  num_bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(64 - held, bytes.size());
    std::copy_n(bytes.begin(), taken, pending_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken);
    if (held + taken < 64) return;
    compress_(state_, pending_.data(), 1);
  }
  const std::size_t whole = bytes.size() / 64;
  compress_(state_, bytes.data(), whole);
  std::ranges::copy(bytes.subspan(64 * whole), pending_.begin());
}

std::string Sha256::finish() {
  const std::uint64_t num_bits = 8 * num_bytes_;
  const std::size_t zeros = (119 - num_bytes_ % 64) % 64;  // up to 8 bytes short of a whole block
  std::array<std::byte, 72> padding = {std::byte{0x80}};
  for (std::size_t i = 0; i < 8; ++i) {
    padding[1 + zeros + i] = static_cast<std::byte>(num_bits >> (56 - 8 * i));
  }
  update(std::span(padding).first(1 + zeros + 8));
  std::string hex;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 0xf];
  }
  return hex;
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string content_sha256(const ConstMatrixRef& X) {
  static_assert(std::endian::native == std::endian::little, "swap the bytes of X here");
  Sha256 hash;
  for (Index j = 0; j < X.cols(); ++j) {
    hash.update(std::as_bytes(std::span(X.col(j).data(), static_cast<std::size_t>(X.rows()))));
  }
  return hash.finish();
}

}  // namespace subspace
