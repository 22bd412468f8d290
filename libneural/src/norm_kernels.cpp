// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_kernels.h"

#include <subspace/core/instruction_sets.h>

// Plain loops over the channels of a pixel: compilers make vectors of them.
namespace subspace::neural {

SUBSPACE_CLONES void add_channel_moments(const float* __restrict x, std::int64_t pixels,
                                         std::int64_t channels, const float* __restrict shift,
                                         float* __restrict sums, float* __restrict squares) {
  for (std::int64_t p = 0; p < pixels; ++p, x += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float moved = x[c] - shift[c];
      sums[c] += moved;
      squares[c] += moved * moved;
    }
  }
}

namespace {

/// What is not a number stays so.
template <bool kAdds>
[[gnu::always_inline]] inline void normalise_pixels(const float* __restrict x,
                                                    const float* __restrict added,
                                                    std::int64_t pixels, std::int64_t channels,
                                                    const float* __restrict scale,
                                                    const float* __restrict shift,
                                                    float* __restrict out) {
  for (std::int64_t p = 0; p < pixels; ++p, x += channels, out += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      float value = x[c] * scale[c] + shift[c];
      if constexpr (kAdds) value += added[p * channels + c];
      out[c] = value < 0.0F ? 0.0F : value;
    }
  }
}

}  // namespace

SUBSPACE_CLONES void normalise_and_cut(const float* x, const float* added, std::int64_t pixels,
                                       std::int64_t channels, const float* scale,
                                       const float* shift, float* out) {
  if (added != nullptr) {
    normalise_pixels<true>(x, added, pixels, channels, scale, shift, out);
  } else {
    normalise_pixels<false>(x, added, pixels, channels, scale, shift, out);
  }
}

SUBSPACE_CLONES void cut_gradient(const float* __restrict gradient, const float* __restrict out,
                                  const float* __restrict x, std::int64_t pixels,
                                  std::int64_t channels, const float* __restrict mean,
                                  float* __restrict cut, float* __restrict sums,
                                  float* __restrict products) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float passed = out[c] > 0.0F ? gradient[c] : 0.0F;
      cut[c] = passed;
      sums[c] += passed;
      products[c] += passed * (x[c] - mean[c]);
    }
    gradient += channels;
    out += channels;
    x += channels;
    cut += channels;
  }
}

SUBSPACE_CLONES void combine_gradient(const float* cut, const float* __restrict x,
                                      std::int64_t pixels, std::int64_t channels,
                                      const float* __restrict a, const float* __restrict b,
                                      const float* __restrict c, float* dx) {
  for (std::int64_t p = 0; p < pixels; ++p, cut += channels, x += channels, dx += channels) {
    for (std::int64_t k = 0; k < channels; ++k) dx[k] = cut[k] * a[k] + x[k] * b[k] + c[k];
  }
}

}  // namespace subspace::neural
