// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/picture_records.h"

namespace subspace::datasets {
namespace {

constexpr ImageShape kCifarShape = {3, 32, 32};

/// From column by column to row by row, channel by channel.
void transpose_planes(std::span<const std::uint8_t> in, const ImageShape& shape,
                      std::vector<std::uint8_t>& out) {
  out.resize(in.size());
  const auto pixels = static_cast<std::size_t>(shape.num_pixels());
  for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c) {
    using Rows = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Columns = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic>;
    Eigen::Map<Rows>(out.data() + c * pixels, shape.height, shape.width) =
        Eigen::Map<const Columns>(in.data() + c * pixels, shape.height, shape.width);
  }
}

std::span<const std::uint8_t> as_values(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// How many records are taken from the stream at once: inflating in large pieces is faster.
Index batch_size(const PictureRecords& records) {
  constexpr Index kBytes = Index{1} << 18;
  return std::max<Index>(1, kBytes / records.record_bytes());
}

/// The next bytes of the stream. Records larger than it gives at once are put together in `whole`.
std::span<const std::uint8_t> take_records(ByteStream& stream, std::size_t bytes,
                                           std::vector<std::byte>& whole) {
  if (bytes <= ByteStream::kMaxTake) return as_values(stream.take(bytes));
  whole = stream.read(bytes);
  return as_values(whole);
}

/// Calls use(i, record) for each.
template <typename Use>
void for_records(PictureRecords& records, const Context& context, const Use& use) {
  const Index size = records.record_bytes();
  const Index batch = batch_size(records);
  std::vector<std::byte> whole;
  for (Index begin = 0; begin < records.count; begin += batch) {
    context.throw_if_cancelled();
    const Index length = std::min(batch, records.count - begin);
    const auto bytes =
        take_records(*records.content.stream, static_cast<std::size_t>(length * size), whole);
    for (Index i = 0; i < length; ++i) {
      use(begin + i,
          bytes.subspan(static_cast<std::size_t>(i * size), static_cast<std::size_t>(size)));
    }
  }
  records.content.stream->finish();
}

}  // namespace

void read_pictures(PictureRecords& records, const Resampler& resampler, const Context& context,
                   Matrix& X, Index first) {
  std::vector<std::uint8_t> turned;
  for_records(records, context, [&](Index i, std::span<const std::uint8_t> record) {
    auto picture = record.subspan(static_cast<std::size_t>(records.label_bytes));
    if (records.columns_first) {
      transpose_planes(picture, records.shape, turned);
      picture = turned;
    }
    resampler.apply(picture, X.col(first + i).data());
  });
}

Labels read_record_labels(PictureRecords& records, int which, const Context& context) {
  Labels labels;
  labels.reserve(static_cast<std::size_t>(records.count));
  for_records(records, context, [&](Index, std::span<const std::uint8_t> record) {
    labels.push_back(record[static_cast<std::size_t>(which)]);
  });
  return labels;
}

PictureRecords open_cifar(const MappedFile& file) {
  PictureRecords records;
  records.content = open_content(file);
  records.shape = kCifarShape;
  const std::uint64_t size = records.content.size;
  for (const int label_bytes : {1, 2}) {
    records.label_bytes = label_bytes;
    const auto record = static_cast<std::uint64_t>(records.record_bytes());
    if (size == 0 || size % record != 0) continue;
    records.count = static_cast<Index>(size / record);
    return records;
  }
  throw_io_error(file.name(), ": ", size,
                 " bytes, expected records of 3073 (CIFAR-10) or 3074 (CIFAR-100) bytes");
}

}  // namespace subspace::datasets
