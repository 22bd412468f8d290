// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/picture_stacks.h"

#include "arrays/array.h"
#include "arrays/idx.h"

namespace subspace::datasets {
namespace {

PictureRecords open_idx_records(const MappedFile& file) {
  OpenArray array = open_idx(file);
  const auto& shape = array.header.variable.shape;
  constexpr std::int64_t kLongestSide = ImageShape::kLongestSide;
  if (shape[0] == 0 || shape[1] < 1 || shape[1] > kLongestSide || shape[2] < 1 ||
      shape[2] > kLongestSide) {
    throw_io_error(file.name(), ": shape ", shape_text(shape), " has no pictures");
  }
  PictureRecords records;
  records.count = shape[0];
  records.shape = {1, static_cast<int>(shape[1]), static_cast<int>(shape[2])};
  records.content = {std::move(array.payload), 0, array.compressed_bytes};
  return records;
}

/// Which of the label bytes is meant.
int label_byte(const MappedFile& file, const PictureRecords& records, const std::string& asked) {
  if (records.label_bytes == 1 && asked.empty()) return 0;
  if (records.label_bytes == 2 && asked == "coarse") return 0;
  if (records.label_bytes == 2 && (asked == "fine" || asked.empty())) return 1;
  throw_io_error(file.name(), ": no labels '", printable(asked),
                 records.label_bytes == 2 ? "', expected coarse or fine"
                                          : "'; records of CIFAR-10 have one label");
}

}  // namespace

bool is_picture_file(const MappedFile& file, Format format) {
  if (format == Format::kCifar) return true;
  return format == Format::kIdx && is_picture_stack(open_idx(file).header);
}

PictureRecords open_records(const MappedFile& file, Format format) {
  return format == Format::kCifar ? open_cifar(file) : open_idx_records(file);
}

PointSet load_stacks(const std::string& origin, std::vector<PictureRecords> stacks,
                     const LoadOptions& options, const Context& context) {
  const Resampler resampler(origin, stacks.front().shape, options);
  Index count = 0;
  for (const PictureRecords& stack : stacks) {
    if (!(stack.shape == resampler.stored())) throw_io_error(origin, ": pictures of two sizes");
    count += stack.count;
  }
  const Index features = resampler.shape().num_values();
  // One stored picture is held while it is read.
  const auto stored_bytes = static_cast<std::uint64_t>(resampler.stored().num_values());
  check_points_fit(origin, static_cast<std::uint64_t>(features * count), context,
                   stored_bytes + resampler.working_bytes());
  PointSet set;
  set.X.resize(features, count);
  set.image = resampler.shape();
  Index first = 0;
  for (PictureRecords& stack : stacks) {
    read_pictures(stack, resampler, context, set.X, first);
    first += stack.count;
  }
  return set;
}

PointSet load_picture_stack(const MappedFile& file, Format format, const LoadOptions& options,
                            const Context& context) {
  std::vector<PictureRecords> stacks;
  stacks.push_back(open_records(file, format));
  return load_stacks(file.name(), std::move(stacks), options, context);
}

std::string cifar_label_name(const MappedFile& file, const LoadOptions& options) {
  const PictureRecords records = open_cifar(file);
  const int which = label_byte(file, records, options.y);
  if (records.label_bytes == 1) return {};
  return which == 0 ? "coarse" : "fine";
}

Labels load_cifar_labels(const MappedFile& file, const LoadOptions& options,
                         const Context& context) {
  PictureRecords records = open_cifar(file);
  return read_record_labels(records, label_byte(file, records, options.y), context);
}

}  // namespace subspace::datasets
