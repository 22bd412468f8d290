// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "norm_kernels.h"

#include <subspace/core/instruction_sets.h>

// Plain loops over the channels of a pixel: compilers make vectors of them. A template cannot be
// compiled for several instruction sets, so each is inlined into a function that can.
#define SUBSPACE_INLINE [[gnu::always_inline]] inline

namespace subspace::neural {
namespace {

template <typename T>
SUBSPACE_INLINE void moments(const T* __restrict x, std::int64_t pixels, std::int64_t channels,
                             const float* __restrict shift, float* __restrict sums,
                             float* __restrict squares) {
  for (std::int64_t p = 0; p < pixels; ++p, x += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float moved = widened(x[c]) - shift[c];
      sums[c] += moved;
      squares[c] += moved * moved;
    }
  }
}

/// What is not a number stays so.
template <bool kAdds, typename T>
SUBSPACE_INLINE void normalise_pixels(const T* __restrict x, const T* __restrict added,
                                      std::int64_t pixels, std::int64_t channels,
                                      const float* __restrict scale, const float* __restrict shift,
                                      T* __restrict out) {
  for (std::int64_t p = 0; p < pixels; ++p, x += channels, out += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      float value = widened(x[c]) * scale[c] + shift[c];
      if constexpr (kAdds) value += widened(added[p * channels + c]);
      out[c] = rounded_to<T>(value < 0.0F ? 0.0F : value);
    }
  }
}

template <typename T>
SUBSPACE_INLINE void normalise(const T* x, const T* added, std::int64_t pixels,
                               std::int64_t channels, const float* scale, const float* shift,
                               T* out) {
  if (added != nullptr) {
    normalise_pixels<true>(x, added, pixels, channels, scale, shift, out);
  } else {
    normalise_pixels<false>(x, added, pixels, channels, scale, shift, out);
  }
}

template <typename T>
SUBSPACE_INLINE void cut_pixels(const T* __restrict gradient, const T* __restrict out,
                                const T* __restrict x, std::int64_t pixels, std::int64_t channels,
                                const float* __restrict mean, T* __restrict cut,
                                float* __restrict sums, float* __restrict products) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float passed = widened(out[c]) > 0.0F ? widened(gradient[c]) : 0.0F;
      cut[c] = rounded_to<T>(passed);
      sums[c] += passed;
      products[c] += passed * (widened(x[c]) - mean[c]);
    }
    gradient += channels;
    out += channels;
    x += channels;
    cut += channels;
  }
}

template <typename T>
SUBSPACE_INLINE void combine(const T* cut, const T* __restrict x, std::int64_t pixels,
                             std::int64_t channels, const float* __restrict a,
                             const float* __restrict b, const float* __restrict c, T* dx) {
  for (std::int64_t p = 0; p < pixels; ++p, cut += channels, x += channels, dx += channels) {
    for (std::int64_t k = 0; k < channels; ++k) {
      dx[k] = rounded_to<T>(widened(cut[k]) * a[k] + widened(x[k]) * b[k] + c[k]);
    }
  }
}

}  // namespace

SUBSPACE_CLONES void add_channel_moments(const float* x, std::int64_t pixels, std::int64_t channels,
                                         const float* shift, float* sums, float* squares) {
  moments(x, pixels, channels, shift, sums, squares);
}
SUBSPACE_CLONES void add_channel_moments(const BFloat16* x, std::int64_t pixels,
                                         std::int64_t channels, const float* shift, float* sums,
                                         float* squares) {
  moments(x, pixels, channels, shift, sums, squares);
}

SUBSPACE_CLONES void normalise_and_cut(const float* x, const float* added, std::int64_t pixels,
                                       std::int64_t channels, const float* scale,
                                       const float* shift, float* out) {
  normalise(x, added, pixels, channels, scale, shift, out);
}
SUBSPACE_CLONES void normalise_and_cut(const BFloat16* x, const BFloat16* added,
                                       std::int64_t pixels, std::int64_t channels,
                                       const float* scale, const float* shift, BFloat16* out) {
  normalise(x, added, pixels, channels, scale, shift, out);
}

SUBSPACE_CLONES void cut_gradient(const float* gradient, const float* out, const float* x,
                                  std::int64_t pixels, std::int64_t channels, const float* mean,
                                  float* cut, float* sums, float* products) {
  cut_pixels(gradient, out, x, pixels, channels, mean, cut, sums, products);
}
SUBSPACE_CLONES void cut_gradient(const BFloat16* gradient, const BFloat16* out, const BFloat16* x,
                                  std::int64_t pixels, std::int64_t channels, const float* mean,
                                  BFloat16* cut, float* sums, float* products) {
  cut_pixels(gradient, out, x, pixels, channels, mean, cut, sums, products);
}

SUBSPACE_CLONES void combine_gradient(const float* cut, const float* x, std::int64_t pixels,
                                      std::int64_t channels, const float* a, const float* b,
                                      const float* c, float* dx) {
  combine(cut, x, pixels, channels, a, b, c, dx);
}
SUBSPACE_CLONES void combine_gradient(const BFloat16* cut, const BFloat16* x, std::int64_t pixels,
                                      std::int64_t channels, const float* a, const float* b,
                                      const float* c, BFloat16* dx) {
  combine(cut, x, pixels, channels, a, b, c, dx);
}

}  // namespace subspace::neural
