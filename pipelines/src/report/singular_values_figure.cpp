// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/geometry.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr Frame kFrame = {.left = 54.0, .top = 46.0, .width = 410.0, .height = 370.0};
/// Below this share of the largest a curve lies on the axis.
constexpr double kSeen = 0.01;

using Values = std::vector<double>;

/// How many values there are to see, two at least: a curve has a beginning and an end.
std::size_t length_shown(const std::vector<const Values*>& curves) {
  std::size_t shown = 2;
  for (const Values* curve : curves) {
    const auto last = std::ranges::find_if(*curve, [](double value) { return value < kSeen; });
    const auto seen = static_cast<std::size_t>(last - curve->begin());
    shown = std::max(shown, std::min(seen + 1, curve->size()));
  }
  return shown;
}

double x_of(std::size_t place, std::size_t count) {
  return kFrame.left + kFrame.width * static_cast<double>(place) / static_cast<double>(count - 1);
}

std::string path_of(const Values& values, std::size_t count) {
  std::string path;
  for (std::size_t i = 0; i < std::min(values.size(), count); ++i) {
    const double y = kFrame.bottom() - std::clamp(values[i], 0.0, 1.0) * kFrame.height;
    path += message(i == 0 ? "M" : "L", coordinate(x_of(i, count)), " ", coordinate(y));
  }
  // A line without length is drawn by its round ends.
  return values.size() == 1 ? path + "h0" : path;
}

Markup curve(const Values& values, std::size_t count, const std::string& classes,
             const std::string& name, double rank) {
  return element("path", {{"class", classes}, {"d", path_of(values, count)}},
                 worded("title", {}, message(name, ": effective rank ", fixed(rank, 1))));
}

/// Those of the map; a cluster that no point has, which a damaged file may name, has the first.
std::string color_of(int cluster, const std::map<int, int>& colors) {
  const auto own = colors.find(cluster);
  return color_class(own == colors.end() ? 0 : own->second);
}

Markup cluster_curves(const FeatureGeometry& geometry, const ClusterNames& names,
                      std::size_t count) {
  const std::map<int, int> colors = cluster_colors(names.found, names.confusion);
  Markup curves;
  for (const ClusterGeometry& cluster : geometry.clusters) {
    if (cluster.own.singular_values.empty()) continue;
    curves += curve(cluster.own.singular_values, count,
                    message("curve ", color_of(cluster.cluster, colors)),
                    names.name(cluster.cluster), cluster.own.effective_rank);
  }
  return curves;
}

Markup legend() {
  const double y = 18.0;
  return line(kFrame.left, y, kFrame.left + 28.0, y, "curve all") +
         words_at(kFrame.left + 36.0, y + 4.0, {{"class", "label"}}, "all points") +
         line(kFrame.left + 190.0, y, kFrame.left + 218.0, y, "curve k0") +
         words_at(kFrame.left + 226.0, y + 4.0, {{"class", "label"}}, "found clusters");
}

Markup number_axis(std::size_t count) {
  Markup axis;
  for (const std::size_t place : {std::size_t{0}, count - 1}) {
    axis += words_at(x_of(place, count), kFrame.bottom() + 20.0, {{"class", "tick middle"}},
                     std::to_string(place + 1));
  }
  return axis + words_at(kFrame.left + kFrame.width / 2.0, kFrame.bottom() + 42.0,
                         {{"class", "tick middle"}}, "number of the singular value");
}

std::string caption(const FeatureGeometry& geometry, std::size_t count) {
  const auto all = static_cast<std::size_t>(
      std::max<Index>(0, std::min(geometry.dimension, geometry.all.points)));
  const std::string some = count < all ? message(" Drawn are the first ", count, ".") : "";
  return message(
      "Singular values over the largest, no mean subtracted; ", effective_ranks(geometry),
      ". A curve that falls early fills few directions; point at it for its cluster.", some);
}

bool finite(const Values& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

Markup singular_values_figure(const FeatureGeometry& geometry, const ClusterNames& names) {
  std::vector<const Values*> curves = {&geometry.all.singular_values};
  for (const ClusterGeometry& cluster : geometry.clusters) {
    curves.push_back(&cluster.own.singular_values);
  }
  std::erase_if(curves, [](const Values* values) { return values->empty(); });
  if (curves.empty() || !std::ranges::all_of(curves, [](auto* c) { return finite(*c); })) return {};
  const std::size_t count = length_shown(curves);
  Markup lines = cluster_curves(geometry, names, count);
  if (!geometry.all.singular_values.empty()) {
    lines += curve(geometry.all.singular_values, count, "curve all", "all points",
                   geometry.all.effective_rank);
  }
  const Markup content =
      value_axis(kFrame, {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) + number_axis(count) + legend() + lines;
  return figure("square", "Singular values",
                drawing(480.0, 480.0,
                        {{"role", "img"},
                         {"aria-label", "Singular values of all points and of each cluster"}},
                        content),
                caption(geometry, count));
}

}  // namespace subspace::pipelines::report
