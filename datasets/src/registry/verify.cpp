// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>

#include <subspace/datasets/sha256.h>

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
  const ImageSize stored = {layout.stored.height, layout.stored.width};
  const PointSet set = dataset.load_points(
      {.image_size = layout.hashed_size.value_or(stored), .color = layout.stored.channels == 3},
      context);
  if (!layout.has_8_bit_pixels()) return content_sha256(set.X);
  const auto bytes = to_bytes(set.X);
  return sha256(std::as_bytes(std::span(bytes)));
}

/// Of a set of many items: of a line "hash  item" for each.
std::string items_sha256(const Located& located, const Context& context, Index& samples) {
  std::string lines;
  for (const std::string& item : set_items(located)) {
    const PointSet set = read_set_points(located, item, item, {}, context);
    samples += set.X.cols();
    lines += content_sha256(set.X) + "  " + item + "\n";
  }
  return sha256(std::as_bytes(std::span(lines)));
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
  const Located& located = found_->located;
  Verification result;
  result.samples = info().samples;
  if (located.layout->kind == Layout::Kind::kTrajectories) {
    result.sha256 = items_sha256(located, context, result.samples);
  } else {
    check_classes(shown_as(), info(), load_labels(context));
    result.sha256 = decoded_sha256(*located.layout, *this, context);
  }
  result.hash_known = !located.layout->sha256.empty();
  if (result.hash_known && result.sha256 != located.layout->sha256) {
    throw_io_error(shown_as(), ": decoded values have SHA-256 ", result.sha256, ", expected ",
                   located.layout->sha256);
  }
  return result;
}

}  // namespace subspace::datasets
