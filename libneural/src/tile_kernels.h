// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include "bfloat16.h"

/// Convolutions of planes of bfloat16 by the matrix unit of x86 processors (AMX), on one thread.
///
/// A tile holds 16 rows of 32 numbers. Here its rows are pictures: one pixel of 32 pictures is
/// multiplied with the weights of one tap of the filter at a time, so planes of any size fill the
/// tiles, taps beyond the border cost nothing, and a stride only changes which pixels meet. Sums
/// are single, as everywhere; what is written is rounded once.
namespace subspace::neural {

/// Filters of size 1 without or of size 3 with a border of one pixel.
struct PlaneConvolution {
  std::int64_t channels_in = 0, channels_out = 0;
  int height = 0, width = 0;  ///< of what goes in
  int size = 3;
  int stride = 1;

  int taps() const { return size * size; }
  int rows_out() const { return (height - 1) / stride + 1; }
  int columns_out() const { return (width - 1) / stride + 1; }
  std::int64_t pixels_in() const { return std::int64_t{height} * width; }
  std::int64_t pixels_out() const { return std::int64_t{rows_out()} * columns_out(); }
};

/// Two pixels that meet under a tap of the filter.
struct Meeting {
  int tap = 0;
  int in = 0;
  int out = 0;
};

/// The meetings of a convolution, those with the same key side by side.
struct MeetingTable {
  std::vector<Meeting> meetings = {};
  std::vector<std::size_t> first = {};  ///< of each key, and the end
};
MeetingTable meetings_by_out(const PlaneConvolution& shape);
MeetingTable meetings_by_in(const PlaneConvolution& shape);
MeetingTable meetings_by_tap(const PlaneConvolution& shape);

/// 64 bytes where a cache line begins.
struct alignas(64) CacheLine {
  BFloat16 numbers[32];
};
using TileBuffer = std::vector<CacheLine>;

/// Pictures that are multiplied together.
constexpr std::int64_t kPicturesOfTile = 32;
/// Pictures whose gradients of weights are summed in one place: fixed, so that sums do not depend
/// on the number of threads.
constexpr std::int64_t kPicturesOfSum = 4 * kPicturesOfTile;

/// Weights (channels_out, size, size, channels_in), rounded, as tiles that take planes in to planes
/// out, or gradients by planes out to gradients by planes in.
TileBuffer tiles_of_weights(const PlaneConvolution& shape, const float* weights);
TileBuffer tiles_of_transposed_weights(const PlaneConvolution& shape, const float* weights);

/// The passes of a convolution by a Unit: TileUnit, and for tests PlainTileUnit.
template <typename Unit>
struct TileKernels {
  /// Planes out of up to kPicturesOfTile pictures. Channels of a pixel lie together, then pixels,
  /// then pictures.
  static void convolve_planes(const PlaneConvolution& shape, const MeetingTable& by_out,
                              const TileBuffer& weights, const BFloat16* in, std::int64_t pictures,
                              BFloat16* out);
  /// The gradient by planes in, from that by planes out and the transposed weights.
  static void convolve_back(const PlaneConvolution& shape, const MeetingTable& by_in,
                            const TileBuffer& transposed, const BFloat16* gradient,
                            std::int64_t pictures, BFloat16* in);
  /// The gradient by the weights, laid out as they are, of any number of pictures.
  static void weight_gradient(const PlaneConvolution& shape, const MeetingTable& by_tap,
                              const BFloat16* in, const BFloat16* gradient, std::int64_t pictures,
                              float* weights);
};

}  // namespace subspace::neural
