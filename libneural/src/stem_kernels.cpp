// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "stem_kernels.h"

#include <algorithm>
#include <numeric>

#include <subspace/core/instruction_sets.h>

namespace subspace::neural {
namespace {

using Lanes [[gnu::vector_size(sizeof(float) * kStemLanes)]] = float;
using Places [[gnu::vector_size(sizeof(std::int32_t) * kStemLanes)]] = std::int32_t;

/// Eight numbers in memory, at any address. Arithmetic on them stands in the cloned functions
/// themselves: GCC splits that of an inlined one before it is cloned.
struct [[gnu::packed, gnu::may_alias]] LanesInMemory {
  Lanes lanes;
};

[[gnu::always_inline]] inline const LanesInMemory& at(const float* x) {
  return *reinterpret_cast<const LanesInMemory*>(x);
}
[[gnu::always_inline]] inline LanesInMemory& at(float* x) {
  return *reinterpret_cast<LanesInMemory*>(x);
}

/// Rows of values under taps: where the row of each tap starts, and how far apart rows are.
struct TapRows {
  const float* planes = nullptr;
  const std::size_t* offsets = nullptr;
  std::size_t stride = 0;
  int taps = 0;
};

/// One row of the convolution, two registers of filters and four places at a time.
SUBSPACE_CLONES void convolve_row(const TapRows& in, int row, int columns, const float* weights,
                                  int filters, const float* scale, const float* shift, float* out) {
  constexpr int kPlaces = 4;
  const std::size_t first = static_cast<std::size_t>(row) * in.stride;
  for (int f = 0; f < filters; f += 2 * kStemLanes) {
    const Lanes scale_low = at(scale + f).lanes, scale_high = at(scale + f + kStemLanes).lanes;
    const Lanes shift_low = at(shift + f).lanes, shift_high = at(shift + f + kStemLanes).lanes;
    for (int x = 0; x < columns; x += kPlaces) {
      Lanes low0 = {}, low1 = {}, low2 = {}, low3 = {};
      Lanes high0 = {}, high1 = {}, high2 = {}, high3 = {};
      for (int t = 0; t < in.taps; ++t) {
        const float* values = in.planes + in.offsets[t] + first + x;
        const Lanes low = at(weights + t * filters + f).lanes;
        const Lanes high = at(weights + t * filters + f + kStemLanes).lanes;
        low0 += values[0] * low;
        high0 += values[0] * high;
        low1 += values[1] * low;
        high1 += values[1] * high;
        low2 += values[2] * low;
        high2 += values[2] * high;
        low3 += values[3] * low;
        high3 += values[3] * high;
      }
      float* place = out + static_cast<std::size_t>(x) * filters + f;
      const Lanes lows[kPlaces] = {low0, low1, low2, low3};
      const Lanes highs[kPlaces] = {high0, high1, high2, high3};
      for (int p = 0; p < std::min(kPlaces, columns - x); ++p, place += filters) {
        at(place).lanes = lows[p] * scale_low + shift_low;
        at(place + kStemLanes).lanes = highs[p] * scale_high + shift_high;
      }
    }
  }
}

/// The largest of a window of up to 3 x 3 values for eight filters, the first among equals, and
/// which it was; cut off at zero.
SUBSPACE_CLONES void pool_row(const float* values, int rows, int columns, int filters, int row,
                              int pooled_columns, float* pooled, std::uint8_t* winners,
                              int kept_filters) {
  for (int x = 0; x < pooled_columns; ++x) {
    for (int f = 0; f < filters; f += kStemLanes) {
      Lanes best = {};
      Places winner = Places{} + std::int32_t{kCutOff};
      for (int dy = 0; dy < 3; ++dy) {
        const int y = 2 * row - 1 + dy;
        if (y < 0 || y >= rows) continue;
        for (int dx = 0; dx < 3; ++dx) {
          const int column = 2 * x - 1 + dx;
          if (column < 0 || column >= columns) continue;
          const Lanes value =
              at(values + (static_cast<std::size_t>(y) * columns + column) * filters + f).lanes;
          const Places larger = value > best;
          best = larger ? value : best;
          winner = larger ? Places{} + (3 * dy + dx) : winner;
        }
      }
      const int kept = std::min(kStemLanes, kept_filters - f);
      for (int lane = 0; lane < kept; ++lane) {
        pooled[f + lane] = best[lane];
        winners[f + lane] = static_cast<std::uint8_t>(winner[lane]);
      }
    }
    pooled += kept_filters;
    winners += kept_filters;
  }
}

/// products[t][f] += sum over the places of a row of tap t times value f; four taps and two
/// registers of filters at a time.
SUBSPACE_CLONES void correlate_row(const TapRows& in, int row, int columns, const float* values,
                                   int filters, float* products) {
  const std::size_t first = static_cast<std::size_t>(row) * in.stride;
  for (int f = 0; f < filters; f += 2 * kStemLanes) {
    for (int t = 0; t < in.taps; t += 4) {
      // A last group of fewer than four repeats its last tap; what is repeated is not kept.
      const int last = in.taps - 1;
      const float* a = in.planes + in.offsets[t] + first;
      const float* b = in.planes + in.offsets[std::min(t + 1, last)] + first;
      const float* c = in.planes + in.offsets[std::min(t + 2, last)] + first;
      const float* d = in.planes + in.offsets[std::min(t + 3, last)] + first;
      Lanes a_low = {}, a_high = {}, b_low = {}, b_high = {};
      Lanes c_low = {}, c_high = {}, d_low = {}, d_high = {};
      const float* value = values + f;
      for (int x = 0; x < columns; ++x, value += filters) {
        const Lanes low = at(value).lanes;
        const Lanes high = at(value + kStemLanes).lanes;
        a_low += a[x] * low;
        a_high += a[x] * high;
        b_low += b[x] * low;
        b_high += b[x] * high;
        c_low += c[x] * low;
        c_high += c[x] * high;
        d_low += d[x] * low;
        d_high += d[x] * high;
      }
      const Lanes lows[4] = {a_low, b_low, c_low, d_low};
      const Lanes highs[4] = {a_high, b_high, c_high, d_high};
      for (int k = 0; k < std::min(4, in.taps - t); ++k) {
        float* product = products + static_cast<std::size_t>(t + k) * filters + f;
        at(product).lanes += lows[k];
        at(product + kStemLanes).lanes += highs[k];
      }
    }
  }
}

/// sums[k] = sum over all places of tap[x] others[k][x], four others at a time; lanes are joined in
/// one order.
SUBSPACE_CLONES void dot_rows(const float* tap, const float* const* others, std::size_t stride,
                              int rows, int columns, float* sums) {
  Lanes lanes0 = {}, lanes1 = {}, lanes2 = {}, lanes3 = {};
  float rest[4] = {};
  for (int row = 0; row < rows; ++row) {
    const std::size_t first = static_cast<std::size_t>(row) * stride;
    const float* a = tap + first;
    const float *b0 = others[0] + first, *b1 = others[1] + first;
    const float *b2 = others[2] + first, *b3 = others[3] + first;
    int x = 0;
    for (; x + kStemLanes <= columns; x += kStemLanes) {
      const Lanes value = at(a + x).lanes;
      lanes0 += value * at(b0 + x).lanes;
      lanes1 += value * at(b1 + x).lanes;
      lanes2 += value * at(b2 + x).lanes;
      lanes3 += value * at(b3 + x).lanes;
    }
    for (; x < columns; ++x) {
      rest[0] += a[x] * b0[x];
      rest[1] += a[x] * b1[x];
      rest[2] += a[x] * b2[x];
      rest[3] += a[x] * b3[x];
    }
  }
  const Lanes all[4] = {lanes0, lanes1, lanes2, lanes3};
  for (int k = 0; k < 4; ++k) {
    const Lanes& sum = all[k];
    sums[k] =
        ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])) + rest[k];
  }
}

/// The gradient of pooling and ReLU: what each window got goes back to its winner.
void scatter(const float* gradient, const std::uint8_t* winners, const StemShape& shape,
             float* values, double* sums) {
  const int filters = shape.padded_filters();
  std::ptrdiff_t places[9];
  for (int w = 0; w < 9; ++w) places[w] = std::ptrdiff_t{w / 3 * shape.columns() + w % 3} * filters;
  for (int row = 0; row < shape.pooled_rows(); ++row) {
    for (int x = 0; x < shape.pooled_columns(); ++x) {
      // The corner of the window may lie outside of the plane; a winner never does.
      const std::ptrdiff_t corner =
          (std::ptrdiff_t{2 * row - 1} * shape.columns() + (2 * x - 1)) * filters;
      for (int f = 0; f < shape.filters; ++f) {
        if (winners[f] == kCutOff) continue;
        values[corner + places[winners[f]] + f] += gradient[f];
        sums[f] += gradient[f];
      }
      gradient += shape.filters;
      winners += shape.filters;
    }
  }
}

}  // namespace

/// Place (i, j) of the convolution sees (2 i + dy, 2 j + dx) of the padded picture under tap (dy,
/// dx): with even and odd rows and columns apart, one row under one tap is a run of numbers.
StemWorkspace::StemWorkspace(const StemShape& shape)
    : shape_(shape), plane_width_(shape.columns() + shape.size / 2) {
  const int plane_height = shape.rows() + shape.size / 2;
  const std::size_t plane = static_cast<std::size_t>(plane_height) * plane_width_;
  for (int c = 0; c < shape.channels; ++c) {
    for (int dy = 0; dy < shape.size; ++dy) {
      for (int dx = 0; dx < shape.size; ++dx) {
        const auto parity = static_cast<std::size_t>(4 * c + 2 * (dy % 2) + dx % 2);
        tap_offsets_.push_back(parity * plane +
                               static_cast<std::size_t>(dy / 2 * plane_width_ + dx / 2));
      }
    }
  }
  // The last places of a row are computed four at a time: what is read past the end is not used.
  planes_.assign(4 * shape.channels * plane + kStemLanes, 0.0F);
  values_.assign(shape.pixels() * static_cast<std::size_t>(shape.padded_filters()), 0.0F);
}

void StemWorkspace::load(const float* picture) {
  const int border = shape_.size / 2;
  const int plane_height = shape_.rows() + border;
  for (int c = 0; c < shape_.channels; ++c) {
    for (int y = 0; y < shape_.height; ++y) {
      const int row = y + border;
      float* even =
          planes_.data() +
          static_cast<std::size_t>((4 * c + 2 * (row % 2)) * plane_height + row / 2) * plane_width_;
      float* odd = even + static_cast<std::size_t>(plane_height) * plane_width_;
      for (int x = 0; x < shape_.width; ++x, ++picture) {
        const int column = x + border;
        (column % 2 == 0 ? even : odd)[column / 2] = *picture;
      }
    }
  }
}

void StemWorkspace::add_moments(double* products, double* sums) {
  const int taps = shape_.taps();
  const auto stride = static_cast<std::size_t>(plane_width_);
  for (int t = 0; t < taps; ++t) {
    double sum = 0.0;
    for (int row = 0; row < shape_.rows(); ++row) {
      const float* values = under(t, row);
      sum += std::accumulate(values, values + shape_.columns(), 0.0F);
    }
    sums[t] += sum;
    // A last group of fewer than four repeats tap t; what is repeated is not kept.
    for (int u = 0; u <= t; u += 4) {
      const float* others[4];
      for (int k = 0; k < 4; ++k) others[k] = under(std::min(u + k, t), 0);
      float found[4];
      dot_rows(under(t, 0), others, stride, shape_.rows(), shape_.columns(), found);
      for (int k = 0; k < std::min(4, t - u + 1); ++k) products[t * taps + u + k] += found[k];
    }
  }
}

void StemWorkspace::forward(const float* weights, const float* scale, const float* shift,
                            float* pooled, std::uint8_t* winners) {
  const TapRows taps = {planes_.data(), tap_offsets_.data(), static_cast<std::size_t>(plane_width_),
                        shape_.taps()};
  const int filters = shape_.padded_filters();
  const std::size_t row_size = static_cast<std::size_t>(shape_.columns()) * filters;
  for (int row = 0; row < shape_.rows(); ++row) {
    convolve_row(taps, row, shape_.columns(), weights, filters, scale, shift,
                 values_.data() + row * row_size);
  }
  const std::size_t pooled_row = static_cast<std::size_t>(shape_.pooled_columns()) * shape_.filters;
  for (int row = 0; row < shape_.pooled_rows(); ++row) {
    pool_row(values_.data(), shape_.rows(), shape_.columns(), filters, row, shape_.pooled_columns(),
             pooled + row * pooled_row, winners + row * pooled_row, shape_.filters);
  }
}

void StemWorkspace::add_gradients(const float* gradient, const std::uint8_t* winners,
                                  float* products, double* sums) {
  std::fill(values_.begin(), values_.end(), 0.0F);
  scatter(gradient, winners, shape_, values_.data(), sums);
  const TapRows taps = {planes_.data(), tap_offsets_.data(), static_cast<std::size_t>(plane_width_),
                        shape_.taps()};
  const int filters = shape_.padded_filters();
  for (int row = 0; row < shape_.rows(); ++row) {
    correlate_row(taps, row, shape_.columns(),
                  values_.data() + static_cast<std::size_t>(row) * shape_.columns() * filters,
                  filters, products);
  }
}

}  // namespace subspace::neural
