// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr Frame kFrame = {.left = 54.0, .top = 16.0, .width = 410.0, .height = 410.0};
constexpr Index kMostWithNumbers = 24;  // beyond, they would be smaller than can be read

/// Where the cells of the table are drawn: a column a cluster, a row a class.
struct Grid {
  double width = 0.0;  ///< of a cell
  double height = 0.0;

  explicit Grid(const CountMatrix& counts)
      : width(kFrame.width / static_cast<double>(counts.rows())),
        height(kFrame.height / static_cast<double>(counts.cols())) {}
  double x(Index cluster) const { return kFrame.left + width * static_cast<double>(cluster); }
  double y(Index of_class) const { return kFrame.top + height * static_cast<double>(of_class); }
};

std::string cell_description(const Confusion& confusion, Index cluster, Index of_class) {
  return message(confusion.counts(cluster, of_class), " points of class ",
                 confusion.classes[static_cast<std::size_t>(of_class)], " in cluster ",
                 confusion.clusters[static_cast<std::size_t>(cluster)]);
}

/// By the share of the class. Few points in a wrong place are what one looks for: the root keeps
/// them visible.
double opacity(const Confusion& confusion, Index cluster, Index of_class) {
  const auto count = static_cast<double>(confusion.counts(cluster, of_class));
  const auto size = static_cast<double>(confusion.counts.col(of_class).sum());
  return 0.15 + 0.85 * std::sqrt(count / size);
}

Markup cell(const Confusion& confusion, const Grid& grid, Index cluster, Index of_class) {
  const bool right = confusion.class_of[static_cast<std::size_t>(cluster)] == of_class;
  return element("rect",
                 {{"class", right ? "right" : "wrong"},
                  {"x", coordinate(grid.x(cluster))},
                  {"y", coordinate(grid.y(of_class))},
                  {"width", coordinate(grid.width)},
                  {"height", coordinate(grid.height)},
                  {"fill-opacity", fixed(opacity(confusion, cluster, of_class), 2)}},
                 worded("title", {}, cell_description(confusion, cluster, of_class)));
}

Markup number(const Confusion& confusion, const Grid& grid, Index cluster, Index of_class) {
  const double size = std::clamp(0.55 * std::min(grid.width, grid.height), 6.0, 14.0);
  const std::string ink = opacity(confusion, cluster, of_class) > 0.6 ? "count on-full" : "count";
  return words_at(grid.x(cluster) + grid.width / 2.0, grid.y(of_class) + grid.height / 2.0,
                  {{"class", ink}, {"font-size", coordinate(size)}},
                  std::to_string(confusion.counts(cluster, of_class)));
}

Markup cells(const Confusion& confusion, const Grid& grid) {
  const bool with_numbers =
      std::max(confusion.counts.rows(), confusion.counts.cols()) <= kMostWithNumbers;
  Markup all;
  for (Index c = 0; c < confusion.counts.cols(); ++c) {
    for (Index k = 0; k < confusion.counts.rows(); ++k) {
      if (confusion.counts(k, c) == 0) continue;
      all += cell(confusion, grid, k, c);
      if (with_numbers) all += number(confusion, grid, k, c);
    }
  }
  return all;
}

/// Every label where there is room, else every fifth, tenth, ...
Index label_step(std::size_t count) {
  if (count <= 24) return 1;
  return count <= 60 ? 5 : 10;
}

Markup labels(const Confusion& confusion, const Grid& grid) {
  Markup all;
  for (Index c = 0; c < std::ssize(confusion.classes); c += label_step(confusion.classes.size())) {
    all += words_at(kFrame.left - 6.0, grid.y(c) + grid.height / 2.0 + 4.0, {{"class", "tick end"}},
                    std::to_string(confusion.classes[static_cast<std::size_t>(c)]));
  }
  for (Index k = 0; k < std::ssize(confusion.clusters);
       k += label_step(confusion.clusters.size())) {
    all +=
        words_at(grid.x(k) + grid.width / 2.0, kFrame.bottom() + 16.0, {{"class", "tick middle"}},
                 std::to_string(confusion.clusters[static_cast<std::size_t>(k)]));
  }
  all += words_at(kFrame.left + kFrame.width / 2.0, kFrame.bottom() + 40.0,
                  {{"class", "tick middle"}}, "found cluster");
  all += words_at(
      0.0, 0.0,
      {{"class", "tick middle"},
       {"transform", message("translate(14 ", coordinate(kFrame.top + 205.0), ") rotate(-90)")}},
      "true class");
  return all;
}

}  // namespace

Markup confusion_figure(const Confusion& confusion) {
  const Grid grid(confusion.counts);
  const Markup frame = leaf("rect", {{"class", "frame"},
                                     {"x", coordinate(kFrame.left)},
                                     {"y", coordinate(kFrame.top)},
                                     {"width", coordinate(kFrame.width)},
                                     {"height", coordinate(kFrame.height)}});
  const Markup picture =
      drawing(480.0, 480.0, {{"role", "img"}, {"aria-label", "Confusion matrix"}},
              cells(confusion, grid) + labels(confusion, grid) + frame);
  return figure("square matrix", "Confusion matrix", element("div", {{"class", "scroll"}}, picture),
                "Clusters in the order of the classes they were matched with one to one "
                "(Hungarian assignment): what is off the diagonal is counted as error.");
}

}  // namespace subspace::pipelines::report
