// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

/// Batch normalisation, an addition and ReLU over some pixels whose channels lie together, on one
/// thread: each touches memory once where a library does three times.
namespace subspace::neural {

/// sums[c] += sum of x - shift[c], squares[c] += sum of its squares.
void add_channel_moments(const float* x, std::int64_t pixels, std::int64_t channels,
                         const float* shift, float* sums, float* squares);

/// out = max(0, x scale + shift + added); nothing is added where `added` is null.
void normalise_and_cut(const float* x, const float* added, std::int64_t pixels,
                       std::int64_t channels, const float* scale, const float* shift, float* out);

/// cut = gradient where out > 0, else 0; sums[c] += sum of cut, products[c] += sum of
/// cut (x - mean[c]).
void cut_gradient(const float* gradient, const float* out, const float* x, std::int64_t pixels,
                  std::int64_t channels, const float* mean, float* cut, float* sums,
                  float* products);

/// dx = cut a[c] + x b[c] + c[c]; dx may be cut.
void combine_gradient(const float* cut, const float* x, std::int64_t pixels, std::int64_t channels,
                      const float* a, const float* b, const float* c, float* dx);

}  // namespace subspace::neural
