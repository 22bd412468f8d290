// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>

#include <subspace/datasets/sha256.h>

#include "arrays/array.h"
#include "io/text.h"
#include "registry/found.h"
#include "registry/set_files.h"

namespace subspace::datasets {
namespace {

/// Pixel values of [0, 1] as bytes, halves upwards. A mean of whole numbers comes within rounding
/// errors of its half.
std::vector<std::uint8_t> to_bytes(const Matrix& X) {
  constexpr double kRoundingErrors = 1e-9;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(X.size()));
  std::ranges::transform(X.reshaped(), bytes.begin(), [](double value) {
    return static_cast<std::uint8_t>(std::floor(255.0 * value + 0.5 + kRoundingErrors));
  });
  return bytes;
}

/// Of 8-bit pictures: of their bytes in the order of ImageShape, brought to layout.hashed_size. Of
/// others: of the values as doubles.
std::string decoded_sha256(const Layout& layout, const Dataset& dataset, const Context& context) {
  if (!dataset.info().image) return content_sha256(dataset.load_points({}, context).X);
  const ImageSize stored = {layout.stored.height, layout.stored.width};
  const PointSet set = dataset.load_points(
      {.image_size = layout.hashed_size.value_or(stored), .color = layout.stored.channels == 3},
      context);
  if (!layout.has_8_bit_pixels()) return content_sha256(set.X);
  check_points_fit(set.name, static_cast<std::uint64_t>(set.X.size()), context,
                   static_cast<std::uint64_t>(set.X.size()));
  const auto bytes = to_bytes(set.X);
  return sha256(std::as_bytes(std::span(bytes)));
}

/// Values and labels of a set of many items: the hash is of a line "hash  item" for each, the
/// labels come one behind the other.
struct Items {
  std::string sha256 = {};
  Labels labels = {};
};

Items read_items(const Located& located, const Context& context) {
  Items items;
  std::string lines;
  for (const std::string& item : set_items(located)) {
    const PointSet set = read_set_points(located, item, item, {}, context);
    const Labels labels = read_set_labels(located, item, item, context);
    if (static_cast<Index>(labels.size()) != set.X.cols()) {
      throw_io_error(item, ": ", labels.size(), " labels for ", set.X.cols(), " points");
    }
    items.labels.insert(items.labels.end(), labels.begin(), labels.end());
    lines += content_sha256(set.X) + "  " + item + "\n";
  }
  items.sha256 = sha256(std::as_bytes(std::span(lines)));
  return items;
}

void check_hash(const std::string& shown_as, const char* what, const std::string& found,
                const std::string& expected) {
  if (expected.empty() || found == expected) return;
  throw_io_error(shown_as, ": the ", what, " have SHA-256 ", found, ", expected ", expected);
}

void check_classes(const std::string& shown_as, const DatasetInfo& info, const Labels& labels) {
  if (static_cast<Index>(labels.size()) != info.samples) {
    throw_io_error(shown_as, ": ", labels.size(), " labels, expected ", info.samples);
  }
  std::map<int, int> counts;
  for (const int label : labels) ++counts[label];
  if (static_cast<int>(counts.size()) != info.classes) {
    throw_io_error(shown_as, ": ", counts.size(), " classes, expected ", info.classes);
  }
  std::size_t position = 0;
  for (const auto& [label, count] : counts) {
    if (info.class_sizes.empty()) break;
    const int expected = info.class_sizes[position++];
    if (count != expected) {
      throw_io_error(shown_as, ": ", count, " samples of class ", label, ", expected ", expected);
    }
  }
}

}  // namespace

Verification Dataset::verify(const Context& context) const {
  const Layout& layout = *found_->located.layout;
  Verification result;
  Labels labels;
  if (layout.kind == Layout::Kind::kTrajectories) {
    Items items = read_items(found_->located, context);
    result.sha256 = items.sha256;
    labels = std::move(items.labels);
  } else {
    labels = load_labels(context);
    check_classes(shown_as(), info(), labels);
    result.sha256 = decoded_sha256(layout, *this, context);
  }
  result.samples = static_cast<Index>(labels.size());
  result.labels_sha256 = sha256(std::as_bytes(std::span(labels)));
  result.hash_known = !layout.sha256.empty();
  check_hash(shown_as(), "decoded values", result.sha256, layout.sha256);
  check_hash(shown_as(), "labels", result.labels_sha256, layout.labels_sha256);
  return result;
}

}  // namespace subspace::datasets
