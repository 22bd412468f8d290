// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>

#include <subspace/core/error.h>

#include "json.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr double kSide = 1000.0;
constexpr double kMargin = 24.0;

/// Whole units: a thousandth of the map is less than a pixel.
struct Place {
  int x = 0;
  int y = 0;
};

Place place_of(const std::array<float, 2>& share) {
  const double inner = kSide - 2.0 * kMargin;
  return {static_cast<int>(std::lround(kMargin + inner * static_cast<double>(share[0]))),
          static_cast<int>(std::lround(kMargin + inner * (1.0 - static_cast<double>(share[1]))))};
}

/// Dots of one colour are one path of strokes without length, whose round ends are the dots: a
/// tenth of the bytes of as many circles.
class DotLayer {
 public:
  void add(const std::string& classes, const Place& place) {
    paths_[classes] += message("M", place.x, " ", place.y, "h0");
  }
  Markup drawn(const std::string& classes) const {
    Markup dots;
    for (const auto& [color, path] : paths_) dots += leaf("path", {{"class", color}, {"d", path}});
    return element("g", {{"class", classes}}, dots);
  }

 private:
  std::map<std::string, std::string> paths_ = {};
};

struct Layers {
  DotLayer found = {};
  DotLayer truth = {};
  DotLayer errors = {};
};

Layers layers(const Figures& figures, const Labels& found,
              const std::optional<Confusion>& confusion) {
  Layers all;
  const std::map<int, int> colors = cluster_colors(found, confusion);
  for (std::size_t i = 0; i < figures.map.size(); ++i) {
    const auto point = static_cast<std::size_t>(figures.map_points[i]);
    const Place place = place_of(figures.map[i]);
    all.found.add(color_class(colors.at(found[point])), place);
    if (!confusion) continue;
    const int truth = confusion->truth[point];
    all.truth.add(color_class(truth), place);
    // Sorted by name, the wrong ones are drawn last and on top.
    all.errors.add(confusion->placed[point] == truth ? "a-right" : "b-wrong", place);
  }
  return all;
}

/// What the script needs to name the point under the pointer.
Markup script_data(const Figures& figures, const Labels& found,
                   const std::optional<Confusion>& confusion) {
  Json json = {{"point", figures.map_points}, {"x", Json::array()},     {"y", Json::array()},
               {"found", Json::array()},      {"truth", Json::array()}, {"placed", Json::array()}};
  for (std::size_t i = 0; i < figures.map.size(); ++i) {
    const auto point = static_cast<std::size_t>(figures.map_points[i]);
    const Place place = place_of(figures.map[i]);
    json["x"].push_back(place.x);
    json["y"].push_back(place.y);
    json["found"].push_back(found[point]);
    if (!confusion) continue;
    const auto label = [&](int of_class) -> Json {
      if (of_class < 0) return nullptr;
      return confusion->classes[static_cast<std::size_t>(of_class)];
    };
    json["truth"].push_back(label(confusion->truth[point]));
    json["placed"].push_back(label(confusion->placed[point]));
  }
  return enclose("script", {{"type", "application/json"}}, Markup::trusted(json.dump()));
}

Markup choice(const std::string& group, const std::string& value, const std::string& label,
              bool chosen) {
  Attributes attributes = {{"type", "radio"}, {"name", group}, {"value", value}};
  if (chosen) attributes.emplace_back("checked", "");
  return element("label", {}, leaf("input", attributes), text(label));
}

Markup color_choices(const std::string& id) {
  return element("fieldset", {{"class", "choices"}}, worded("legend", {}, "Colour by"),
                 choice(id, "found", "found cluster", true), choice(id, "truth", "truth", false),
                 choice(id, "errors", "errors", false));
}

/// Smaller dots for more points, so that they touch but do not cover one another.
std::string dot_size(std::size_t count) {
  return coordinate(std::clamp(420.0 / std::sqrt(static_cast<double>(count)), 7.0, 22.0));
}

Markup stage(const Layers& layers, bool with_truth, std::size_t count) {
  Markup dots = layers.found.drawn("by-found");
  if (with_truth) dots += layers.truth.drawn("by-truth") + layers.errors.drawn("by-errors");
  const Markup ring = leaf("circle", {{"class", "ring"}, {"r", "16"}, {"visibility", "hidden"}});
  const Markup picture =
      drawing(kSide, kSide,
              {{"tabindex", "0"},
               {"role", "application"},
               {"aria-label", "Map of the points. Arrow keys go from point to point."}},
              element("g", {{"class", "dots"}, {"stroke-width", dot_size(count)}}, dots) + ring);
  return element("div", {{"class", "stage"}}, picture,
                 element("div", {{"class", "tip"}, {"role", "status"}}));
}

bool fits(const Figures& figures, const Labels& found) {
  return std::ranges::all_of(figures.map_points,
                             [&](Index point) { return point >= 0 && point < std::ssize(found); });
}

std::string caption(const Figures& figures, const Labels& found) {
  const std::string some =
      figures.map.size() < found.size()
          ? message(" Shown are ", figures.map.size(), " of ", found.size(), " points.")
          : std::string();
  return message("A t-SNE map of the ", one_line(figures.map_of),
                 ": neighbours stay neighbours, far distances mean little and the axes nothing. "
                 "Points that coincide are spread around their place. Point at a dot, or go from "
                 "dot to dot with the arrow keys.",
                 some);
}

}  // namespace

Markup map_figure(const Figures& figures, const Labels& found,
                  const std::optional<Confusion>& confusion, const std::string& id) {
  if (figures.map.empty() || !fits(figures, found)) return {};
  Markup content;
  if (confusion) content += color_choices(id);
  content += stage(layers(figures, found, confusion), confusion.has_value(), figures.map.size());
  content += script_data(figures, found, confusion);
  return figure("square map", message("Map of the ", one_line(figures.map_of)), content,
                caption(figures, found));
}

}  // namespace subspace::pipelines::report
