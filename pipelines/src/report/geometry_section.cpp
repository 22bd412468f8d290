// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <array>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/geometry.h"
#include "report/heat_picture.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr double kSide = 480.0;
constexpr double kSmallSide = 160.0;

Markup covariance(const HeatMap& map, double side, const std::string& of, const std::string& id) {
  return drawing(side, side, {{"role", "img"}, {"aria-label", message("Covariance of ", of)}},
                 levels_as_ink(map, side, id) + frame(side));
}

std::string ordinal(std::size_t place) {
  constexpr std::array<const char*, 3> kNames = {"first", "second", "third"};
  return place < kNames.size() ? kNames[place] : message("number ", place + 1);
}

std::string numbers(const std::vector<Index>& points) {
  std::vector<std::string> words;
  for (const Index point : points) words.push_back(std::to_string(point));
  return joined(words);
}

Markup closest_to(const std::vector<Index>& points, std::size_t place,
                  const Thumbnails& thumbnails) {
  Markup pictures;
  for (const Index point : points) pictures += thumbnails.of(point, message("point ", point));
  if (pictures.empty()) {
    const std::string noun = points.size() == 1 ? ": point " : ": points ";
    return worded("p", {}, message(ordinal(place), noun, numbers(points)));
  }
  return element("div", {{"class", "direction"}}, worded("small", {}, ordinal(place)), pictures);
}

Markup directions(const ClusterGeometry& cluster, const Thumbnails& thumbnails) {
  Markup rows;
  for (std::size_t d = 0; d < cluster.closest.size(); ++d) {
    if (cluster.closest[d].empty()) continue;  // what is close to it stands under another
    rows += closest_to(cluster.closest[d], d, thumbnails);
  }
  return rows.empty() ? rows : element("div", {{"class", "directions"}}, rows);
}

std::string numbers_of(const PointsGeometry& own) {
  const std::string rank = own.effective_rank > 0.0
                               ? message(", effective rank ", fixed(own.effective_rank, 1))
                               : std::string();
  return message(counted(own.points, "point"), rank);
}

Markup card(const ClusterGeometry& cluster, const ClusterNames& names, const Thumbnails& thumbnails,
            const std::string& id) {
  const std::string name = names.name(cluster.cluster);
  Markup seen;
  if (cluster.own.covariance.side > 0) {
    seen += covariance(cluster.own.covariance, kSmallSide, name,
                       message(id, "-covariance-", cluster.cluster));
  }
  seen += directions(cluster, thumbnails);
  return element("li", {}, worded("strong", {}, name), worded("p", {}, numbers_of(cluster.own)),
                 element("div", {{"class", "seen"}}, seen));
}

bool has_covariance(const ClusterGeometry& cluster) { return cluster.own.covariance.side > 0; }
bool has_closest(const ClusterGeometry& cluster) { return !cluster.closest.empty(); }

std::string cards_title(const FeatureGeometry& geometry, bool pictures) {
  std::vector<std::string> parts = {"effective rank"};
  if (std::ranges::any_of(geometry.clusters, has_covariance)) parts.push_back("covariance");
  if (std::ranges::any_of(geometry.clusters, has_closest)) {
    parts.push_back(pictures ? "closest pictures" : "closest points");
  }
  return message("Cluster by cluster: ", joined(parts), " of ",
                 counted(std::ssize(geometry.clusters), "found cluster"));
}

std::string cards_remark(const FeatureGeometry& geometry) {
  std::string words;
  if (std::ranges::any_of(geometry.clusters, has_closest)) {
    words +=
        "Of each cluster the points closest to its first principal directions, by |cos|, each "
        "point under one direction only. ";
  }
  const auto drawn = std::ranges::count_if(geometry.clusters, has_covariance);
  if (drawn > 0) words += "The squares are covariances, in the order of that of all points. ";
  if (drawn > 0 && drawn < std::ssize(geometry.clusters)) {
    words += message("They are drawn for the first ", drawn, " of ", geometry.clusters.size(),
                     " clusters.");
  }
  return words;
}

}  // namespace

Markup covariance_figure(const FeatureGeometry& geometry, const std::string& id) {
  const HeatMap& map = geometry.all.covariance;
  if (map.side < 1) return {};
  const std::string blocks = map.side < geometry.dimension
                                 ? message(" Shown are the means of blocks, ", map.side, " a side.")
                                 : std::string();
  return figure("square", "Covariance", covariance(map, kSide, "all points", id),
                message("|ZZ'| / N of all points, ", counted(geometry.dimension, "dimension"),
                        " a side, no mean subtracted. Ink off the diagonal is correlation. Each "
                        "dimension stands with the found cluster that varies most along it: "
                        "clusters with dimensions of their own are blocks.",
                        blocks));
}

Markup cluster_cards(const FeatureGeometry& geometry, const ClusterNames& names,
                     const Thumbnails& thumbnails, const std::string& id) {
  if (std::ranges::none_of(geometry.clusters, has_covariance) &&
      std::ranges::none_of(geometry.clusters, has_closest)) {
    return {};
  }
  Markup cards;
  for (const ClusterGeometry& cluster : geometry.clusters) {
    cards += card(cluster, names, thumbnails, id);
  }
  return element("details", {{"class", "clusters"}},
                 worded("summary", {}, cards_title(geometry, thumbnails.shown())),
                 worded("p", {{"class", "remark"}}, cards_remark(geometry)),
                 element("ol", {{"class", "pairs"}}, cards));
}

Markup geometry_section(const FeatureGeometry& geometry, const ClusterNames& names,
                        const Thumbnails& thumbnails, const std::string& id) {
  const Markup figures = covariance_figure(geometry, message(id, "-covariance")) +
                         singular_values_figure(geometry, names);
  const Markup cards = cluster_cards(geometry, names, thumbnails, id);
  if (figures.empty() && cards.empty()) return {};
  Markup content = worded("h4", {},
                          message("Geometry of the ", one_line(geometry.of), ", ",
                                  counted(geometry.dimension, "dimension")));
  if (!figures.empty()) content += element("div", {{"class", "figures"}}, figures);
  return element("div", {{"class", "geometry"}}, content, cards);
}

}  // namespace subspace::pipelines::report
