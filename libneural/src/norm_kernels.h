// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "bfloat16.h"

/// Batch normalisation, an addition and ReLU over some pixels whose channels lie together, on one
/// thread: each touches memory once where a library does three times. Planes are stored as float or
/// as BFloat16; all sums and all that belongs to a channel are float.
namespace subspace::neural {

/// sums[c] += sum of x - shift[c], squares[c] += sum of its squares.
void add_channel_moments(const float* x, std::int64_t pixels, std::int64_t channels,
                         const float* shift, float* sums, float* squares);
void add_channel_moments(const BFloat16* x, std::int64_t pixels, std::int64_t channels,
                         const float* shift, float* sums, float* squares);

/// out = max(0, x scale + shift + added); nothing is added where `added` is null.
void normalise_and_cut(const float* x, const float* added, std::int64_t pixels,
                       std::int64_t channels, const float* scale, const float* shift, float* out);
void normalise_and_cut(const BFloat16* x, const BFloat16* added, std::int64_t pixels,
                       std::int64_t channels, const float* scale, const float* shift,
                       BFloat16* out);

/// cut = gradient where out > 0, else 0; sums[c] += sum of cut, products[c] += sum of
/// cut (x - mean[c]).
void cut_gradient(const float* gradient, const float* out, const float* x, std::int64_t pixels,
                  std::int64_t channels, const float* mean, float* cut, float* sums,
                  float* products);
void cut_gradient(const BFloat16* gradient, const BFloat16* out, const BFloat16* x,
                  std::int64_t pixels, std::int64_t channels, const float* mean, BFloat16* cut,
                  float* sums, float* products);

/// dx = cut a[c] + x b[c] + c[c]; dx may be cut.
void combine_gradient(const float* cut, const float* x, std::int64_t pixels, std::int64_t channels,
                      const float* a, const float* b, const float* c, float* dx);
void combine_gradient(const BFloat16* cut, const BFloat16* x, std::int64_t pixels,
                      std::int64_t channels, const float* a, const float* b, const float* c,
                      BFloat16* dx);

}  // namespace subspace::neural
