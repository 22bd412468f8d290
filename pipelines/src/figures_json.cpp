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

}  // namespace

Json figures_json(const Figures& figures) {
  Json places = Json::array();
  for (const auto& [x, y] : figures.map) {
    // Four digits place a point to a tenth of a pixel on the largest screen.
    places.push_back({std::round(x * 1e4) / 1e4, std::round(y * 1e4) / 1e4});
  }
  return {{"affinity",
           {{"side", figures.affinity.side},
            {"levels", to_base64(bytes_of(figures.affinity.levels))},
            {"bounds", figures.affinity.bounds}}},
          {"eigenvalues", figures.eigenvalues},
          {"map_of", figures.map_of},
          {"map_points", figures.map_points},
          {"map", places}};
}

Figures figures_from_json(const Json& json) {
  Figures figures;
  const Json& affinity = json.at("affinity");
  const std::string levels = from_base64(affinity.at("levels").get<std::string>());
  figures.affinity = {.side = affinity.at("side"),
                      .levels = {levels.begin(), levels.end()},
                      .bounds = affinity.at("bounds").get<std::vector<double>>()};
  if (std::ssize(figures.affinity.levels) !=
      std::ptrdiff_t{figures.affinity.side} * figures.affinity.side) {
    throw DataError("affinity: levels and side do not agree");
  }
  figures.eigenvalues = json.at("eigenvalues").get<std::vector<double>>();
  figures.map_of = json.at("map_of");
  figures.map_points = json.at("map_points").get<std::vector<Index>>();
  figures.map = json.at("map").get<std::vector<std::array<float, 2>>>();
  if (figures.map.size() != figures.map_points.size()) {
    throw DataError("map: points and places do not agree");
  }
  return figures;
}

}  // namespace subspace::pipelines
