// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/array.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <subspace/core/memory.h>

namespace subspace::datasets {
namespace {

/// The file seen as `outer` runs of `inner` numbers each.
struct Layout {
  Index samples = 0;
  Index features = 0;
  bool samples_innermost = false;
  std::vector<Index> feature_of_position =
      {};  ///< empty: the p-th position in the file is feature p

  Index feature(Index position) const {
    return feature_of_position.empty() ? position
                                       : feature_of_position[static_cast<std::size_t>(position)];
  }
};

/// For each position, counted with the first of `axes` fastest, the number of the same element
/// counted with the last axis fastest.
std::vector<Index> last_axis_fastest(const std::vector<std::int64_t>& axes) {
  const std::size_t n = axes.size();
  std::vector<Index> stride(n, 1);
  for (std::size_t axis = n - 1; axis > 0; --axis) stride[axis - 1] = stride[axis] * axes[axis];
  std::vector<Index> number(static_cast<std::size_t>(stride[0] * axes[0]));
  std::vector<std::int64_t> counter(n, 0);
  Index current = 0;
  for (auto& entry : number) {
    entry = current;
    for (std::size_t axis = 0; axis < n; ++axis) {
      current += stride[axis];
      if (++counter[axis] < axes[axis]) break;
      current -= stride[axis] * axes[axis];
      counter[axis] = 0;
    }
  }
  return number;
}

Layout make_layout(const ArrayHeader& header, bool columns_are_samples) {
  const auto& shape = header.variable.shape;
  const bool last_axis = columns_are_samples && shape.size() > 1;
  std::vector<std::int64_t> feature_axes = shape;
  feature_axes.erase(last_axis ? feature_axes.end() - 1 : feature_axes.begin());

  Layout layout;
  layout.samples = last_axis ? shape.back() : shape.front();
  layout.features =
      std::accumulate(feature_axes.begin(), feature_axes.end(), Index{1}, std::multiplies<>());
  layout.samples_innermost = header.first_index_fastest != last_axis;
  if (feature_axes.size() > 1 && header.first_index_fastest && !header.flatten_first_fastest) {
    layout.feature_of_position = last_axis_fastest(feature_axes);
  }
  return layout;
}

/// Calls use(first element, number of elements, bytes) for consecutive pieces of the payload.
/// Pieces hold whole runs of `run` elements if a run fits into one.
template <typename Use>
void for_pieces(OpenArray& array, Index count, Index run, const Context& context, const Use& use) {
  const Index size = array.header.type.bytes;
  const Index most = static_cast<Index>(ByteStream::kMaxTake) / 4 / size;
  const Index piece = run <= most ? most / run * run : most;
  for (Index begin = 0; begin < count;) {
    context.throw_if_cancelled();
    const Index until_run_end = run <= most ? count - begin : run - begin % run;
    const Index length = std::min({piece, count - begin, until_run_end});
    use(begin, length, array.payload->take(static_cast<std::size_t>(length * size)).data());
    begin += length;
  }
}

void finish_payload(OpenArray& array) {
  array.payload->take(static_cast<std::size_t>(array.trailing_bytes));
  array.payload->finish();
}

constexpr Index kTileSide = 32;

/// X(feature(p0 + p), n0 + n) = source[p * samples + n] by square tiles, so that neither side of
/// the transposition is walked with a long stride.
void scatter_transposed(const ElementType& type, const Layout& layout, const std::byte* source,
                        Index p0, Index num_positions, Index n0, Index num_samples,
                        Index row_length, Matrix& X) {
  std::array<double, kTileSide * kTileSide> tile;
  for (Index p = 0; p < num_positions; p += kTileSide) {
    const Index height = std::min(kTileSide, num_positions - p);
    for (Index n = 0; n < num_samples; n += kTileSide) {
      const Index width = std::min(kTileSide, num_samples - n);
      for (Index i = 0; i < height; ++i) {
        widen(type, source + ((p + i) * row_length + n) * type.bytes, width, tile.data() + i,
              kTileSide);
      }
      for (Index j = 0; j < width; ++j) {
        double* column = X.data() + (n0 + n + j) * layout.features;
        for (Index i = 0; i < height; ++i) {
          column[layout.feature(p0 + p + i)] = tile[static_cast<std::size_t>(j * kTileSide + i)];
        }
      }
    }
  }
}

void read_samples_innermost(OpenArray& array, const Layout& layout, const Context& context,
                            Matrix& X) {
  for_pieces(array, X.size(), layout.samples, context,
             [&](Index begin, Index length, const std::byte* bytes) {
               const Index p0 = begin / layout.samples;
               const Index n0 = begin % layout.samples;
               const Index positions = std::max<Index>(1, length / layout.samples);
               scatter_transposed(array.header.type, layout, bytes, p0, positions, n0,
                                  length / positions, layout.samples, X);
             });
}

void read_features_innermost(OpenArray& array, const Layout& layout, const Context& context,
                             Matrix& X) {
  if (layout.feature_of_position.empty()) {
    for_pieces(array, X.size(), 1, context, [&](Index begin, Index length, const std::byte* bytes) {
      widen(array.header.type, bytes, length, X.data() + begin, 1);
    });
    return;
  }
  std::vector<double> values;
  for_pieces(array, X.size(), 1, context, [&](Index begin, Index length, const std::byte* bytes) {
    values.resize(static_cast<std::size_t>(length));
    widen(array.header.type, bytes, length, values.data(), 1);
    for (Index i = 0; i < length; ++i) {
      const Index sample = (begin + i) / layout.features;
      X(layout.feature((begin + i) % layout.features), sample) =
          values[static_cast<std::size_t>(i)];
    }
  });
}

/// A few compressed bytes may honestly stand for many numbers, but beyond this only an attack or an
/// array of one repeated byte remains. Counted in doubles, for these are what will take the memory.
void check_expansion(const OpenArray& array, std::uint64_t count) {
  constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{128} << 20;
  if (!array.compressed_bytes) return;
  const std::uint64_t needed = count * sizeof(double);
  if (needed <= kAlwaysAllowed || needed / kMaxDeflateRatio <= *array.compressed_bytes) return;
  array.payload->fail(*array.compressed_bytes, " compressed bytes would become ", needed,
                      " bytes of points, more than ", kMaxDeflateRatio,
                      " times; refused as a likely bomb");
}

std::uint64_t checked_count(const OpenArray& array, const Context& context) {
  const auto& shape = array.header.variable.shape;
  if (shape.empty()) array.payload->fail("found a single number (shape ()), expected an array");
  const auto count = num_elements(shape);
  if (!count) array.payload->fail("shape ", shape_text(shape), " is too large for any memory");
  if (*count == 0) array.payload->fail("shape ", shape_text(shape), " has no elements");
  check_expansion(array, *count);
  check_points_fit(array.payload->origin(), *count, context);
  return *count;
}

}  // namespace

std::optional<std::uint64_t> num_elements(const std::vector<std::int64_t>& shape) {
  std::int64_t product = 1;
  bool overflow = false;
  for (const std::int64_t length : shape) {
    if (length == 0) return 0;
    overflow = overflow || __builtin_mul_overflow(product, length, &product);
  }
  if (overflow || product < 0) return std::nullopt;
  return static_cast<std::uint64_t>(product);
}

std::optional<std::uint64_t> num_bytes(const std::vector<std::int64_t>& shape,
                                       const ElementType& type) {
  const auto count = num_elements(shape);
  constexpr auto kMost =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / sizeof(double);
  if (!count || *count > kMost) return std::nullopt;  // doubles in memory must be countable too
  return *count * static_cast<std::uint64_t>(type.bytes);
}

void check_points_fit(const std::string& origin, std::uint64_t count, const Context& context,
                      std::uint64_t working_bytes) {
  const double needed =
      static_cast<double>(count) * sizeof(double) + static_cast<double>(working_bytes);
  check_memory(origin, needed, allowed_memory(context), "read fewer samples or raise the limit");
}

Matrix decode_points(OpenArray& array, bool columns_are_samples, const Context& context) {
  checked_count(array, context);
  const Layout layout = make_layout(array.header, columns_are_samples);
  Matrix X(layout.features, layout.samples);
  if (layout.samples_innermost) {
    read_samples_innermost(array, layout, context, X);
  } else {
    read_features_innermost(array, layout, context, X);
  }
  finish_payload(array);
  return X;
}

std::vector<double> decode_sequence(OpenArray& array, const Context& context) {
  std::vector<double> values(checked_count(array, context));
  for_pieces(array, static_cast<Index>(values.size()), 1, context,
             [&](Index begin, Index length, const std::byte* bytes) {
               widen(array.header.type, bytes, length, values.data() + begin, 1);
             });
  finish_payload(array);
  return values;
}

}  // namespace subspace::datasets
