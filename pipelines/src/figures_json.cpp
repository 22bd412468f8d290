// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "figures_json.h"

#include <cmath>

#include <subspace/core/error.h>

#include "base64.h"

namespace subspace::pipelines {
namespace {

std::string bytes_of(const std::vector<std::uint8_t>& levels) {
  return {levels.begin(), levels.end()};
}

Json heat_map_json(const HeatMap& map) {
  return {{"side", map.side}, {"levels", to_base64(bytes_of(map.levels))}, {"bounds", map.bounds}};
}

HeatMap heat_map_from_json(const Json& json, const char* name) {
  const std::string levels = from_base64(json.at("levels").get<std::string>());
  HeatMap map = {.side = json.at("side"),
                 .levels = {levels.begin(), levels.end()},
                 .bounds = json.at("bounds").get<std::vector<double>>()};
  if (map.side < 0 || std::ssize(map.levels) != std::ptrdiff_t{map.side} * map.side) {
    throw DataError(message(name, ": levels and side do not agree"));
  }
  return map;
}

Json points_json(const PointsGeometry& points) {
  Json values = Json::array();
  // Four digits are a tenth of a pixel, as of the map.
  for (const double value : points.singular_values) values.push_back(std::round(value * 1e4) / 1e4);
  Json json = {{"points", points.points},
               {"singular_values", values},
               {"effective_rank", points.effective_rank}};
  if (points.covariance.side > 0) json["covariance"] = heat_map_json(points.covariance);
  return json;
}

PointsGeometry points_from_json(const Json& json) {
  PointsGeometry points = {.points = json.at("points"),
                           .singular_values = json.at("singular_values"),
                           .effective_rank = json.at("effective_rank")};
  if (json.contains("covariance")) {
    points.covariance = heat_map_from_json(json.at("covariance"), "covariance");
  }
  return points;
}

Json geometry_json(const FeatureGeometry& geometry) {
  Json clusters = Json::array();
  for (const ClusterGeometry& cluster : geometry.clusters) {
    Json json = points_json(cluster.own);
    json["cluster"] = cluster.cluster;
    json["closest"] = cluster.closest;
    clusters.push_back(std::move(json));
  }
  return {{"of", geometry.of},
          {"dimension", geometry.dimension},
          {"all", points_json(geometry.all)},
          {"clusters", std::move(clusters)}};
}

FeatureGeometry geometry_from_json(const Json& json) {
  FeatureGeometry geometry = {.of = json.at("of"),
                              .dimension = json.at("dimension"),
                              .all = points_from_json(json.at("all"))};
  for (const Json& cluster : json.at("clusters")) {
    geometry.clusters.push_back(
        {.cluster = cluster.at("cluster"),
         .own = points_from_json(cluster),
         .closest = cluster.at("closest").get<std::vector<std::vector<Index>>>()});
  }
  return geometry;
}

}  // namespace

Json figures_json(const Figures& figures) {
  Json places = Json::array();
  for (const auto& [x, y] : figures.map) {
    // Four digits place a point to a tenth of a pixel on the largest screen.
    places.push_back({std::round(x * 1e4) / 1e4, std::round(y * 1e4) / 1e4});
  }
  Json json = {{"affinity", heat_map_json(figures.affinity)},
               {"eigenvalues", figures.eigenvalues},
               {"map_of", figures.map_of},
               {"map_points", figures.map_points},
               {"map", places}};
  if (figures.geometry) json["geometry"] = geometry_json(*figures.geometry);
  return json;
}

Figures figures_from_json(const Json& json) {
  Figures figures;
  figures.affinity = heat_map_from_json(json.at("affinity"), "affinity");
  figures.eigenvalues = json.at("eigenvalues").get<std::vector<double>>();
  figures.map_of = json.at("map_of");
  figures.map_points = json.at("map_points").get<std::vector<Index>>();
  figures.map = json.at("map").get<std::vector<std::array<float, 2>>>();
  if (figures.map.size() != figures.map_points.size()) {
    throw DataError("map: points and places do not agree");
  }
  if (json.contains("geometry")) figures.geometry = geometry_from_json(json.at("geometry"));
  return figures;
}

}  // namespace subspace::pipelines
