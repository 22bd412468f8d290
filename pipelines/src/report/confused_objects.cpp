// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <utility>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"

namespace subspace::pipelines::report {
namespace {

constexpr std::size_t kMaxPairs = 6;
constexpr std::size_t kMaxExamples = 8;

std::string class_name(const Confusion& confusion, int of_class) {
  if (of_class < 0) return "an unmatched cluster";
  return message("class ", confusion.classes[static_cast<std::size_t>(of_class)]);
}

std::string pair_title(const Confusion& confusion, const ConfusedPair& pair) {
  return message(class_name(confusion, pair.one), pair.other < 0 ? " in " : " and ",
                 class_name(confusion, pair.other), ": ", counted(pair.count(), "point"));
}

/// "3 of class 4 placed with class 5, 1 the other way."
std::string both_ways(const Confusion& confusion, const ConfusedPair& pair) {
  if (pair.other < 0) return "";
  const bool turned = pair.one_as_other == 0;
  const auto [from, to] =
      turned ? std::pair(pair.other, pair.one) : std::pair(pair.one, pair.other);
  const std::int64_t back = turned ? pair.one_as_other : pair.other_as_one;
  return message(pair.count() - back, " of ", class_name(confusion, from), " placed with ",
                 class_name(confusion, to),
                 back > 0 ? message(", ", back, " the other way.") : ".");
}

Markup tile(const Thumbnails& thumbnails, Index point, const std::string& words) {
  const Markup picture = thumbnails.of(point, message("point ", point, ", ", words));
  if (picture.empty()) return {};
  return element("span", {{"class", "tile"}}, picture, worded("small", {}, words));
}

/// The first point of the class that is where it belongs; where none is, the first of the class.
Markup typical_tile(const Confusion& confusion, int of_class, const Thumbnails& thumbnails) {
  Index first = -1;
  for (std::size_t i = 0; i < confusion.truth.size(); ++i) {
    if (confusion.truth[i] != of_class) continue;
    const auto point = static_cast<Index>(i);
    if (confusion.placed[i] == of_class) {
      return tile(thumbnails, point, message("typical ", class_name(confusion, of_class)));
    }
    if (first < 0) first = point;
  }
  return tile(thumbnails, first, message("first of ", class_name(confusion, of_class)));
}

std::string true_class(const Confusion& confusion, Index point) {
  return class_name(confusion, confusion.truth[static_cast<std::size_t>(point)]);
}

Markup strip(const Confusion& confusion, const ConfusedPair& pair, const Thumbnails& thumbnails) {
  Markup typical;
  for (const int of_class : {pair.one, pair.other}) {
    if (of_class >= 0) typical += typical_tile(confusion, of_class, thumbnails);
  }
  Markup wrong;
  for (const Index point : pair.examples) {
    wrong += tile(thumbnails, point, true_class(confusion, point));
  }
  return element("div", {{"class", "strip"}}, element("div", {{"class", "typical"}}, typical),
                 element("div", {{"class", "misplaced"}}, wrong));
}

std::string point_numbers(const ConfusedPair& pair) {
  std::vector<std::string> numbers;
  for (const Index point : pair.examples) numbers.push_back(std::to_string(point));
  return message("For example points ", joined(numbers), ".");
}

Markup pair_item(const Confusion& confusion, const ConfusedPair& pair,
                 const Thumbnails& thumbnails) {
  return element("li", {}, worded("strong", {}, pair_title(confusion, pair)),
                 worded("p", {}, both_ways(confusion, pair)),
                 thumbnails.shown() ? strip(confusion, pair, thumbnails)
                                    : worded("p", {}, point_numbers(pair)));
}

}  // namespace

Markup confused_objects(const Confusion& confusion, const Thumbnails& thumbnails) {
  const std::vector<ConfusedPair> pairs = confused_pairs(confusion, kMaxPairs, kMaxExamples);
  if (pairs.empty()) {
    return element("div", {{"class", "confused"}}, worded("h4", {}, "Confused classes"),
                   worded("p", {}, "None: every point is in the cluster of its class."));
  }
  Markup items;
  for (const ConfusedPair& pair : pairs) items += pair_item(confusion, pair, thumbnails);
  return element("div", {{"class", "confused"}}, worded("h4", {}, "Confused classes"),
                 element("ol", {{"class", "pairs"}}, items));
}

}  // namespace subspace::pipelines::report
