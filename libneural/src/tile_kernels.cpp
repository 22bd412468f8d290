// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tile_kernels.h"

#include <algorithm>

#include "plain_tile_unit.h"
#include "tile_unit.h"

namespace subspace::neural {
namespace {

constexpr std::int64_t kWide = 32;   // channels that two tiles hold side by side
constexpr std::int64_t kTile = 512;  // numbers of a tile

std::int64_t wide_blocks(std::int64_t channels) { return (channels + kWide - 1) / kWide; }

/// Those of all pixels that lie inside.
std::vector<Meeting> all_meetings(const PlaneConvolution& shape) {
  std::vector<Meeting> found;
  const int border = shape.size / 2;
  for (int tap = 0; tap < shape.taps(); ++tap) {
    for (int row = 0; row < shape.rows_out(); ++row) {
      const int y = row * shape.stride + tap / shape.size - border;
      if (y < 0 || y >= shape.height) continue;
      for (int column = 0; column < shape.columns_out(); ++column) {
        const int x = column * shape.stride + tap % shape.size - border;
        if (x < 0 || x >= shape.width) continue;
        found.push_back({tap, y * shape.width + x, row * shape.columns_out() + column});
      }
    }
  }
  return found;
}

MeetingTable sorted_by(const PlaneConvolution& shape, int Meeting::*key, std::int64_t keys) {
  MeetingTable table = {.meetings = all_meetings(shape)};
  std::stable_sort(table.meetings.begin(), table.meetings.end(),
                   [key](const Meeting& a, const Meeting& b) { return a.*key < b.*key; });
  table.first.assign(static_cast<std::size_t>(keys) + 1, 0);
  for (const Meeting& meeting : table.meetings) {
    ++table.first[static_cast<std::size_t>(meeting.*key) + 1];
  }
  for (std::size_t k = 1; k < table.first.size(); ++k) table.first[k] += table.first[k - 1];
  return table;
}

/// How far apart the weights of two neighbouring taps, summed and resulting channels lie.
struct WeightSteps {
  std::int64_t tap = 0, summed = 0, result = 0;
};

/// Tiles [tap][32 summed channels][32 results][2], each with the pairs of summed channels as rows.
TileBuffer tiles_of(const float* weights, int taps, std::int64_t summed, std::int64_t results,
                    const WeightSteps& steps) {
  const std::int64_t k_blocks = wide_blocks(summed), n_blocks = wide_blocks(results);
  TileBuffer tiles(static_cast<std::size_t>(taps * k_blocks * n_blocks * 2 * kTile / kWide));
  BFloat16* out = tiles.front().numbers;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t k = 0; k < summed; ++k) {
      for (std::int64_t n = 0; n < results; ++n) {
        const std::int64_t tile = ((tap * k_blocks + k / 32) * n_blocks + n / 32) * 2 + n % 32 / 16;
        const std::int64_t inside = k % 32 / 2 * 32 + n % 16 * 2 + k % 2;
        out[tile * kTile + inside] =
            rounded_to<BFloat16>(weights[tap * steps.tap + k * steps.summed + n * steps.result]);
      }
    }
  }
  return tiles;
}

/// Planes of pictures and the tiles they are brought to.
struct Planes {
  std::int64_t pixels = 0;
  std::int64_t channels = 0;
  std::int64_t numbers() const { return pixels * channels; }
  std::int64_t blocks() const { return wide_blocks(channels); }
  /// Cache lines of up to kPicturesOfTile pictures, channels filled up.
  std::size_t lines() const {
    return static_cast<std::size_t>(pixels * blocks() * kPicturesOfTile);
  }
};

Planes planes_in(const PlaneConvolution& shape) { return {shape.pixels_in(), shape.channels_in}; }
Planes planes_out(const PlaneConvolution& shape) {
  return {shape.pixels_out(), shape.channels_out};
}

/// [pixel][picture][channel], zero beyond the pictures and channels there are.
void gather(const Planes& planes, const BFloat16* numbers, std::int64_t pictures,
            TileBuffer& gathered) {
  const bool leaves_gaps = pictures < kPicturesOfTile || planes.channels % kWide != 0;
  if (leaves_gaps) gathered.assign(planes.lines(), CacheLine{});
  gathered.resize(planes.lines());
  BFloat16* out = gathered.front().numbers;
  const std::int64_t width = planes.blocks() * kWide;
  for (std::int64_t picture = 0; picture < pictures; ++picture) {
    for (std::int64_t pixel = 0; pixel < planes.pixels; ++pixel, numbers += planes.channels) {
      std::copy_n(numbers, planes.channels, out + (pixel * kPicturesOfTile + picture) * width);
    }
  }
}

/// One pixel of the result at a time: the sum over its meetings of a gathered pixel and a tap.
template <typename Unit>
void multiply(const MeetingTable& table, int Meeting::*from, const Planes& source,
              const Planes& result, const TileBuffer& weights, const BFloat16* numbers,
              std::int64_t pictures, BFloat16* out) {
  thread_local TileBuffer gathered;
  gather(source, numbers, pictures, gathered);
  Unit unit;
  for (std::int64_t pixel = 0; pixel < result.pixels; ++pixel) {
    const auto at = static_cast<std::size_t>(pixel);
    for (std::int64_t block = 0; block < result.blocks(); ++block) {
      unit.clear();
      for (std::size_t m = table.first[at]; m < table.first[at + 1]; ++m) {
        const Meeting& meeting = table.meetings[m];
        const BFloat16* a =
            gathered.front().numbers + meeting.*from * kPicturesOfTile * source.blocks() * kWide;
        const BFloat16* b = weights.front().numbers +
                            (meeting.tap * source.blocks() * result.blocks() + block) * 2 * kTile;
        unit.add_rows_times_tiles(a, b, source.blocks(), result.blocks());
      }
      const std::int64_t first = block * kWide;
      unit.write(out + pixel * result.channels + first, result.numbers(), pictures,
                 std::min(kWide, result.channels - first));
    }
  }
}

/// Groups of pictures whose tiles fit the second cache of a core together.
std::int64_t groups_at_once(const Planes& in, const Planes& out) {
  constexpr double kBytes = 768e3;
  const auto bytes = static_cast<double>((in.lines() + out.lines()) * sizeof(CacheLine));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(kBytes / bytes));
}

/// Sums over pictures of products of two channels, [tap][channel in][channel out], both filled up.
template <typename Unit>
class WeightSums {
 public:
  explicit WeightSums(const PlaneConvolution& shape)
      : in_(planes_in(shape)),
        out_(planes_out(shape)),
        taps_(shape.taps()),
        lines_(static_cast<std::size_t>(taps_ * in_.blocks() * out_.blocks() * kWide * 2)) {}

  /// in: [group][pixel][channel][picture]; out: [group][pixel][16 channels][pair of pictures].
  void add(const MeetingTable& by_tap, const TileBuffer& in, const TileBuffer& out,
           std::int64_t groups) {
    Unit unit;
    const std::int64_t row = out_.blocks() * kWide;
    for (std::int64_t tap = 0; tap < taps_; ++tap) {
      for (std::int64_t k = 0; k < in_.blocks(); ++k) {
        for (std::int64_t n = 0; n < out_.blocks(); ++n) {
          float* sums = lines_.front().sums + ((tap * in_.blocks() + k) * kWide) * row + n * kWide;
          unit.load_sums(sums, row);
          add_meetings(unit, by_tap, static_cast<std::size_t>(tap), in, out, groups, k, n);
          unit.store_sums(sums, row);
        }
      }
    }
  }

  /// As the weights lie: (channel out, tap, channel in).
  void write(float* weights) const {
    const std::int64_t row = out_.blocks() * kWide;
    for (std::int64_t tap = 0; tap < taps_; ++tap) {
      for (std::int64_t n = 0; n < out_.channels; ++n) {
        const float* sums = lines_.front().sums + tap * in_.blocks() * kWide * row + n;
        float* to = weights + (n * taps_ + tap) * in_.channels;
        for (std::int64_t k = 0; k < in_.channels; ++k) to[k] = sums[k * row];
      }
    }
  }

 private:
  void add_meetings(Unit& unit, const MeetingTable& by_tap, std::size_t tap, const TileBuffer& in,
                    const TileBuffer& out, std::int64_t groups, std::int64_t k,
                    std::int64_t n) const {
    for (std::int64_t group = 0; group < groups; ++group) {
      for (std::size_t m = by_tap.first[tap]; m < by_tap.first[tap + 1]; ++m) {
        const Meeting& meeting = by_tap.meetings[m];
        const std::int64_t a = ((group * in_.pixels + meeting.in) * in_.blocks() + k) * 2 * kTile;
        const std::int64_t b =
            ((group * out_.pixels + meeting.out) * out_.blocks() + n) * 2 * kTile;
        unit.add_tiles_times_tiles(in.front().numbers + a, out.front().numbers + b);
      }
    }
  }

  struct alignas(64) Line {
    float sums[16];
  };
  Planes in_, out_;
  std::int64_t taps_ = 0;
  std::vector<Line> lines_;
};

/// Tiles of all pixels of a group of pictures, with pairs of pictures side by side.
template <typename WriteTile>
void interleave(const Planes& planes, const BFloat16* numbers, std::int64_t pictures,
                BFloat16* tiles, const WriteTile& write_tile) {
  for (std::int64_t pixel = 0; pixel < planes.pixels; ++pixel) {
    for (std::int64_t first = 0; first < planes.blocks() * kWide; first += 16, tiles += kTile) {
      write_tile(numbers + pixel * planes.channels + first, planes.numbers(), pictures,
                 std::clamp<std::int64_t>(planes.channels - first, 0, 16), tiles);
    }
  }
}

}  // namespace

MeetingTable meetings_by_out(const PlaneConvolution& shape) {
  return sorted_by(shape, &Meeting::out, shape.pixels_out());
}
MeetingTable meetings_by_in(const PlaneConvolution& shape) {
  return sorted_by(shape, &Meeting::in, shape.pixels_in());
}
MeetingTable meetings_by_tap(const PlaneConvolution& shape) {
  return sorted_by(shape, &Meeting::tap, shape.taps());
}

TileBuffer tiles_of_weights(const PlaneConvolution& shape, const float* weights) {
  return tiles_of(
      weights, shape.taps(), shape.channels_in, shape.channels_out,
      {.tap = shape.channels_in, .summed = 1, .result = shape.taps() * shape.channels_in});
}

TileBuffer tiles_of_transposed_weights(const PlaneConvolution& shape, const float* weights) {
  return tiles_of(
      weights, shape.taps(), shape.channels_out, shape.channels_in,
      {.tap = shape.channels_in, .summed = shape.taps() * shape.channels_in, .result = 1});
}

template <typename Unit>
void TileKernels<Unit>::convolve_planes(const PlaneConvolution& shape, const MeetingTable& by_out,
                                        const TileBuffer& weights, const BFloat16* in,
                                        std::int64_t pictures, BFloat16* out) {
  multiply<Unit>(by_out, &Meeting::in, planes_in(shape), planes_out(shape), weights, in, pictures,
                 out);
}

template <typename Unit>
void TileKernels<Unit>::convolve_back(const PlaneConvolution& shape, const MeetingTable& by_in,
                                      const TileBuffer& transposed, const BFloat16* gradient,
                                      std::int64_t pictures, BFloat16* in) {
  multiply<Unit>(by_in, &Meeting::out, planes_out(shape), planes_in(shape), transposed, gradient,
                 pictures, in);
}

template <typename Unit>
void TileKernels<Unit>::weight_gradient(const PlaneConvolution& shape, const MeetingTable& by_tap,
                                        const BFloat16* in, const BFloat16* gradient,
                                        std::int64_t pictures, float* weights) {
  const Planes planes = planes_in(shape), results = planes_out(shape);
  const std::int64_t at_once = groups_at_once(planes, results);
  thread_local TileBuffer as_rows, as_pairs;
  as_rows.resize(planes.lines() * static_cast<std::size_t>(at_once));
  as_pairs.resize(results.lines() * static_cast<std::size_t>(at_once));
  WeightSums<Unit> sums(shape);
  std::int64_t groups = 0;
  for (std::int64_t first = 0; first < pictures; first += kPicturesOfTile) {
    const std::int64_t count = std::min(kPicturesOfTile, pictures - first);
    const auto group = static_cast<std::size_t>(groups++);
    interleave(planes, in + first * planes.numbers(), count,
               as_rows[group * planes.lines()].numbers, Unit::write_tile_of_rows);
    interleave(results, gradient + first * results.numbers(), count,
               as_pairs[group * results.lines()].numbers, Unit::write_tile_of_pairs);
    if (groups < at_once && first + kPicturesOfTile < pictures) continue;
    sums.add(by_tap, as_rows, as_pairs, groups);
    groups = 0;
  }
  sums.write(weights);
}

template struct TileKernels<TileUnit>;
template struct TileKernels<PlainTileUnit>;

}  // namespace subspace::neural
