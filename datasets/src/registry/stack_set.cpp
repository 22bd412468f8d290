// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/stack_set.h"

#include <memory>

#include <subspace/datasets/sha256.h>

#include "images/picture_stacks.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;
using Kind = Layout::Kind;

/// Files of pictures are all, or every other one where labels stand beside them.
int step(const Layout& layout) { return layout.kind == Kind::kCifar ? 1 : 2; }

std::vector<fs::path> every(const std::vector<fs::path>& files, int first, int step) {
  std::vector<fs::path> chosen;
  for (std::size_t i = static_cast<std::size_t>(first); i < files.size();
       i += static_cast<std::size_t>(step)) {
    chosen.push_back(files[i]);
  }
  return chosen;
}

PictureRecords open_stl(const MappedFile& file, const ImageShape& shape) {
  PictureRecords records;
  records.content = open_content(file);
  records.shape = shape;
  records.columns_first = true;
  const auto record = static_cast<std::uint64_t>(records.record_bytes());
  if (records.content.size % record != 0) {
    throw_io_error(file.name(), ": ", records.content.size, " bytes, expected records of ", record);
  }
  records.count = static_cast<Index>(records.content.size / record);
  return records;
}

PictureRecords open_part(const MappedFile& file, const Layout& layout) {
  if (layout.kind == Kind::kStl) return open_stl(file, layout.stored);
  PictureRecords records =
      open_records(file, layout.kind == Kind::kIdx ? Format::kIdx : Format::kCifar);
  if (layout.kind == Kind::kCifar && records.label_bytes != layout.label_bytes) {
    throw_io_error(file.name(), ": records have ", records.label_bytes, " label bytes, expected ",
                   layout.label_bytes);
  }
  return records;
}

/// STL-10 keeps one byte a label, and nothing else, in a file.
Labels read_bytes(const MappedFile& file) {
  Content content = open_content(file);
  if (content.size > ByteStream::kMaxTake) {
    throw_io_error(file.name(), ": ", content.size, " bytes, expected one a label");
  }
  Labels labels;
  for (const std::byte byte : content.stream->take(content.size)) {
    labels.push_back(std::to_integer<int>(byte));
  }
  content.stream->finish();
  return labels;
}

Labels read_part_labels(const fs::path& path, const Layout& layout, const Context& context) {
  if (layout.kind == Kind::kIdx) return load_labels(path, {}, context);
  const MappedFile file(path);
  if (layout.kind == Kind::kStl) return read_bytes(file);
  PictureRecords records = open_part(file, layout);
  return read_record_labels(records, layout.label_byte, context);
}

/// One hash for several files: that of their hashes, line by line.
std::string hash_of_all(const std::vector<std::unique_ptr<MappedFile>>& files) {
  if (files.size() == 1) return sha256(files.front()->bytes());
  std::string lines;
  for (const auto& file : files) {
    lines += sha256(file->bytes()) + "  " + file->path().filename().string() + "\n";
  }
  return sha256(std::as_bytes(std::span(lines)));
}

}  // namespace

PointSet read_stack_points(const Located& located, const std::string& shown_as,
                           const LoadOptions& options, const Context& context) {
  const Layout& layout = *located.layout;
  std::vector<std::unique_ptr<MappedFile>> files;
  std::vector<PictureRecords> stacks;
  for (const fs::path& path : every(located.files, 0, step(layout))) {
    files.push_back(std::make_unique<MappedFile>(path));
    stacks.push_back(open_part(*files.back(), layout));
    const ImageShape& shape = stacks.back().shape;
    if (!(shape == layout.stored)) {
      throw_io_error(path.string(), ": pictures of ", shape.height, " x ", shape.width,
                     ", expected ", layout.stored.height, " x ", layout.stored.width);
    }
  }
  PointSet set = load_stacks(shown_as, std::move(stacks), options, context);
  set.sha256 = hash_of_all(files);
  return set;
}

Labels read_stack_labels(const Located& located, const std::string& shown_as,
                         const Context& context) {
  const Layout& layout = *located.layout;
  Labels all;
  for (const fs::path& path : every(located.files, step(layout) - 1, step(layout))) {
    const Labels part = read_part_labels(path, layout, context);
    all.insert(all.end(), part.begin(), part.end());
  }
  if (all.empty()) throw_io_error(shown_as, ": no labels");
  return all;
}

}  // namespace subspace::datasets
