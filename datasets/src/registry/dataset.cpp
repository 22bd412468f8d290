// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <charconv>

#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>

#include "arrays/array.h"
#include "io/text.h"
#include "registry/found.h"
#include "registry/generated_sets.h"
#include "registry/set_files.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr int kLongestSide = ImageShape::kLongestSide;

bool same(const ImageSize& a, const ImageSize& b) {
  return a.height == b.height && a.width == b.width;
}

std::string size_text(const ImageSize& size) {
  return size.height == size.width ? message(size.height) : message(size.height, "x", size.width);
}

/// Throws IoError unless there are as many points, of as many features, as the set has.
void check_shape(const std::string& shown_as, const Located& located, const DatasetInfo& info,
                 const Matrix& X) {
  if (info.samples != 0 && X.cols() != info.samples) {
    throw_io_error(shown_as, ": ", X.cols(), " samples",
                   located.files.empty() ? "" : " in " + located.files.front().string(),
                   ", expected ", info.samples);
  }
  if (info.dimension != 0 && X.rows() != info.dimension) {
    throw_io_error(shown_as, ": ", X.rows(), " dimensions, expected ", info.dimension);
  }
}

/// "coil20@32", "hopkins155/1R2RC".
std::string full_name(const DatasetName& name, const std::optional<ImageSize>& size) {
  return message(name.set, name.item.empty() ? "" : "/", name.item, size ? "@" : "",
                 size ? size_text(*size) : std::string());
}

std::string listing(const Entry& entry, const std::vector<fs::path>& folders) {
  std::string text = "none of ";
  for (std::size_t i = 0; i < entry.layouts.size(); ++i) {
    if (i > 0) text += ", ";
    text += entry.layouts[i].files.front();
    if (entry.layouts[i].files.size() > 1) text += " (and more)";
  }
  text += message(" in the folder '", entry.folder, "' of ");
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (i > 0) text += ", ";
    text += folders[i].string();
  }
  return text;
}

}  // namespace

Dataset::Dataset(const DatasetName& name, const std::vector<fs::path>& folders)
    : found_(std::make_unique<Found>()) {
  const Entry& entry = find_entry(name.set);
  found_->entry = &entry;
  found_->name = name;
  found_->size = name.size ? name.size : entry.info.usual_size;
  if (name.size && !entry.info.image) {
    throw InvalidArgument(
        message(full_name(name, name.size), ": has no pictures to bring to a size"));
  }
  auto located = locate(entry, found_->size, folders);
  if (!located && locate(entry, std::nullopt, folders)) {
    throw IoError(message(shown_as(),
                          ": the values of the files found are no 8-bit pixels and "
                          "cannot be brought to another size"));
  }
  if (!located) {
    throw IoError(
        message(shown_as(), ": not found: ", listing(entry, folders),
                entry.sources.empty() ? "" : "; `subspace data fetch " + name.set + "` gets it",
                "; `subspace data info ", name.set, "` tells more"));
  }
  found_->located = std::move(*located);
}

Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

const DatasetInfo& Dataset::info() const { return found_->entry->info; }

std::string Dataset::shown_as() const { return full_name(found_->name, found_->size); }

const std::vector<fs::path>& Dataset::files() const { return found_->located.files; }

std::vector<std::string> Dataset::items() const { return set_items(found_->located); }

PointSet Dataset::load_points(const LoadOptions& options, const Context& context) const {
  const auto size = options.image_size ? options.image_size : found_->size;
  if (size && !info().image) {
    throw InvalidArgument(message(shown_as(), ": has no pictures to bring to a size"));
  }
  LoadOptions wanted = {.image_size = size, .color = options.color || info().color};
  const ImageSize stored = {found_->located.layout->stored.height,
                            found_->located.layout->stored.width};
  if (size && same(*size, stored)) wanted.image_size.reset();
  check_points_fit(shown_as(), static_cast<std::uint64_t>(info().samples * info().dimension),
                   context);
  PointSet set = read_set_points(found_->located, shown_as(), found_->name.item, wanted, context);
  const bool is_rendered = found_->located.files.empty();
  if (size && !is_rendered && (size->height > stored.height || size->width > stored.width)) {
    set.notes.push_back(message("pictures of ", stored.height, " x ", stored.width,
                                " were enlarged to ", size->height, " x ", size->width));
  }
  check_shape(shown_as(), found_->located, info(), set.X);
  set.name = full_name(found_->name, size);
  return set;
}

Labels Dataset::load_labels(const Context& context) const {
  return read_set_labels(found_->located, shown_as(), found_->name.item, context);
}

ImageSize parse_image_size(const std::string& text, const std::string& shown_as) {
  ImageSize size;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, size.height);
  size.width = size.height;
  bool good = error == std::errc();
  if (good && at != end && *at == 'x') {
    const auto second = std::from_chars(at + 1, end, size.width);
    good = second.ec == std::errc();
    at = second.ptr;
  }
  const auto is_side = [](int side) { return side >= 1 && side <= kLongestSide; };
  if (!good || at != end || !is_side(size.height) || !is_side(size.width)) {
    throw InvalidArgument(message(shown_as, " = ", printable(text),
                                  ", must be a side such as 32, or HEIGHTxWIDTH, of 1 to ",
                                  kLongestSide));
  }
  return size;
}

std::optional<DatasetName> parse_dataset_name(const std::string& text) {
  DatasetName name;
  const auto at = text.find('@');
  const std::string before = text.substr(0, at);
  const auto slash = before.find('/');
  name.set = before.substr(0, slash);
  if (slash != std::string::npos) name.item = before.substr(slash + 1);
  for (const DatasetInfo& info : registry()) {
    const bool has_item = slash != std::string::npos;
    if (info.name != name.set || (has_item && info.item.empty())) continue;
    if (has_item && info.item == kSeedItem) parse_seed(name.item, name.set);
    if (at != std::string::npos)
      name.size = parse_image_size(text.substr(at + 1), "size of " + name.set);
    return name;
  }
  return std::nullopt;
}

}  // namespace subspace::datasets
